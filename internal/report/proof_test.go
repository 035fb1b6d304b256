package report_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/stretchr/testify/require"
)

// The page of a proof for any number of rounds says why a state that its reader fears never comes: it names the
// sentences that are enough, and what follows from facts on the way.
func TestFearedStates(t *testing.T) {
	about := &subject.Protocol{Common: subject.Common{Named: true}, AnyRounds: true, Files: []string{testdata + "replication/kafka_min_isr.ded"}}
	o, err := about.Open(t.Context())
	require.NoError(t, err)
	defer o.Close()
	a, err := o.Search(t.Context())
	require.NoError(t, err)
	p := report.NewPage("kafka_min_isr.ded", "ldfi run", o.Bounds())
	require.NoError(t, o.Report(t.Context(), p, a, report.Words{Replay: about.InjectCommand}))
	b := open(t, p)
	for _, c := range []struct {
		facts, said string
		broken      []string
	}{
		{"acknowledged(k, w), insync(z, b), not stored(b, w)", "No round ends with these facts together: they break", []string{`acknowledged("k", "w"), insync(_, P) => stored(P, "w")`}},
		{`not insync("a", "b"); insync("z", "b")`, "No round ends with these facts together: they break", []string{`insync("z", P) => insync("a", P)`}},
		{"acknowledged(k, w); insync(a, b)", "No sentence is found that forbids it: a round may end so, or may not. The key b of ldfi explore asks further.", nil},
		{"acknowledged(z, w)", "No sentence speaks of acknowledged(z,w).", nil},
	} {
		b.run(`(() => { const i = document.getElementById('feared'); i.value = ` + "`" + c.facts + "`" + `; i.dispatchEvent(new Event('input')); })()`)
		require.Equal(t, c.said, b.text(`document.querySelector('.said p').textContent`), c.facts)
		require.ElementsMatch(t, c.broken, b.all(".said li"))
	}
}
