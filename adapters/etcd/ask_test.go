package etcd

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a recording says of a request, a schedule can ask for.
func TestAskedByText(t *testing.T) {
	processes := []string{"a", "b", "c", "d"}
	for _, r := range []any{
		Propose("x y"), Propose(""), ReadIndex{}, Compact{}, TransferLeader{To: "b"}, AtLeader{Propose("x")}, ConfChange{},
		ConfChange{Remove: []string{"a"}}, AtLeader{ConfChange{Voters: []string{"d"}, Learners: []string{"b"}, Remove: []string{"a", "c"}}},
		ConfChange{Voters: []string{"d"}, Transition: JointImplicit}, ConfChange{Voters: []string{"d"}, Remove: []string{"a"}, Transition: JointExplicit},
	} {
		payload, err := asked(fmt.Sprint(r), processes)
		require.NoError(t, err)
		require.Equal(t, r, payload)
	}
	for _, text := range []string{"", "x", "change: ", "change: joint", "change: voter e", "transfer to ", "transfer to e", "at the leader: write", "change: voter a, , joint"} {
		_, err := asked(text, processes)
		require.ErrorContains(t, err, "a client asks for ", text)
	}
}
