package answertext

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
)

// guidance writes what guided executions, and what came of it.
func (p *Page) guidance(g *result.Guidance) {
	if g == nil {
		return
	}
	p.field("guided", fmt.Sprintf("by %s: %s, fired %s", text.Safe(g.File), text.Plural(g.Rules, "rule"), text.Plural(g.Fired, "time")))
	if g.Prevented > 0 {
		p.field("left out", fmt.Sprintf("%s, whose schedules the guide does not allow", text.Plural(g.Prevented, "execution")))
	}
	if t := g.Target; t != nil {
		how := ""
		if t.Schedule != nil {
			how = ", first by " + Schedule(*t.Schedule)
		}
		p.field("reached", fmt.Sprintf("%s: %s%s", strings.TrimPrefix(g.Of(), "reached "), text.Safe(t.Name), how))
	}
	p.field("held", held(g)...)
	p.field("nearest", g.Nearest...)
	p.field("never", places(g.Vacuous)...)
	p.field("conflict", places(g.Findings)...)
}

// mostHeld is how many messages on a way to a waypoint a text has. JSON has all of them.
const mostHeld = 20

// held says what was left unharmed.
func held(g *result.Guidance) (lines []string) {
	switch h := g.Held; {
	case h == nil:
	case h.Waypoints == 0:
		return []string{"nothing: waypoint 1 is not reached"}
	case len(h.Ways) == 0:
		return []string{fmt.Sprintf("every way to waypoint %d", h.Waypoints)}
	default:
		for i, w := range h.Ways {
			var by []string
			switch n := len(w.Messages); {
			case n > mostHeld:
				by = append(by, fmt.Sprintf("%s and %d more messages", strings.Join(w.Messages[:mostHeld-1], ", "), n-mostHeld+1))
			case n > 0:
				by = append(by, strings.Join(w.Messages, ", "))
			}
			if len(w.Processes) > 0 {
				by = append(by, strings.Join(w.Processes, ", ")+" up")
			}
			if len(w.Faults) > 0 {
				by = append(by, strings.Join(w.Faults, ", "))
			}
			if len(by) == 0 {
				by = []string{"nothing is needed"}
			}
			lines = append(lines, text.Safe(fmt.Sprintf("waypoint %d: %s", i+1, strings.Join(by, "; "))))
		}
	}
	return lines
}

// unreached says that no schedule within bounds reaches what a guide leads to.
func unreached(a *result.Answer) string {
	g := a.Guidance
	if g == nil || g.Target == nil || !g.Target.Never {
		return ""
	}
	name := g.Target.Name
	for _, w := range g.Waypoints {
		if w.Never {
			name = "waypoint " + w.Name
			break
		}
	}
	return "no schedule within the bounds reaches " + text.Safe(name)
}

// places returns warnings, each with its place.
func places(all []specs.Warning) (lines []string) {
	for _, w := range all {
		lines = append(lines, text.Safe(fmt.Sprintf("%s: %s", w.Position, w.Message)))
	}
	return lines
}
