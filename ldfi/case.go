package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/cases"
	"github.com/lineage-driven/ldfi/provenance"
)

// caseOf returns a case, given the units that are on, or off.
func caseOf(given []provenance.Given) cases.Case {
	var c cases.Case
	for _, g := range given {
		if g.On {
			c.On = append(c.On, g.Unit)
		} else {
			c.Off = append(c.Off, g.Unit)
		}
	}
	slices.Sort(c.On)
	slices.Sort(c.Off)
	return c
}

// given returns the units that are on, or off.
func givenOf(c cases.Case) []provenance.Given {
	var given []provenance.Given
	for _, unit := range c.On {
		given = append(given, provenance.Given{Unit: unit, On: true})
	}
	for _, unit := range c.Off {
		given = append(given, provenance.Given{Unit: unit})
	}
	return given
}

// here decides cases in this process, each as far as its conditions are not much work.
type here struct{ *question }

func (h here) Slots() int { return h.options.Workers }

func (h here) Decide(ctx context.Context, c cases.Case, _ func(cases.Outcome) error) (cases.Outcome, error) {
	v, err := h.caseView(ctx, h.Model, givenOf(c))
	if outOfEffort(err) {
		return cases.Outcome{TooMuch: true, Limit: err}, nil
	}
	if err != nil {
		return cases.Outcome{}, err
	}
	defer func() { h.cost.calls.Add(int64(v.calls)) }()
	return v.outcome(ctx, c.Max)
}

// caseView evaluates a case.
func (q *question) caseView(ctx context.Context, m *Model, given []provenance.Given) (*view, error) {
	limits := q.asking()
	limits.Given, limits.MaxSteps, limits.Whether = given, caseWork, q.gist()
	graph, err := q.evaluate(ctx, limits)
	if err != nil {
		return nil, err
	}
	return m.newView(graph, q.promise, q.assumed)
}
