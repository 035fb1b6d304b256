package answertext

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// WhatIf is what makes a fact appear, or vanish, or why nothing does.
func WhatIf(f *result.WhatIf, d Drawing) (*Page, error) {
	p := newPage(string(f.Answer), whatIfAbout(f), d.Style)
	width := scheduleWidth(f.Sets)
	for i, c := range f.Sets {
		name := "faults"
		if i > 0 {
			name = "or"
		}
		p.field(name, text.Pad(Schedule(c.Schedule), width)+"  "+doingText(c))
	}
	p.field("further", furtherText(f))
	p.field("so far", SoFar(f))
	p.field("conflict", Conflict(f.Conflict, len(f.Require)+len(f.Forbid)))
	p.field("scope", f.Scope.Text+decidedEnd(f))
	p.field("vacuous", f.Vacuity)
	p.listed(f.Search)
	p.cost(f.Stats)
	if f.Limit != nil {
		if f.Answer != result.Unknown {
			p.field("stopped", f.Limit.Reason)
		}
		p.field("try", strings.Join(f.Limit.Advice, "; or "))
	}
	if len(f.Sets) > 0 {
		first := f.Sets[0]
		p.field("because", first.Because...)
		if err := p.diagram(first.Execution, first.Violations, d); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func whatIfAbout(f *result.WhatIf) string {
	switch f.Answer {
	case result.Possible:
		return Broken(f.Sets[0].Violations)
	case result.Unknown:
		return f.Limit.Reason
	}
	text := fmt.Sprintf("no fault set within the bounds makes %s %s", f.Fact, doing(f))
	if f.Conflict != nil {
		text += " under these assumptions"
	}
	return text
}

// doing is what a fact is to do.
func doing(f *result.WhatIf) string {
	if f.Absent {
		return "vanish"
	}
	return "appear"
}

// doingText says how many faults a set has that does what is asked for, and whether fewer
// could do.
func doingText(c result.Counterexample) string {
	switch {
	case c.Size == 0 && c.Schedule.Choices() > 0:
		return "it is so without faults, with these choices"
	case c.Size == 0:
		return "it is so without faults"
	case len(c.Unneeded.Faults) > 0:
		return fmt.Sprintf("%s, of which %s is not needed; executed and confirmed", text.Plural(c.Size, "fault"), c.Unneeded)
	}
	return c.Minimality() + "; executed and confirmed"
}

// furtherText says of several sets whether these are all.
func furtherText(f *result.WhatIf) string {
	switch {
	case len(f.Sets) < 2 || f.Limit != nil:
		return ""
	case f.Complete:
		return "none"
	default:
		return "there are more (--max)"
	}
}

// decidedEnd says whether all of the scope is decided.
func decidedEnd(f *result.WhatIf) string {
	switch {
	case f.Answer == result.Unknown:
		return ", not all decided"
	case f.Limit != nil:
		return ""
	default:
		return ", all decided"
	}
}

// SoFar says of a search that was stopped how many faults are needed at least, and how
// many are enough; nothing of one that was not.
func SoFar(f *result.WhatIf) string {
	if f.Limit == nil {
		return ""
	}
	enough := "no fault set was found"
	if len(f.Sets) > 0 {
		enough = fmt.Sprintf("%d are enough", f.Sets[0].Size)
	}
	if f.AtLeast == 0 {
		return enough
	}
	needed := "at least 1 fault is needed"
	if f.AtLeast > 1 {
		needed = fmt.Sprintf("at least %d faults are needed", f.AtLeast)
	}
	return needed + "; " + enough
}
