package hashicorpraft

import (
	"time"

	"github.com/hashicorp/raft"
)

// preVotes gives a transport the method RequestPreVote, in those versions of the library
// that have it, though no code here can name its arguments: it is that of the library's
// own InmemTransport, which is connected to one for each peer. What arrives there is
// called as everything else is.
type preVotes struct{ *inmem }

// inmem is an InmemTransport by another name, to be embedded unexported.
type inmem = raft.InmemTransport

func newPreVotes(t *transport) preVotes {
	if rpcs[preVote].request == nil {
		return preVotes{}
	}
	_, own := raft.NewInmemTransportWithTimeout(t.local, time.Minute) // the call has a timeout
	for p := range t.peers {
		_, peer := raft.NewInmemTransportWithTimeout(p, time.Minute)
		own.Connect(p, peer)
		go func() {
			for {
				select {
				case c := <-peer.Consumer():
					go func() { c.Respond(t.call(p, c.Command, nil)) }()
				case <-t.closed:
					return
				}
			}
		}()
	}
	return preVotes{own}
}
