package diagram_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

// wide are pieces of names that are not as wide as they are long.
var wide = []string{
	"a", "参加", "ｆｕｌｌ", "한국", "e\u0301", "n\u0303\u0323", "👍🏽", "👩\u200d🚀", "👨\u200d👩\u200d👧", "🇦🇹", "✔\ufe0f", "1\ufe0f\u20e3", "क्षि", "ü", "שלום", "\u200b",
}

// Whatever characters names, relations, phases and facts have, each lifeline is at the
// same place in every row.
func TestLifelinesLineUpWithAnyNames(t *testing.T) {
	rows := 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 2))
		name := func(i int) string {
			text := fmt.Sprint(i)
			for range random.IntN(4) {
				text = wide[random.IntN(len(wide))] + text
			}
			return text
		}
		b := rounds.Bounds{EOT: 4}
		for i := range 2 + random.IntN(4) {
			b.Processes = append(b.Processes, name(i))
		}
		if random.IntN(3) == 0 {
			b.Period, b.Phase = 2, []string{name(0), name(1)}
		}
		e := &recording.Execution{Bounds: b}
		show := name(9)
		for round := 1; round < b.EOT; round++ {
			at := b.Processes[random.IntN(len(b.Processes))]
			e.Messages = append(e.Messages, recording.Message{From: b.Processes[0], To: at, Round: round, Relation: name(7)})
			e.Facts = append(e.Facts, recording.Fact{Relation: show, Args: []specs.Value{specs.String(at), specs.String(name(round))}, Round: round})
		}
		e.Sort()
		var out bytes.Buffer
		require.NoError(t, diagram.Write(&out, e, diagram.Options{All: true, Show: []string{show}}))
		rows += lineUp(t, out.String(), len(b.Processes))
	}
	require.Greater(t, rows, 1000)
}

// lineUp fails where a sign of the last lifeline is not where it is in the first row that
// has it. It returns how many rows have it.
func lineUp(t *testing.T, drawing string, processes int) (rows int) {
	at := -1
	for line := range strings.Lines(drawing) {
		var signs []int
		column := 0
		for rest, state := line, -1; rest != ""; {
			var character string
			var wide int
			character, rest, wide, state = uniseg.FirstGraphemeClusterInString(rest, state)
			if strings.ContainsAny(character, "│┤├┼") {
				signs = append(signs, column)
			}
			column += wide
		}
		if len(signs) != processes {
			continue // the heading, or an arrow that covers a lifeline
		}
		if at < 0 {
			at = signs[processes-1]
		}
		require.Equal(t, at, signs[processes-1], "%q\n%s", line, drawing)
		rows++
	}
	return rows
}
