package answertext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Sets says how many fault sets there are that have at most so many faults, 0 for any
// number, and how many of these are listed.
func Sets(a *result.Answer, size int) string {
	n, of, these := len(a.Counterexamples), "", "this is the first"
	if n > 1 {
		these = fmt.Sprintf("these are the first %d", n)
	}
	if size > 0 {
		of = " of at most " + text.Plural(size, "fault")
	}
	grouped := ""
	if len(a.Groups) > 0 {
		grouped = " in " + text.Plural(len(a.Groups), "group")
		these += "," + grouped
	}
	switch {
	case a.Verdict == result.Inconclusive:
		return a.Limit.Reason
	case n == 0:
		return fmt.Sprintf("no fault set%s within the bounds breaks the promise under these assumptions", of)
	case a.Complete:
		return fmt.Sprintf("by %s%s, no further ones%s", text.Plural(n, "fault set"), grouped, of)
	case a.Limit != nil:
		return fmt.Sprintf("by %s, then stopped: %s", text.Plural(n, "fault set"), a.Limit.Reason)
	case a.Count == nil:
		return "by " + text.Plural(n, "fault set")
	case a.Count.Exact:
		return fmt.Sprintf("by %s%s, of which %s (--max)", text.Plural(a.Count.Sets, "fault set"), of, these)
	default:
		return fmt.Sprintf("by at least %s%s, of which %s (--max)", text.Plural(a.Count.Sets, "fault set"), of, these)
	}
}

// Broken names the first violation and counts the others.
func Broken(violations []result.Violation) string {
	text := violations[0].String()
	if more := len(violations) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// Rank is what a fault set is ranked by: what it costs, or how many faults it has.
func Rank(c result.Counterexample) string {
	if c.Cost > 0 {
		return fmt.Sprintf("cost %d", c.Cost)
	}
	return fmt.Sprint(c.Size)
}

// Cuts says what the faults of a set do to what it breaks.
func Cuts(c result.Counterexample, processes []string) string {
	var texts []string
	for i, cut := range c.Cuts {
		if slices.ContainsFunc(c.Cuts[:i], func(before result.Cut) bool { return covers(before, cut) }) {
			continue
		}
		text := cut.String()
		if cut.Fact.Compare(c.Violations[0].Fact) != 0 { // what asks for it
			text += fmt.Sprintf(", else %s would not hold", recording.Display(cut.Fact, processes))
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// covers tells whether a cut says all that another does, of the same faults and more: the
// restart after a crash says nothing beside that.
func covers(cut, other result.Cut) bool {
	return cut.Fact.Compare(other.Fact) == 0 && cut.Missing == other.Missing &&
		slices.Equal(cut.Messages, other.Messages) && slices.Equal(cut.Effects, other.Effects) &&
		!slices.ContainsFunc(other.Fault.Faults, func(f rounds.Fault) bool { return !slices.Contains(cut.Fault.Faults, f) })
}

// Unneeded says which faults of a set are there only because they are required; nothing if
// none are.
func Unneeded(c result.Counterexample) string {
	if len(c.Unneeded.Faults) == 0 {
		return ""
	}
	return fmt.Sprintf("; also breaks without %s", c.Unneeded)
}

// mostSame is how many other names of a group are listed.
const mostSame = 4

// Group says what the sets of a group have in common, and how many they are.
func Group(g result.Group) []string {
	if g.Sets == 1 {
		return []string{"alone: " + g.Text}
	}
	lines := []string{fmt.Sprintf("%s: %s", text.Plural(g.Sets, "set"), g.Text)}
	if same := Same(g); same != "" {
		lines = append(lines, same)
	}
	return lines
}

// Same says under which other names of processes a group is the same; nothing if under
// none.
func Same(g result.Group) string {
	same := g.Same[:min(len(g.Same), mostSame)]
	if len(same) == 0 {
		return ""
	}
	s := "the same with " + strings.Join(same, "; ")
	if more := len(g.Same) - len(same); more > 0 {
		s += "; and in " + text.Plural(more, "more way")
	}
	return s
}
