package answertext

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// Confirmation is how often programs as they are break a promise under a schedule.
type Confirmation struct {
	Seen       int                  `json:"seen"`               // the number of executions that broke it
	Executions int                  `json:"executions"`         // altogether
	Schedule   rounds.Schedule      `json:"schedule"`           // with the starts and latencies that the seed says
	Property   string               `json:"property,omitempty"` // that the finding violates, which counts alone; none: any does
	Round      string               `json:"round"`              // how long a round lasted
	Outcomes   result.List[Variant] `json:"outcomes"`           // what was seen, the most frequent first
	Notes      result.List[string]  `json:"notes"`              // in what the executions differ from the schedule, each a sentence
	Stopped    string               `json:"stopped,omitempty"`  // what ended it before all executions were made
}

// Variant is how some executions went alike.
type Variant struct {
	Executions int                           `json:"executions"` // how many
	Later      result.List[int]              `json:"later"`      // by how many rounds the faults were later in each of them
	Violations result.List[result.Violation] `json:"violations"` // of the first of them; none: the promise was kept
	Seen       bool                          `json:"seen"`       // it is what the finding says
}

// numbers are what executions that go alike differ in, such as rounds and ports.
var numbers = regexp.MustCompile(`[0-9]+`)

// Add adds an execution whose faults were some rounds later, with its violations, and what is
// odd about it.
func (c *Confirmation) Add(later int, violations []result.Violation, odd []string) {
	for _, note := range odd {
		if !slices.ContainsFunc(c.Notes, func(known string) bool { return sameText(known, note) }) {
			c.Notes = append(c.Notes, note)
		}
	}
	seen := slices.ContainsFunc(violations, func(v result.Violation) bool { return c.Property == "" || v.Property == c.Property })
	c.Executions++
	if seen {
		c.Seen++
	}
	i := slices.IndexFunc(c.Outcomes, func(o Variant) bool { return alike(o.Violations, violations) })
	if i < 0 {
		i = len(c.Outcomes)
		c.Outcomes = append(c.Outcomes, Variant{Violations: violations, Seen: seen})
	}
	c.Outcomes[i].Executions++
	c.Outcomes[i].Later = append(c.Outcomes[i].Later, later)
	slices.SortStableFunc(c.Outcomes, func(a, b Variant) int { return cmp.Compare(b.Executions, a.Executions) })
}

func alike(some, others []result.Violation) bool {
	return slices.EqualFunc(some, others, func(v, w result.Violation) bool {
		return v.Property == w.Property && sameText(v.Text, w.Text)
	})
}

func sameText(a, b string) bool {
	return numbers.ReplaceAllString(a, "#") == numbers.ReplaceAllString(b, "#")
}

// Page is the confirmation in words, with the command that made it.
func (c *Confirmation) Page(again string, style diagram.Style) *Page {
	verdict, about := "seen", fmt.Sprintf("in %d of %s", c.Seen, text.Plural(c.Executions, "execution"))
	if c.Seen == 0 {
		verdict, about = "not seen", "in "+text.Plural(c.Executions, "execution")
	}
	p := newPage(verdict, about+" of the programs as they are", style)
	p.field("faults", Schedule(c.Schedule))
	var broken, others []string
	for _, o := range c.Outcomes {
		line := "nothing"
		if len(o.Violations) > 0 {
			line = Broken(o.Violations)
		}
		line = fmt.Sprintf("%d× %s%s", o.Executions, line, laterText(o.Later))
		if o.Seen {
			broken = append(broken, line)
		} else {
			others = append(others, line)
		}
	}
	p.field("broken", broken...)
	p.field("else", others...)
	p.field("rounds", "of "+c.Round+", on real clocks, sockets and disks, without the overlay")
	p.field("but", c.Notes...)
	p.field("stopped", c.Stopped)
	p.field("again", again)
	return p
}

// laterText says by how many rounds the faults were later, if they were.
func laterText(later []int) string {
	least, most := slices.Min(later), slices.Max(later)
	switch {
	case most == 0:
		return ""
	case least == most:
		return fmt.Sprintf(" (faults %s later)", text.Plural(most, "round"))
	}
	return fmt.Sprintf(" (faults %d to %s later)", least, text.Plural(most, "round"))
}
