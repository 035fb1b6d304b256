package generate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Model is a program with its bounds.
type Model struct {
	Name string // such as replog-fixed-p3-ph5, without spaces
	Text string
}

// Parse returns the program, and the bounds that it states.
func (m Model) Parse(t testing.TB) (*dedalus.Program, rounds.Bounds) {
	t.Helper()
	p, err := dedalus.ParseText(m.Name+".ded", m.Text)
	require.NoError(t, err, m.Name)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err, m.Name)
	return p, b
}

// writer collects the lines of a program.
type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// bounds writes the line of settings.
func (w *writer) bounds(processes []string, format string, args ...any) {
	w.line("// ldfi: processes=%s %s", strings.Join(processes, ","), fmt.Sprintf(format, args...))
}

// named returns p1 to pn.
func named(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("p%d", i+1)
	}
	return names
}

// majority is how many of n are more than a half.
func majority(n int) int { return n/2 + 1 }

// filled returns rules with numbers in place of words in capitals.
func filled(rules string, numbers map[string]int) string {
	for word, n := range numbers {
		rules = strings.ReplaceAll(rules, word, fmt.Sprint(n))
	}
	return rules
}
