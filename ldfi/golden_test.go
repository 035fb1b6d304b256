package ldfi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// timeless returns the JSON of a report as if it had taken no time.
func timeless(t *testing.T, r *ldfi.Report) string {
	t.Helper()
	still := *r
	still.Stats.Times = ldfi.Times{}
	return indented(t, &still)
}

// costless returns the JSON of a report as if it had cost nothing: what it costs
// changes with every improvement of the packages below.
func costless(t *testing.T, r *ldfi.Report) string {
	t.Helper()
	free := *r
	free.Stats = ldfi.Stats{}
	return indented(t, &free)
}

func indented(t *testing.T, v any) string {
	t.Helper()
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	require.NoError(t, e.Encode(v))
	return text.String()
}

func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text, "run with -update if this is as it should be")
}

func TestJSON(t *testing.T) {
	p, b := parse(t, retry)
	r, err := ldfi.Check(t.Context(), p, b, ldfi.Options{})
	require.NoError(t, err)
	require.Positive(t, r.Stats.Facts)
	require.Positive(t, r.Stats.Gates)
	require.Positive(t, r.Stats.Executions)
	require.Positive(t, r.Stats.Times.Total)
	golden(t, "violated.json", costless(t, r))

	r, err = ldfi.Check(t.Context(), p, b, ldfi.Options{MaxGates: 30})
	require.NoError(t, err)
	golden(t, "limited.json", costless(t, r))

	h, err := ldfi.Hypotheses(t.Context(), p, b, []string{"crash a@2"}, []string{"omit *>c"}, ldfi.Options{Max: 5})
	require.NoError(t, err)
	h.Stats = ldfi.Stats{}
	golden(t, "hypotheses.json", indented(t, h))

	h, err = ldfi.Hypotheses(t.Context(), p, b, []string{"crash b"}, nil, ldfi.Options{})
	require.NoError(t, err)
	h.Stats = ldfi.Stats{}
	golden(t, "conflict.json", indented(t, h))

	p, b = parse(t, gossip)
	r, err = ldfi.Check(t.Context(), p, b, ldfi.Options{})
	require.NoError(t, err)
	golden(t, "holds.json", costless(t, r))
	r, err = ldfi.Check(t.Context(), p, b, ldfi.Options{MaxFacts: 60})
	require.NoError(t, err)
	golden(t, "inconclusive.json", costless(t, r))

	p, b = parse(t, delivered)
	in, err := ldfi.Inject(t.Context(), p, b, rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Omit, Process: "a", To: "c", Round: 1}}}, ldfi.Options{})
	require.NoError(t, err)
	golden(t, "injection.json", indented(t, in))
}
