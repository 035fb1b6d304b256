package hashicorpraft

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"sync"
	"time"

	"github.com/hashicorp/raft"
)

// rpcTimeout is how long a call waits for its answer, as in an InmemTransport.
const rpcTimeout = 500 * time.Millisecond

// transport makes the calls of servers by datagrams, one for the request and one for
// the answer: what is lost is lost, and the call fails when it has waited for too long.
// Entries are not pipelined; they are over TCP.
type transport struct {
	preVotes
	local    raft.ServerAddress
	peers    map[raft.ServerAddress]net.Addr
	conn     net.PacketConn
	consumer chan raft.RPC
	closed   chan struct{}
	once     sync.Once

	mutex     sync.Mutex
	calls     uint64 // so many were made
	waiting   map[uint64]chan frame
	heartbeat func(raft.RPC)
}

func newTransport(local raft.ServerAddress, peers map[raft.ServerAddress]net.Addr, conn net.PacketConn) *transport {
	t := &transport{
		local: local, peers: peers, conn: conn,
		consumer: make(chan raft.RPC), closed: make(chan struct{}), waiting: map[uint64]chan frame{},
	}
	t.preVotes = newPreVotes(t)
	go t.receive()
	return t
}

// call makes a call and waits for its answer.
func (t *transport) call(target raft.ServerAddress, request any, data []byte) (response any, err error) {
	place, err := rpcWith(request)
	if err != nil {
		return nil, err
	}
	id, answer := t.begin()
	defer t.end(id)
	if err := t.send(frame{rpc: place, id: id, value: request, data: data}, target); err != nil {
		return nil, err
	}
	timeout := time.NewTimer(rpcTimeout)
	defer timeout.Stop()
	select {
	case f := <-answer:
		if f.value == nil {
			return nil, errors.New(f.err)
		}
		return f.value, nil
	case <-timeout.C:
		return nil, errors.New("command timed out")
	case <-t.closed:
		return nil, raft.ErrTransportShutdown
	}
}

func (t *transport) begin() (id uint64, answer chan frame) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.calls++
	answer = make(chan frame, 1)
	t.waiting[t.calls] = answer
	return t.calls, answer
}

func (t *transport) end(id uint64) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	delete(t.waiting, id)
}

func (t *transport) send(f frame, to raft.ServerAddress) error {
	address, ok := t.peers[to]
	if !ok {
		return fmt.Errorf("there is no server at %q", to)
	}
	_, err := t.conn.WriteTo(f.bytes(), address)
	return err
}

// receive takes datagrams until the socket is closed.
func (t *transport) receive() {
	buffer := make([]byte, 1<<16)
	for {
		n, from, err := t.conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		f, err := parseFrame(buffer[:n])
		switch {
		case err != nil: // of no server
		case f.answer:
			t.answered(f)
		default:
			f.data = bytes.Clone(f.data)
			go t.serve(f, from)
		}
	}
}

func (t *transport) answered(f frame) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if waiting, ok := t.waiting[f.id]; ok {
		delete(t.waiting, f.id)
		waiting <- f
	}
}

// serve hands a request to the server, and sends its answer. A heartbeat is handed
// over aside of the main loop, as the library does over TCP.
func (t *transport) serve(f frame, from net.Addr) {
	respond := make(chan raft.RPCResponse, 1)
	call := raft.RPC{Command: f.value, RespChan: respond}
	if _, ok := f.value.(*raft.InstallSnapshotRequest); ok {
		call.Reader = bytes.NewReader(f.data)
	}
	if handler := t.heartbeatHandler(); handler != nil && isHeartbeat(f.value) {
		handler(call)
	} else {
		select {
		case t.consumer <- call:
		case <-t.closed:
			return
		}
	}
	answer := frame{rpc: f.rpc, answer: true, id: f.id}
	select {
	case r := <-respond:
		if answer.value = r.Response; r.Error != nil {
			answer.value, answer.err = nil, r.Error.Error()
		}
		_, _ = t.conn.WriteTo(answer.bytes(), from)
	case <-t.closed:
	}
}

func (t *transport) heartbeatHandler() func(raft.RPC) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.heartbeat
}

// isHeartbeat tells whether the library takes a request for a heartbeat.
func isHeartbeat(request any) bool {
	r, ok := request.(*raft.AppendEntriesRequest)
	return ok && r.Term != 0 && r.PrevLogEntry == 0 && r.PrevLogTerm == 0 && len(r.Entries) == 0 && r.LeaderCommitIndex == 0
}

// SetHeartbeatHandler is called by the library with what is to take heartbeats.
func (t *transport) SetHeartbeatHandler(handler func(raft.RPC)) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.heartbeat = handler
}

// Close ends all calls.
func (t *transport) Close() error {
	t.once.Do(func() { close(t.closed) })
	return t.conn.Close()
}

func (t *transport) Consumer() <-chan raft.RPC     { return t.consumer }
func (t *transport) LocalAddr() raft.ServerAddress { return t.local }

func (t *transport) EncodePeer(_ raft.ServerID, a raft.ServerAddress) []byte { return []byte(a) }
func (t *transport) DecodePeer(b []byte) raft.ServerAddress                  { return raft.ServerAddress(b) }

// AppendEntriesPipeline says that there are no pipelines.
func (t *transport) AppendEntriesPipeline(raft.ServerID, raft.ServerAddress) (raft.AppendPipeline, error) {
	return nil, raft.ErrPipelineReplicationNotSupported
}

func (t *transport) AppendEntries(_ raft.ServerID, target raft.ServerAddress, request *raft.AppendEntriesRequest, response *raft.AppendEntriesResponse) error {
	return into(response)(t.call(target, request, nil))
}

func (t *transport) RequestVote(_ raft.ServerID, target raft.ServerAddress, request *raft.RequestVoteRequest, response *raft.RequestVoteResponse) error {
	return into(response)(t.call(target, request, nil))
}

func (t *transport) TimeoutNow(_ raft.ServerID, target raft.ServerAddress, request *raft.TimeoutNowRequest, response *raft.TimeoutNowResponse) error {
	return into(response)(t.call(target, request, nil))
}

// InstallSnapshot sends a snapshot in one datagram.
func (t *transport) InstallSnapshot(_ raft.ServerID, target raft.ServerAddress, request *raft.InstallSnapshotRequest, response *raft.InstallSnapshotResponse, data io.Reader) error {
	snapshot, err := io.ReadAll(data)
	if err != nil {
		return fmt.Errorf("reading a snapshot to be sent: %w", err)
	}
	return into(response)(t.call(target, request, snapshot))
}

// into puts a response where the library wants it.
func into[T any](response *T) func(any, error) error {
	return func(value any, err error) error {
		if err != nil {
			return err
		}
		r, ok := value.(*T)
		if !ok {
			return fmt.Errorf("a %s is no answer to this call", reflect.TypeOf(value))
		}
		*response = *r
		return nil
	}
}
