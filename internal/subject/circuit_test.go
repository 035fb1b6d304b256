package subject_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// A page ships what switches faults, or says why it does not.
func TestPagesShipTheCircuit(t *testing.T) {
	page := func(text string) *report.Page {
		file := filepath.Join(t.TempDir(), "p.ded")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		o := open(t, &subject.Protocol{Files: []string{file}})
		p := report.NewPage("p", "ldfi run p.ded", o.Bounds())
		words := report.Words{About: func(result.Counterexample) string { return "" }, Replay: func(rounds.Schedule) string { return "ldfi inject p.ded" }}
		require.NoError(t, o.Report(t.Context(), p, &result.Answer{Verdict: result.Holds}, words))
		return p
	}
	p := page(generate.Acknowledged(4).Text)
	require.NotNil(t, p.Circuit)
	require.Empty(t, p.Fixed)
	require.Equal(t, "ldfi inject p.ded", p.Inject)
	p = page(generate.Acknowledged(20).Text)
	require.Nil(t, p.Circuit)
	require.Contains(t, p.Fixed, "faults cannot be changed in this page: the conditions of all facts and messages take ")
	require.Less(t, len(p.Atoms.Text), 10_000, "what is not shipped has no texts in the page")
}
