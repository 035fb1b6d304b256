package bisect

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// skip notes that a version cannot be searched, and says so at once.
func (m *matrix) skip(i int, err error) {
	f := &m.Findings[i]
	f.State, f.Reason, f.Log = Skipped, oneLine(err.Error()), err.Error()
	m.skipped(i%len(m.versions), err)
}

// skipped reports that a version cannot be searched, unless that was reported.
func (r *run) skipped(i int, err error) {
	r.told.Lock()
	defer r.told.Unlock()
	if r.options.Skipped == nil || r.known[i] {
		return
	}
	r.known[i] = true
	r.options.Skipped(r.versions[i].Name, oneLine(err.Error()))
}

// oneLine returns the first line of an error text, and the number of further lines.
func oneLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	first, rest := strings.TrimSpace(lines[0]), lines[1:]
	if strings.HasSuffix(first, ":") && len(rest) > 0 {
		first, rest = first+" "+strings.TrimSpace(rest[0]), rest[1:]
	}
	if len(rest) == 0 {
		return first
	}
	return fmt.Sprintf("%s (%s: --output json)", first, text.Plural(len(rest), "more line"))
}
