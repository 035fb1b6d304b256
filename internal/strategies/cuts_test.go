package strategies

import (
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// A partition has one text, whoever finds it.
func TestSplitsAreThoseOfTheUniverse(t *testing.T) {
	for _, processes := range [][]string{{"a", "b", "c"}, {"c", "a", "b", "d"}, {"c", "a", "b", "e", "d"}, {"f", "c", "a", "b", "e", "d"}} {
		var texts, want []string
		for _, s := range splitsOf(processes) {
			texts = append(texts, s.text)
		}
		u := schedules.New(rounds.Bounds{Processes: processes, EOT: 1, Partitions: 1})
		for i := range u.Splits() {
			want = append(want, u.Split(i))
		}
		slices.Sort(texts)
		slices.Sort(want)
		require.Equal(t, want, texts)
	}
}
