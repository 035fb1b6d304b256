package subject

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/stretchr/testify/require"
)

// A host of nodes is told the rounds that a search has, whoever asks: the last rounds are a
// part of them. Other hosts take what they are sent.
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

// Nodes that are programs of their own are executed 1,000 times unless somebody says
// otherwise; other systems as often as a search does by itself.
func TestHowOftenProgramsAreExecuted(t *testing.T) {
	for _, c := range []struct {
		offers      []string
		asked, host int
		want        int
	}{
		{[]string{search.OffersSignals}, 0, 0, 1000},
		{[]string{search.OffersSignals}, 7, 0, 7},
		{[]string{search.OffersSignals}, 0, 8, 8},
		{nil, 0, 0, 0},
	} {
		h := &OpenedSystem{question: &System{Executions: c.asked}, System: &remote.System{Target: search.Target{Description: search.Description{Offers: c.offers}}}}
		h.Asks.Executions = c.host
		require.Equal(t, c.want, h.options().Executions)
	}
}
