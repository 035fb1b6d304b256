package search

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// watch returns a watch of the facts in the rules of a property. It returns nil for a
// function.
func watch(c *property.Checker) *datalog.Watch {
	rules := c.Rules()
	if rules == nil {
		return nil
	}
	rules.Watch = datalog.NewWatch(rules.Compiled)
	return rules.Watch
}

// Vacuity adds to an answer the facts in properties that never came about in any execution.
// It adds nothing for functions, or if a property is violated, because the search has not
// seen everything.
func (s *Session) Vacuity(a *result.Answer) {
	if a.Verdict == result.Violated || a.Search.Executions == 0 && a.Verdict != result.Holds {
		return
	}
	where, can := fmt.Sprintf("in any of %s", text.Plural(a.Search.Executions, "execution")), "could"
	if a.Verdict == result.Holds {
		where, can = "under any schedule within the bounds", "can"
	}
	var vacuous []string
	if excluded := schedules.Excluded(s.Bounds); excluded != "" {
		vacuous = append(vacuous, excluded)
	}
	for i, w := range s.Watches {
		if w == nil {
			continue
		}
		name := s.Properties[i].Name
		if s.Properties[i].Covers {
			for _, atom := range w.Unseen() {
				a.Warnings = append(a.Warnings, specs.Warning{Position: specs.Position{File: name}, Message: fmt.Sprintf("%s had no fact %s: this never held, or was never reached", atom, where)})
			}
			continue
		}
		if missing := w.Underivable(); missing != nil {
			vacuous = append(vacuous, fmt.Sprintf("%s: violation %s never be derived: %s had no fact %s", name, can, strings.Join(missing, ", "), where))
		}
		if w.Unasked() {
			vacuous = append(vacuous, fmt.Sprintf("%s: pre never came about %s, so post was never asked for", name, where))
		}
		if rule := w.Follows(); rule != nil {
			vacuous = append(vacuous, fmt.Sprintf("%s: post follows from pre by one rule (%s), so no fault can break it", name, rule.Position))
		}
		missing, reported := w.Unread()
		for _, relation := range missing {
			a.Warnings = append(a.Warnings, specs.Warning{
				Position: specs.Position{File: name},
				Message:  fmt.Sprintf("it reads %s, which no process reported %s%s", relation, where, text.DidYouMean(relation, reported)),
			})
		}
	}
	a.Vacuity = strings.Join(vacuous, "; ")
}
