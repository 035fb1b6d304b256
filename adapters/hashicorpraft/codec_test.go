package hashicorpraft

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/hashicorp/raft"
	"github.com/stretchr/testify/require"
)

// What is written is read again, with all fields that this version of the library has.
func TestCodec(t *testing.T) {
	for _, value := range []any{
		&raft.AppendEntriesRequest{
			Term: 3, PrevLogEntry: 4, PrevLogTerm: 2, LeaderCommitIndex: 4,
			Entries: []*raft.Log{{Index: 5, Term: 3, Type: raft.LogBarrier, Data: []byte("x")}, {Index: 6}},
		},
		&raft.AppendEntriesResponse{Term: 3, LastLog: 7, Success: true},
		&raft.RequestVoteRequest{LeadershipTransfer: true},
		&raft.InstallSnapshotRequest{SnapshotVersion: 1, Configuration: []byte("c"), Size: -1},
		&raft.TimeoutNowRequest{},
		&stableRecord{Key: "k"},
		&struct{ At, Never time.Time }{At: time.Unix(1, 2)},
	} {
		b := encode(nil, value)
		read := newOf(value)
		require.NoError(t, decode(b, read))
		require.Equal(t, value, read)
		for n := range len(b) {
			require.Error(t, decode(b[:n], newOf(value)), "the first %d bytes of %T", n, value)
		}
		require.ErrorContains(t, decode(append(b, 0), read), "1 bytes are left over")
	}
}

// Whatever arrives, there is an error or a frame with a text.
func TestGarbage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	valid := frame{rpc: 0, id: 300, value: &raft.AppendEntriesRequest{Entries: []*raft.Log{{Index: 5}}}}.bytes()
	for range 10_000 {
		b := make([]byte, random.IntN(40))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		if random.IntN(2) == 0 {
			b = append([]byte(nil), valid...)
			b[random.IntN(len(b))] = byte(random.Uint32())
		}
		require.NotEmpty(t, text(b))
	}
}

func TestText(t *testing.T) {
	entry := &raft.Log{Index: 5}
	for want, f := range map[string]frame{
		"AppendEntries term 3 prev 4/2 entry 5 commit 4":      {value: &raft.AppendEntriesRequest{Term: 3, PrevLogEntry: 4, PrevLogTerm: 2, Entries: []*raft.Log{entry}, LeaderCommitIndex: 4}},
		"AppendEntries term 3 prev 4/2 entries 5..6 commit 4": {value: &raft.AppendEntriesRequest{Term: 3, PrevLogEntry: 4, PrevLogTerm: 2, Entries: []*raft.Log{entry, {Index: 6}}, LeaderCommitIndex: 4}},
		"AppendEntries heartbeat term 3":                      {value: &raft.AppendEntriesRequest{Term: 3}},
		"AppendEntries ok term 3 last 6":                      {answer: true, value: &raft.AppendEntriesResponse{Term: 3, LastLog: 6, Success: true}},
		"RequestVote term 3 last 6/2 transfer":                {rpc: 1, value: &raft.RequestVoteRequest{Term: 3, LastLogIndex: 6, LastLogTerm: 2, LeadershipTransfer: true}},
		"RequestVote refused term 3":                          {rpc: 1, answer: true, value: &raft.RequestVoteResponse{Term: 3}},
		"InstallSnapshot term 3 last 6/2, 3 bytes":            {rpc: 2, value: &raft.InstallSnapshotRequest{Term: 3, LastLogIndex: 6, LastLogTerm: 2}, data: []byte("abc")},
		"InstallSnapshot ok term 3":                           {rpc: 2, answer: true, value: &raft.InstallSnapshotResponse{Term: 3, Success: true}},
		"TimeoutNow":                                          {rpc: 3, value: &raft.TimeoutNowRequest{}},
		"TimeoutNow ok":                                       {rpc: 3, answer: true, value: &raft.TimeoutNowResponse{}},
		`AppendEntries error "no"`:                            {answer: true, err: "no"},
	} {
		require.Equal(t, want, text(f.bytes()))
	}
}

// The call that older versions of the library do not have is known by its types alone.
func TestTextOfPreVote(t *testing.T) {
	if rpcs[preVote].request == nil {
		require.Contains(t, text([]byte{preVote << 1, 1, 0, 0}), "no call of this version of the library")
		t.Skip("this version of the library has no RequestPreVote")
	}
	request, response := newValue(rpcs[preVote].request), newValue(rpcs[preVote].response)
	fieldOf(request, "Term").SetUint(3)
	fieldOf(request, "LastLogIndex").SetUint(6)
	fieldOf(response, "Granted").SetBool(true)
	require.Equal(t, "RequestPreVote term 3 last 6/0", text(frame{rpc: preVote, value: request}.bytes()))
	require.Equal(t, "RequestPreVote ok term 0", text(frame{rpc: preVote, answer: true, value: response}.bytes()))
}

func newOf(pointer any) any { return newValue(reflect.TypeOf(pointer).Elem()) }

func newValue(t reflect.Type) any { return reflect.New(t).Interface() }
