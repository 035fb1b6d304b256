package subject

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A host of nodes is told the rounds that a search has, whoever asks: phases and the last
// rounds are a part of them. Other hosts take what they are sent.
func TestHostsOfNodesKnowTheirRounds(t *testing.T) {
	for _, c := range []struct{ command, eot, want string }{
		{"ldfi nodes kvd/cluster.yaml", "40", "ldfi nodes --rounds 40 kvd/cluster.yaml"},
		{"ldfi nodes --server './my server' -- -x", "40", "ldfi nodes --rounds 40 --server './my server' -- -x"},
		{"ldfi nodes kvd/cluster.yaml", "", "ldfi nodes kvd/cluster.yaml"},
		{"go run ./host", "40", "go run ./host"},
	} {
		s := &System{Command: c.command, Common: Common{Bounds: map[string]string{}}}
		if c.eot != "" {
			s.Bounds["eot"] = c.eot
		}
		require.Equal(t, c.want, s.hosted())
	}
}
