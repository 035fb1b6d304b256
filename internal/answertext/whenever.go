package answertext

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Whenever lists the sets of faults that break a promise in any number of rounds, each with a schedule that was executed.
func Whenever(a *result.Answer, d Drawing) (*Page, error) {
	if a.Verdict != result.Violated {
		return Answer(a, nil, d)
	}
	others := "; a proof for any number of rounds excludes others"
	if a.Rounds.Others != "" {
		others = ""
	}
	p := newPage(string(a.Verdict), fmt.Sprintf("by %s, whenever they happen%s", text.Plural(len(a.Rounds.Sets), "fault set"), others), d.Style)
	for i, s := range a.Rounds.Sets {
		c := a.Counterexamples[i]
		name := strings.Join(s.Faults, "; ")
		switch {
		case len(s.Faults) == 0:
			name = "none: it fails without faults"
		case !s.Minimal:
			name += "   (whether all are needed is not known)"
		}
		p.ofSet("whenever", name)
		p.ofSet("as in", fmt.Sprintf("%s   %s", Schedule(c.Schedule), Broken(c.Violations)))
	}
	p.field("others", a.Rounds.Others)
	p.field("scope", a.Scope.Text)
	for _, c := range a.Rounds.Clocks {
		p.field("clock", fmt.Sprintf("%s is counted up to %d: no rule tells larger numbers apart (%s)", c.Relation, c.Most, c.Position))
	}
	return p, nil
}
