package remote

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Lines that are there again and again are passed on once, with how often they were; what
// differs is passed on as it is.
func TestFolding(t *testing.T) {
	long := strings.Repeat("x", longestRow) + "\n"
	for name, c := range map[string]struct{ text, passed string }{
		"one line":          {strings.Repeat("no disk\n", 312) + "done\n", "no disk\n… 312 times\ndone\n"},
		"at the end":        {"a\n" + strings.Repeat("no disk\n", 3), "a\nno disk\n… 3 times\n"},
		"several in turn":   {strings.Repeat("stopping\nno disk\n", 100), "stopping\nno disk\n… these 2 lines 100 times\n"},
		"not to the end":    {strings.Repeat("a\nb\nc\n", 3) + "a\nb\nd\n", "a\nb\nc\n… these 3 lines 3 times\na\nb\nd\n"},
		"twice":             {"a\na\nb\n", "a\na\nb\n"},
		"nearly":            {"at 1\nat 2\nat 3\n", "at 1\nat 2\nat 3\n"},
		"first one, then":   {"a\na\na\na\nb\na\na\na\n", "a\n… 4 times\nb\na\n… 3 times\n"},
		"without an end":    {"a\na\na\na", "a\n… 3 times\na"},
		"long ones":         {"a\n" + long + long + "a\n", "a\n" + long + long + "a\n"},
		"nothing":           {"", ""},
		"many empty lines":  {"a\n\n\n\n\nb\n", "a\n\n… 4 times\nb\n"},
		"more than in turn": {strings.Repeat("1\n2\n3\n4\n5\n6\n7\n8\n9\n", 2), strings.Repeat("1\n2\n3\n4\n5\n6\n7\n8\n9\n", 2)},
	} {
		for _, size := range []int{1, 3, 1 << 20} { // of the parts in which it comes
			var out bytes.Buffer
			f := folding{to: &out}
			for text := c.text; text != ""; {
				n := min(size, len(text))
				_, _ = f.Write([]byte(text[:n]))
				text = text[n:]
			}
			f.end()
			require.Equal(t, c.passed, out.String(), "%s, in parts of %d", name, size)
		}
	}
}

// Nothing is lost: what is passed on can be written out again.
func TestNothingFoldedIsLost(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var text strings.Builder
		for range random.IntN(40) {
			fmt.Fprintf(&text, "%d\n", random.IntN(3))
		}
		var out bytes.Buffer
		f := folding{to: &out}
		_, _ = f.Write([]byte(text.String()))
		f.end()
		var lines []string
		for line := range strings.Lines(out.String()) {
			turn, times := 1, 0
			if _, err := fmt.Sscanf(line, "… these %d lines %d times", &turn, &times); err != nil {
				_, err = fmt.Sscanf(line, "… %d times", &times)
				if err != nil {
					lines = append(lines, line)
					continue
				}
			}
			of := lines[len(lines)-turn:]
			for range times - 1 {
				lines = append(lines, of...)
			}
		}
		require.Equal(t, text.String(), strings.Join(lines, ""), "passed on: %q", out.String())
	}
}
