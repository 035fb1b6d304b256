package bisect

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/stretchr/testify/require"
)

// The block of what differs stays one of lines of a limited width, whatever the
// versions are called and whatever they send; names and events begin in their
// columns, and what differs can be seen.
func TestDifferBlock(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for _, c := range []struct{ before, after, event, other string }{
		{"v1", "v2", "a > b: m(1)", "a > b: m(2)"},
		{"github.com/coreos/etcd/raft@v3.3.0+incompatible", "go.etcd.io/etcd/raft/v3@v3.5.0", "a > b: m(1)", "a > b: m(2)"},
		{long + "1" + long, long + "2" + long, long + "x" + long, long + "y" + long},
		{"日本" + long, "\x1b[2J\xff", "a > b: m(\"\x00\x01\n\xff" + long + "\")", strings.Repeat("日", 200)},
	} {
		change := Change{Before: c.before, After: c.after, Divergence: &execution.Divergence{Round: 2, Before: []string{c.event}, After: []string{c.other}}}
		m := &Matrix{Findings: make([]Finding, 2), Changes: []Change{change}}
		var b bytes.Buffer
		change.text(&b, m)
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		require.Len(t, lines, 4, b.String())
		left, right := lines[2], lines[3]
		require.NotEqual(t, left, right)
		for _, line := range lines {
			require.LessOrEqual(t, text.Width(line), 122, line)
		}
		_, first, _ := strings.Cut(strings.TrimSpace(left), "  ")
		_, second, _ := strings.Cut(strings.TrimSpace(right), "  ")
		require.NotEqual(t, strings.TrimSpace(first), strings.TrimSpace(second))
		r := &Report{Matrices: []*Matrix{m}}
		var page bytes.Buffer
		require.NoError(t, r.WriteMarkdown(&page))
		_, block, _ := strings.Cut(page.String(), "```diff\n")
		block, _, _ = strings.Cut(block, "```")
		require.Equal(t, 2, strings.Count(block, "\n"), fmt.Sprint(page.String()))
	}
}
