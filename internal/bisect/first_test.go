package bisect_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A history in letters, and what a binary search makes of it: g is good, b bad,
// r bad in another way, x cannot be read. Versions that were not searched become
// a dot.
func TestFirstBad(t *testing.T) {
	for _, c := range []struct{ history, searched, cause string }{
		{"ggggbbbb", "g..gbb.b", "v5.ded is the first version in which the promise can be broken: omit a>c@1."},
		{"gb", "gb", "v2.ded is the first version in which the promise can be broken: omit a>c@1."},
		{"ggxxbb", "ggxxbb", "v5.ded (or v3.ded, skipped; or v4.ded, skipped) is the first version in which the promise can be broken: omit a>c@1."},
		{"gxxxxxxxb", "gxxxxxxxb", "v9.ded (or one of the 7 versions without a verdict before it) is the first version in which the promise can be broken: omit a>c@1."},
		{"bbbggggg", "bbbg...g", "v4.ded holds: no schedule within the bounds breaks it."},
		{"rrrrgggg", "r..rgg.g", "v5.ded holds: no schedule within the bounds breaks it."},
		{"xggbbx", "xggbbx", "v4.ded is the first version in which the promise can be broken: omit a>c@1."},
		{"gbg", "g.g", "The first and the last version have the same verdict, so the verdict does not change exactly once: search all versions, without --first-bad."},
	} {
		t.Run(c.history, func(t *testing.T) {
			var programs []string
			for i, letter := range c.history {
				program := map[rune]string{'g': resends, 'b': sendsOnce, 'r': sendsByRelay, 'x': unreadable}[letter]
				programs = append(programs, program+strings.Repeat("\n", i))
			}
			r := run(t, history(t, programs...), bisect.Options{FirstBad: true})
			m := r.Matrices[0]
			searched := []rune(c.history)
			for i, f := range m.Findings {
				switch f.State {
				case bisect.NotSearched:
					searched[i] = '.'
				case bisect.Skipped:
					require.Equal(t, 'x', searched[i])
				}
			}
			require.Equal(t, c.searched, string(searched))
			require.Contains(t, m.Conclusion.Sentences, c.cause)
			expected := result.Violated
			if !strings.ContainsAny(c.searched, "br") {
				expected = result.Inconclusive
			}
			require.Equal(t, expected, r.Verdict)
		})
	}
}
