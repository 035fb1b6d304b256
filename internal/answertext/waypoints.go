package answertext

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// Waypoints are the facts to reach on the way to another, with what they gain, or why there are none.
func Waypoints(f *result.Waypoints, style diagram.Style) *Page {
	p := newPage(string(f.Answer), waypointsAbout(f), style)
	if f.Answer == result.Possible {
		p.field("faults", fmt.Sprintf("%s  reach it in round %d", Schedule(f.Schedule), f.Round))
	}
	var facts, gains []string
	width := len("without")
	for _, w := range f.Waypoints {
		width = max(width, text.Width(w.Fact))
	}
	for i, w := range f.Waypoints {
		facts = append(facts, fmt.Sprintf("%d  %s  from round %d, in %d of %d drawn schedules", i+1, text.Pad(w.Fact, width), w.First, w.Drawn, w.Of))
	}
	p.field("reach", facts...)
	if f.Others > 0 && len(facts) > 0 {
		p.field("further", fmt.Sprintf("%s that hold before it always", text.Plural(f.Others, "fact")))
	}
	if f.Alone != nil {
		gains = append(gains, gainText(text.Pad("without", width+3), f.Alone))
		for i, w := range f.Waypoints {
			gains = append(gains, gainText(fmt.Sprintf("%d  %s", i+1, text.Pad(w.Fact, width)), w.Gain))
		}
		if len(f.Waypoints) > 1 {
			gains = append(gains, gainText(text.Pad("all", width+3), f.All))
		}
		gains = append(gains, f.Better)
	}
	p.field("drawn", gains...)
	var rules []string
	for _, w := range f.Waypoints {
		rules = append(rules, w.Rule)
	}
	p.field("guide", rules...)
	p.field("scope", f.Scope.Text)
	if f.Limit != nil {
		if f.Answer != result.Unknown {
			p.field("stopped", f.Limit.Reason)
		}
		p.field("try", strings.Join(f.Limit.Advice, "; or "))
	}
	return p
}

func waypointsAbout(f *result.Waypoints) string {
	switch {
	case f.Answer == result.Unknown:
		return f.Limit.Reason
	case f.Answer == result.Impossible:
		return fmt.Sprintf("no schedule within the bounds reaches %s", f.Fact)
	case f.Limit != nil:
		return fmt.Sprintf("%s is reached; what holds before it is not known", f.Fact)
	case len(f.Waypoints) == 0:
		return fmt.Sprintf("%s is reached, and no fact holds before it always but those of all schedules", f.Fact)
	default:
		return fmt.Sprintf("%s is reached only after %s", f.Fact, text.Plural(len(f.Waypoints), "waypoint"))
	}
}

// gainText is how many executions it takes, as a mean with its deviation.
func gainText(name string, g *result.Gain) string {
	line := fmt.Sprintf("%s  %8.1f ± %.1f", name, g.Mean, g.Deviation)
	if g.Reached < g.Seeds {
		line += fmt.Sprintf("  (%d of %d seeds reached it within %s)", g.Reached, g.Seeds, text.Plural(g.Most, "execution"))
	}
	return line
}
