package text

import (
	"fmt"
	"slices"
	"strings"
)

// longest is the length in bytes beyond which words are not compared.
const longest = 64

// Suggest returns the candidate closest to word: the one that the fewest
// insertions, deletions, replacements and swaps of neighbours turn it into,
// where a change of case counts for nothing. Among equally close ones it
// returns the one that begins and ends most like it, and among these the first. It returns "" when none is close enough to be a slip of
// the finger, or when word itself is a candidate.
func Suggest(word string, candidates []string) string {
	best, least, likest := "", limit(word)+1, 0
	for _, c := range candidates {
		if c == word {
			return ""
		}
		if len(word) > longest || len(c) > longest || c == "" {
			continue
		}
		a, b := strings.ToLower(word), strings.ToLower(c)
		d, like := distance(a, b), alike(a, b)
		if d < len(word) && (d < least || d == least && best != "" && like > likest) {
			best, least, likest = c, d, like
		}
	}
	return best
}

// DidYouMean returns ` (did you mean "x"?)` for the candidate that Suggest
// finds, and "" when there is none. It is made to end an error message.
func DidYouMean(word string, candidates []string) string {
	if s := Suggest(word, candidates); s != "" {
		return ` (did you mean "` + s + `"?)`
	}
	return ""
}

// Part is a part of a file, with the names that can stand in it.
type Part struct {
	Where string // such as "in bounds"
	Names []string
}

// Misplaced says of a name that a part of a file does not have which of its names may be
// meant, or in which other part it stands; "" if there is nothing to say. It is made to stand
// behind what is wrong.
func Misplaced(name string, here []string, others ...Part) string {
	for _, p := range others {
		if slices.Contains(p.Names, name) {
			return ": it stands " + p.Where
		}
	}
	if near := DidYouMean(name, here); near != "" {
		return near
	}
	for _, p := range others {
		if near := Suggest(name, p.Names); near != "" {
			return fmt.Sprintf(" (did you mean %q, which stands %s?)", near, p.Where)
		}
	}
	return ""
}

// alike is how many bytes two words have in common at their beginnings and ends.
func alike(a, b string) int {
	n, m := min(len(a), len(b)), 0
	for m < n && a[m] == b[m] {
		m++
	}
	for i := 1; m < n && a[len(a)-i] == b[len(b)-i]; i++ {
		m++
	}
	return m
}

// limit is the number of slips that a word of this length may have.
func limit(word string) int {
	switch n := len(word); {
	case n <= 4:
		return 1
	case n <= 7:
		return 2
	default:
		return 3
	}
}

// distance is the optimal string alignment distance of a and b, in bytes.
func distance(a, b string) int {
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
