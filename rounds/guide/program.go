package guide

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// ofSystems are the heads that no program can follow, and why.
var ofSystems = map[string]string{
	"lie":   "the messages of a program are facts, which System.Lies knows nothing of",
	"pause": "a process of a program cannot be paused",
	"tick":  "a program has no timers that tick",
	"ask":   "a program has no clients: let it choose what is asked",
}

// SteeringOf returns a steering of executions of a program within bounds. The error has the rules that
// decide what can only happen to systems.
func (g *Guide) SteeringOf(p *dedalus.Program, b rounds.Bounds) (*Steering, error) {
	var errs specs.Errors
	for _, r := range g.rules {
		if why := ofSystems[r.head]; r.decides && why != "" {
			errs = append(errs, &specs.Error{Position: r.source.Position, Message: r.head + " is for systems: " + why, Excerpt: g.lines[r.source.Position.Line-1]})
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	run, err := g.NewRun(b, p.ProcessValue)
	if err != nil {
		return nil, err
	}
	return &Steering{seen: map[stream]int{}, run: run, eot: b.EOT, bounds: b}, nil
}

// Text returns the text of the guide.
func (g *Guide) Text() string { return strings.Join(g.lines, "\n") }

// Without returns a guide in which some rules, by their index, decide nothing.
func (g *Guide) Without(rules ...int) *Guide {
	less := *g
	less.rules = slices.Clone(g.rules)
	for i, r := range less.rules {
		own := *r
		own.decides = own.decides && !slices.Contains(rules, i)
		less.rules[i] = &own
	}
	less.compile()
	return &less
}
