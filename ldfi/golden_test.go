package ldfi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// timeless returns the JSON of a report as if it had taken no time.
func timeless(t *testing.T, r *result.Answer) string {
	t.Helper()
	still := *r
	still.Stats = result.Stats{} // the rest of it can depend on which solver wins a race
	return indented(t, &still)
}

// costless returns the JSON of an answer as if it had cost nothing, for what it
// costs changes with every improvement of the packages below, and without the
// executions: injection.json has one.
func costless(t *testing.T, a *result.Answer) string {
	t.Helper()
	free := *a
	free.Stats = result.Stats{}
	free.Counterexamples = slices.Clone(a.Counterexamples)
	for i := range free.Counterexamples {
		free.Counterexamples[i].Execution = nil
	}
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
	r, err := model(t, p, b, ldfi.Options{}).Check(t.Context())
	require.NoError(t, err)
	require.Positive(t, r.Stats.Facts)
	require.Positive(t, r.Stats.Gates)
	require.Positive(t, r.Stats.Executions)
	require.Positive(t, r.Stats.Times.Total)
	golden(t, "violated.json", costless(t, r))

	r, err = model(t, p, b, ldfi.Options{MaxGates: 30}.Only("circuit")).Check(t.Context())
	require.NoError(t, err)
	golden(t, "limited.json", costless(t, r))

	h, err := model(t, p, b, ldfi.Options{Max: 5}).Hypotheses(t.Context(), []string{"crash a@2"}, []string{"omit *>c"})
	require.NoError(t, err)
	golden(t, "hypotheses.json", costless(t, h))

	h, err = model(t, p, b, ldfi.Options{}).Hypotheses(t.Context(), []string{"crash b"}, nil)
	require.NoError(t, err)
	golden(t, "conflict.json", costless(t, h))

	p, b = parse(t, gossip)
	r, err = model(t, p, b, ldfi.Options{}).Check(t.Context())
	require.NoError(t, err)
	golden(t, "holds.json", costless(t, r))
	r, err = model(t, p, b, ldfi.Options{MaxFacts: 60}.Only("circuit")).Check(t.Context())
	require.NoError(t, err)
	golden(t, "inconclusive.json", costless(t, r))

	p, b = parse(t, delivered)
	in, err := model(t, p, b, ldfi.Options{}).Inject(t.Context(), rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Omit, Process: "a", To: "c", Round: 1}}})
	require.NoError(t, err)
	golden(t, "injection.json", indented(t, in))
}

// model is a program with bounds that are right.
func model(t testing.TB, p *dedalus.Program, b rounds.Bounds, o ldfi.Options) *ldfi.Model {
	t.Helper()
	m, err := ldfi.New(p, b, o)
	require.NoError(t, err)
	return m
}
