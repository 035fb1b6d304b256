package recording

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// Whatever the order in which facts and messages are recorded, however many a round
// has, they end up in the one order, each once.
func TestSort(t *testing.T) {
	names := []string{"", "\x00", "a", "a\x00", "b", "committed", "committe", "committed/2", "committed/1", "\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff\xff"}
	random := rand.New(rand.NewPCG(1, 2))
	name := func() string { return names[random.IntN(len(names))] }
	for range 2000 {
		var e Execution
		ordered := random.IntN(4) > 0
		for i := range random.IntN(120) {
			round := random.IntN(4)
			if ordered {
				round = i / 40
			}
			args := []specs.Value{specs.String(name()), specs.Int(int64(random.IntN(3)))}[:random.IntN(3)]
			e.Facts = append(e.Facts, Fact{name(), args, round})
			e.Messages = append(e.Messages, Message{From: name(), To: name(), Round: round, Relation: name(), Args: args, Arrival: random.IntN(2)})
		}
		facts, messages := slices.Clone(e.Facts), slices.Clone(e.Messages)
		e.Sort()
		requireOrder(t, facts, e.Facts, Fact.Compare)
		requireOrder(t, messages, e.Messages, Message.compare)
	}
}

func requireOrder[T fmt.Stringer](t *testing.T, before, after []T, compare func(T, T) int) {
	t.Helper()
	slices.SortStableFunc(before, compare)
	before = slices.CompactFunc(before, func(a, b T) bool { return compare(a, b) == 0 })
	require.Equal(t, before, after)
}
