package search

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Beyond returns the target as one that does not violate again what is known: the same
// properties or, of a panic and an exit, with the same cause. Whole executions are judged
// so, and strategies that look into processes are refused.
func (t *Target) Beyond(known []result.Violation) *Target {
	if len(known) == 0 {
		return t
	}
	beyond := *t
	beyond.past = known
	beyond.Open = func(eot int, record bool) (Executor, error) {
		x, err := t.Open(eot, record)
		return &passing{x, known}, err
	}
	return &beyond
}

// Known tells whether a violation is one of some that are known.
func Known(v result.Violation, known []result.Violation) bool {
	return slices.ContainsFunc(known, func(w result.Violation) bool {
		if len(v.Stack) > 0 && len(w.Stack) > 0 || v.Property != NoPanic && v.Property != NoExit {
			return Alike(v, w)
		}
		return v.Property == w.Property && cause(v) == cause(w)
	})
}

// propertiesOf are the properties that are violated, each once.
func propertiesOf(known []result.Violation) []string {
	var names []string
	for _, v := range known {
		if !slices.Contains(names, v.Property) {
			names = append(names, v.Property)
		}
	}
	return names
}

// cause is what a process said that panicked or ended its program.
func cause(v result.Violation) string {
	if len(v.Fact.Args) < 2 {
		return v.Text
	}
	return v.Fact.Args[1].Text()
}

// unknown returns the violations that are not known.
func unknown(all, known []result.Violation) []result.Violation {
	return slices.DeleteFunc(slices.Clone(all), func(v result.Violation) bool { return Known(v, known) })
}

// passing is an executor that does not tell what is known.
type passing struct {
	Executor
	known []result.Violation
}

func (p *passing) Execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	e, violations, err := p.Executor.Execute(ctx, s)
	return e, unknown(violations, p.known), err
}

func (p *passing) Extents(ctx context.Context, s rounds.Schedule, extents []int, goOn func(n int, violations []result.Violation) bool) error {
	return p.Executor.Extents(ctx, s, extents, func(n int, violations []result.Violation) bool { return goOn(n, unknown(violations, p.known)) })
}
