package roundstest

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Recorded returns an execution of three processes with facts such as
// `leader a 1 @2`.
func Recorded(t *testing.T, facts ...string) *recording.Execution {
	t.Helper()
	e := &recording.Execution{System: "test", Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 9}}
	for _, text := range facts {
		e.Facts = append(e.Facts, factOf(t, text))
	}
	e.Sort()
	require.NoError(t, e.Validate())
	return e
}

// factOf reads a fact such as `leader a 1 @2`.
func factOf(t *testing.T, text string) recording.Fact {
	t.Helper()
	words := strings.Fields(text)
	f := recording.Fact{Relation: words[0]}
	for _, w := range words[1:] {
		q, err := dedalus.ParseQuery("x(" + strings.TrimPrefix(w, "@") + ")")
		require.NoError(t, err)
		v := q.Args[0].Value
		if strings.HasPrefix(w, "@") {
			f.Round = int(v.Int())
		} else {
			f.Args = append(f.Args, v)
		}
	}
	return f
}
