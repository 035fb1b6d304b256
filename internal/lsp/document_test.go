package lsp

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// Random changes of a text come to what they come to in the units of the protocol, whatever
// ends its lines and whatever characters it has.
func TestChangesOfRanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"a", "é", "😀", "\n", "\r\n", "\r", "\"", "b c"}
	piece := func(most int) string {
		var b strings.Builder
		for range random.IntN(most + 1) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 2000 {
		text := piece(20)
		d := newDocument("x.ded", "", text)
		units := utf16.Encode([]rune(text))
		from, to := boundary(random, units), boundary(random, units)
		if from > to {
			from, to = to, from
		}
		inserted := piece(3)
		want := string(utf16.Decode(slices.Concat(units[:from], utf16.Encode([]rune(inserted)), units[to:])))
		got := d.change([]change{{&span{naive(units, from), naive(units, to)}, inserted}})
		require.Equal(t, want, got.text, "%q %d %d %q", text, from, to, inserted)
		offset := len(string(utf16.Decode(units[:from])))
		require.Equal(t, naive(units, from), d.position(offset), "%q %d", text, from)
		require.Equal(t, offset, d.offset(d.position(offset)))
	}
}

// boundary returns a place between two characters, and not between CR and LF.
func boundary(random *rand.Rand, units []uint16) int {
	for {
		at := random.IntN(len(units) + 1)
		inside := at > 0 && at < len(units) && (utf16.IsSurrogate(rune(units[at])) && units[at] >= 0xdc00 || units[at-1] == '\r' && units[at] == '\n')
		if !inside {
			return at
		}
	}
}

// naive returns the position of a unit.
func naive(units []uint16, at int) position {
	var p position
	for i, u := range units[:at] {
		p.Character++
		if u == '\n' || u == '\r' && (i+1 == len(units) || units[i+1] != '\n') {
			p = position{p.Line + 1, 0}
		}
	}
	return p
}

// An edit of a text makes the other one, and leaves alone the lines before and behind.
func TestEdits(t *testing.T) {
	for _, c := range []struct{ old, new, replaced, by string }{
		{"a\nb\nc\n", "a\nB\nc\n", "b\n", "B\n"},
		{"a\nb\nc\n", "a\nc\n", "b\n", ""},
		{"a\nc\n", "a\nb\nc\n", "", "b\n"},
		{"a\na\na\n", "a\na\n", "a\n", ""},
		{"a\na\n", "a\na\na\n", "", "a\n"},
		{"a", "a\n", "a", "a\n"},
		{"", "a\n", "", "a\n"},
		{"a\n", "", "a\n", ""},
		{"\n\na\n", "a\n", "\n\n", ""},
		{"a\r\nb\r\n", "a\nb\n", "a\r\nb\r\n", "a\nb\n"},
	} {
		d := newDocument("x.ded", "", c.old)
		edits := d.edits(c.new)
		require.Len(t, edits, 1)
		from, to := d.offset(edits[0].Range.Start), d.offset(edits[0].Range.End)
		require.Equal(t, c.replaced, c.old[from:to], "%q %q", c.old, c.new)
		require.Equal(t, c.by, edits[0].NewText)
		require.Equal(t, c.new, c.old[:from]+edits[0].NewText+c.old[to:])
	}
	require.Empty(t, newDocument("x.ded", "", "a\n").edits("a\n"))
}
