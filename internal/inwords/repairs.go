package inwords

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
)

// mostPresent is how many facts are named that must not be.
const mostPresent = 5

// Repairs says what is suggested, or why nothing is.
func Repairs(r *result.Repairs) []string {
	if len(r.Suggestions) == 0 {
		return append([]string{"no suggestion: " + r.Note}, present(r)...)
	}
	lines := []string{"suggestions: each was added to the program, which was decided within the same bounds; nothing but the promise was checked"}
	for i, s := range r.Suggestions {
		lines = append(lines, fmt.Sprintf("%d. %s: %s", i+1, buys(s), s.Text))
		for _, old := range s.Instead {
			lines = append(lines, fmt.Sprintf("     // in place of %s", old.Rule), fmt.Sprintf("     // (%s)", place(old.Position)))
		}
		for _, rule := range s.Rules {
			lines = append(lines, "     "+rule)
		}
		if len(s.Durable) > 0 {
			lines = append(lines, "     // ldfi: durable="+strings.Join(s.Durable, ","))
		}
	}
	if r.Undecided > 0 {
		lines = append(lines, fmt.Sprintf("not decided, at the limits on each: %s", plural.Of(r.Undecided, "further one")))
	}
	if r.Note != "" {
		lines = append(lines, r.Note)
	}
	return lines
}

// buys says what a suggestion buys, with the faults that break the promise then.
func buys(s result.Repair) string {
	if s.Verdict == result.Holds {
		return s.Buys
	}
	return fmt.Sprintf("%s (%s)", s.Buys, s.Schedule)
}

// present names the rules that derive what must not be.
func present(r *result.Repairs) (lines []string) {
	for i, d := range r.Present {
		if i == mostPresent && len(r.Present) > mostPresent+1 {
			last := r.Present[len(r.Present)-1]
			return append(lines, fmt.Sprintf("and so on, to %s (%s)", last.Fact, place(last.Position)))
		}
		how := "from which comes"
		if i == 0 {
			how = "there should not be"
		}
		lines = append(lines, fmt.Sprintf("%s %s, derived by %s (%s)", how, d.Fact, d.Rule, place(d.Position)))
	}
	return lines
}

// place is where a rule stands.
func place(p specs.Position) string { return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line) }
