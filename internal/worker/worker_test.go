package worker_test

import (
	"encoding/json"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/worker/workertest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// plain is an answer as JSON, without what differs from machine to machine.
func plain(t *testing.T, a *result.Answer) string {
	t.Helper()
	timeless := *a
	timeless.Stats = result.Stats{Executions: a.Stats.Executions}
	text, err := json.MarshalIndent(&timeless, "", " ")
	require.NoError(t, err)
	return string(text)
}

// answers asks a question here and of workers.
func answers(t *testing.T, s subject.Subject, hands *workertest.Hands) (here, there *result.Answer) {
	t.Helper()
	ask := func() *result.Answer {
		o, err := s.Open(t.Context())
		require.NoError(t, err)
		defer o.Close()
		a, err := o.Search(t.Context())
		require.NoError(t, err)
		return a
	}
	here = ask()
	s.Hands = hands
	return here, ask()
}

// Every protocol of the suite of the repository has the same answer from a worker, and it
// is believed.
func TestProtocols(t *testing.T) {
	t.Chdir("../..")
	cases, err := suite.Read("ldfi.yaml")
	require.NoError(t, err)
	hands := &workertest.Hands{T: t}
	asked := 0
	for _, c := range cases.Cases {
		if c.Subject.System == "" {
			asked++
			here, there := answers(t, c.Subject, hands)
			require.Equal(t, plain(t, here), plain(t, there), c.Name)
		}
	}
	require.Greater(t, asked, 30)
	require.Len(t, hands.Units, asked)
	require.Empty(t, hands.Doubted)
	require.Empty(t, hands.Kept)
}
