package answertext

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// mostGone is how many facts are named that there are no more.
const mostGone = 3

// Repairs says what is suggested, or why nothing is.
func Repairs(r *result.Repairs) []string {
	if len(r.Suggestions) == 0 {
		return slices.Concat([]string{"no suggestion: " + r.Note}, ended(r), tried(r), fewer(r), present(r))
	}
	lines := []string{"suggestions: ldfi made each change and decided the program again within the same bounds; it checked only the promise"}
	for i, s := range r.Suggestions {
		lines = append(lines, fmt.Sprintf("%d. %s: %s", i+1, buys(s), s.Text))
		lines = append(lines, change(s)...)
		lines = append(lines, loses(s, r.Good)...)
	}
	lines = append(lines, ended(r)...)
	if r.Undecided > 0 {
		lines = append(lines, fmt.Sprintf("not decided within the limits for each: %s", text.Plural(r.Undecided, "further one")))
	}
	if r.Note != "" {
		lines = append(append(lines, r.Note), present(r)...)
	}
	return lines
}

// loses says what good executions lose by a change.
func loses(s result.Repair, good int) (lines []string) {
	var texts []string
	for i, l := range s.Loses {
		if i == mostGone && len(s.Loses) > mostGone+1 {
			texts = append(texts, fmt.Sprintf("%d others", len(s.Loses)-i))
			break
		}
		text := l.Relation
		if l.Process != "" {
			text += " of " + l.Process
		}
		texts = append(texts, fmt.Sprintf("%s (in %d: %s)", text, l.Executions, under(l.Schedule)))
	}
	if len(texts) > 0 {
		lines = append(lines, fmt.Sprintf("     // of %d good executions, without faults or with one, some lose %s", good, text.List(texts, "and")))
	}
	return lines
}

// under names the faults of a good execution.
func under(s rounds.Schedule) string {
	if s.Size() == 0 {
		return "without faults"
	}
	return s.String()
}

// ended says what is not suggested because something would end.
func ended(r *result.Repairs) (lines []string) {
	for _, s := range r.Ends {
		var ends []string
		for _, l := range s.Ends {
			ends = append(ends, fmt.Sprintf("%s (in %d of %d good executions nobody takes over any more: %s)", l.Relation, l.Executions, r.Good, under(l.Schedule)))
		}
		lines = append(lines, fmt.Sprintf("would end %s: %s", text.List(ends, "and"), s.Text))
		lines = append(lines, change(s)...)
	}
	return lines
}

// phrases are what the kinds of repairs do.
var phrases = map[string]string{
	"resend": "sent again until acknowledged", "relay": "passed on by whoever has it", "everybody": "sent to everybody", "copy": "kept and passed on by others",
	"remember": "remembered", "durable": "durable", "threshold": "a larger threshold", "constant": "another number", "without": "a rule left out", "acknowledge": "the promise waits for acknowledgements",
}

// tried says what was tried in vain, and which faults stand in the way.
func tried(r *result.Repairs) (lines []string) {
	var all []string
	for _, k := range r.Kinds {
		all = append(all, fmt.Sprintf("%s (%d)", phrases[k.Kind], k.Tried))
	}
	if len(all) > 0 {
		lines = append(lines, "tried, alone and together: "+strings.Join(all, ", "))
	}
	if r.Vain > 0 {
		lines = append(lines, fmt.Sprintf("%d of the %d change what the promise asks for without faults, or make it ask for nothing", r.Vain, r.Tried))
	}
	if r.Resists != nil {
		lines = append(lines, fmt.Sprintf("%d of the %d still break under the faults %s", r.Resists.Breaks, r.Tried, r.Resists.Schedule))
	}
	return lines
}

// fewer says without which faults the promise holds.
func fewer(r *result.Repairs) (lines []string) {
	for _, f := range r.Fewer {
		within := fmt.Sprintf("without %s (--%s 0)", f.Kind, f.Kind)
		if f.Repair == nil {
			lines = append(lines, within+" the promise holds as the program is")
			continue
		}
		lines = append(lines, within+" it holds with this change: "+f.Repair.Text)
		lines = append(lines, change(*f.Repair)...)
	}
	return lines
}

// change is what a suggestion changes, as the text of a program.
func change(s result.Repair) (lines []string) {
	how := "in place of"
	if len(s.Rules) == 0 {
		how = "without"
	}
	for _, old := range s.Instead {
		lines = append(lines, fmt.Sprintf("     // %s %s", how, old.Rule), fmt.Sprintf("     // (%s)", place(old.Position)))
	}
	for _, rule := range s.Rules {
		lines = append(lines, "     "+rule)
	}
	if len(s.Durable) > 0 {
		lines = append(lines, "     // ldfi: durable="+strings.Join(s.Durable, ","))
	}
	if len(s.Gone) > 0 {
		lines = append(lines, "     // with this change, the faults that broke the promise no longer lead to "+gone(s.Gone))
	}
	return lines
}

// gone names the first facts of some.
func gone(facts []recording.Fact) string {
	var names []string
	for i, f := range facts {
		if i == mostGone && len(facts) > mostGone+1 {
			names = append(names, fmt.Sprintf("%d others", len(facts)-i))
			break
		}
		names = append(names, f.String())
	}
	return text.List(names, "or")
}

// buys says what a suggestion buys, with the faults that break the promise then.
func buys(s result.Repair) string {
	if s.Verdict == result.Holds {
		return s.Buys
	}
	return fmt.Sprintf("%s (%s)", s.Buys, s.Schedule)
}

// present names the rules that derive what must not be, each once, those nearest to the
// promise first: any of them may be the one that is wrong.
func present(r *result.Repairs) (lines []string) {
	last := len(r.Present) - 1
	if last < 0 {
		return nil
	}
	lines = append(lines, fmt.Sprintf("rules that led to %s (%s), the nearest first; any of them may be wrong:", r.Present[last].Fact, place(r.Present[last].Position)))
	seen := map[specs.Position]bool{r.Present[last].Position: true}
	for _, d := range slices.Backward(r.Present) {
		if seen[d.Position] {
			continue
		}
		seen[d.Position] = true
		lines = append(lines, fmt.Sprintf("  %s by %s (%s)", d.Fact, d.Rule, place(d.Position)))
	}
	if len(lines) == 1 {
		return []string{fmt.Sprintf("%s should not hold; it comes from %s (%s)", r.Present[last].Fact, r.Present[last].Rule, place(r.Present[last].Position))}
	}
	return lines
}

// place is where a rule stands.
func place(p specs.Position) string { return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line) }
