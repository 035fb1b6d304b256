package execution

import (
	"strings"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Shown returns the first events of both sides for a person: each is one line of at
// most a width on the screen, with the middle left out if it is longer.
func (d *Divergence) Shown(most, width int) (before, after []string) {
	return Apart(d.Before[:min(most, len(d.Before))], d.After[:min(most, len(d.After))], width)
}

// Apart returns texts of two sides as lines of at most a width. Two different texts
// that would look the same are cut where they differ.
func Apart(left, right []string, width int) (shownLeft, shownRight []string) {
	left, right = text.SafeEach(left), text.SafeEach(right)
	return cutUnlike(left, right, width), cutUnlike(right, left, width)
}

// cutUnlike cuts texts so that none looks like another one of the others.
func cutUnlike(texts, others []string, width int) []string {
	looks := map[string]string{}
	for _, other := range others {
		looks[text.Cut(other, width)] = other
	}
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = text.Cut(s, width)
		if other, ok := looks[all[i]]; ok && other != s {
			all[i] = text.CutAround(s, width, common(s, other))
		}
	}
	return all
}

// common is the length of what two texts begin with.
func common(a, b string) int {
	n := 0
	for {
		r, size := utf8.DecodeRuneInString(a[n:])
		if size == 0 || !strings.HasPrefix(b[n:], string(r)) {
			return n
		}
		n += size
	}
}
