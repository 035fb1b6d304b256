package etcdraft

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Figures is with how many seeds the page of figures is measured and written.
func Figures() int { return *figures }

// WriteSections writes a page of the catalogue: what comes before its first section, unless that is empty, and these
// sections in place of those with the same headings. Others stay as they are.
func WriteSections(t *testing.T, page, text string) {
	t.Helper()
	was, err := os.ReadFile(page)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(page, []byte(withSections(string(was), text)), 0o644))
}

func withSections(was, text string) string {
	const begins = "\n## "
	old, own := strings.Split(was, begins), strings.Split("\n"+strings.TrimRight(text, "\n")+"\n", begins)
	if head := strings.TrimPrefix(own[0], "\n"); head != "" {
		old[0] = head
	}
	heading := func(section string) string { first, _, _ := strings.Cut(section, "\n"); return first }
	for _, section := range own[1:] {
		i := slices.IndexFunc(old[1:], func(o string) bool { return heading(o) == heading(section) })
		if i < 0 {
			old, i = append(old, ""), len(old)-1
		}
		old[1+i] = section
	}
	for i := range old[:len(old)-1] {
		old[i] = strings.TrimRight(old[i], "\n") + "\n"
	}
	return strings.Join(old, begins)
}

// Sections of a page are replaced by their headings, others stay, and new ones come last.
func TestSections(t *testing.T) {
	page := withSections("# Page\n\nOld.\n\n## One\n\n1\n\n## Two\n\n2\n", "# Page\n\nNew.\n\n## One\n\none\n")
	require.Equal(t, "# Page\n\nNew.\n\n## One\n\none\n\n## Two\n\n2\n", page)
	require.Equal(t, page+"\n## Three\n\n3\n", withSections(page, "## Three\n\n3\n"))
	require.Equal(t, page, withSections(page, "## One\n\none\n\n## Two\n\n2\n"))
}
