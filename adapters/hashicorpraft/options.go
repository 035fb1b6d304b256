package hashicorpraft

import (
	"time"

	"github.com/hashicorp/raft"
)

// Option changes how a cluster is made.
type Option func(*options)

type options struct {
	voters, nonvoters []string
	configure         func(*raft.Config)
	tcp               bool
	tick              time.Duration
}

// Voters names the servers that the cluster begins with. Without it all of them vote.
func Voters(servers ...string) Option { return func(o *options) { o.voters = servers } }

// Nonvoters names servers that are members of the cluster from the beginning, too, but
// have no vote.
func Nonvoters(servers ...string) Option { return func(o *options) { o.nonvoters = servers } }

// Configure changes what [raft.DefaultConfig] says. It is called for each server,
// whose LocalID is set, at each of its starts.
func Configure(configure func(*raft.Config)) Option {
	return func(o *options) { o.configure = configure }
}

// TCP lets servers call each other by the library's own NetworkTransport, over
// connections, on which nothing is lost for good. Otherwise each call is two datagrams.
func TCP() Option { return func(o *options) { o.tcp = true } }

// Tick says by how much time goes on in a round, instead of by 50 ms.
func Tick(tick time.Duration) Option { return func(o *options) { o.tick = tick } }
