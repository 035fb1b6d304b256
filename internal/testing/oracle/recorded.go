package oracle

import (
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
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
		n, err := strconv.ParseInt(strings.TrimPrefix(w, "@"), 10, 64)
		switch {
		case err != nil:
			f.Args = append(f.Args, specs.String(w))
		case w[0] == '@':
			f.Round = int(n)
		default:
			f.Args = append(f.Args, specs.Int(n))
		}
	}
	return f
}
