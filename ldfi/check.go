package ldfi

import (
	"context"
	"time"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Check decides whether some schedule within the bounds makes the program break its
// promise. It returns an error when the question cannot be asked (a *[NoPromiseError],
// a program without a meaning under some schedule) and for a bug of ldfi. Limits and a
// cancelled context are no errors: the verdict is Inconclusive, or Violated if a
// violation was known by then. Bounds with within are asked by [Model.Within].
func (m *Model) Check(ctx context.Context) (*result.Answer, error) {
	start := time.Now()
	ask := m.check
	if number, asked := m.bounds.Quiet(); asked {
		ask = func(ctx context.Context) (*result.Answer, error) { return m.Within(ctx, number) }
	}
	a, err := ask(ctx)
	if err != nil {
		return nil, err
	}
	a.Stats.Times.Total = text.Milliseconds(time.Since(start))
	return a, nil
}

// check decides all rounds at once, and smaller numbers of rounds only if that reaches a
// limit, or takes long.
func (m *Model) check(ctx context.Context) (*result.Answer, error) {
	a := m.unanswered()
	fallback := m.deepenLater(ctx)
	defer fallback.stop()
	growth, err := m.full(ctx, a)
	if a.Limit = limitOf(ctx, err); err != nil && a.Limit == nil {
		return nil, err
	}
	if a.Verdict == result.Inconclusive {
		d, err := fallback.result()
		if err != nil {
			return nil, err
		}
		d.settle(a)
	}
	m.conclude(a, growth)
	return a, m.reach(ctx, a)
}

// conclude adds to an answer the number of decided rounds, and advice about a limit, given
// the sizes of the relations.
func (m *Model) conclude(a *result.Answer, growth []recording.Growth) {
	if a.Verdict != result.Inconclusive {
		a.Decided = m.bounds.EOT
	}
	if a.Limit != nil {
		advise(a.Limit, growth, a.Decided, m.bounds.EOT)
	}
}

// unanswered is the answer before anything is known but the text of the program.
func (m *Model) unanswered() *result.Answer {
	return &result.Answer{
		Verdict:  result.Inconclusive,
		Warnings: vet.Static(m.program, m.bounds),
		Scope:    result.ScopeOf(m.bounds),
	}
}

// full decides all rounds. Its findings before an error are in the answer. It returns the
// sizes of the relations.
func (m *Model) full(ctx context.Context, a *result.Answer) ([]recording.Growth, error) {
	q, err := newQuestion(ctx, m)
	if err != nil {
		return nil, err
	}
	err = q.answer(ctx, a)
	a.Stats = q.stats()
	return q.cost.growth, err
}

// answer adds the findings to an answer, also before an error.
func (q *question) answer(ctx context.Context, a *result.Answer) error {
	d, err := q.search(ctx, q.race)
	a.Warnings = q.warnings(a.Warnings)
	a.Counterexamples, a.Complete = d.found, d.complete
	if err == nil || len(d.found) > 0 {
		a.Verdict = d.verdict()
	}
	if err != nil {
		a.AtLeast = d.least
		return err
	}
	if q.supposing {
		if len(d.found) == 0 {
			err = q.nothing(ctx, a, d.views)
		}
		return err
	}
	a.Vacuity, err = q.vacuity(ctx, a.Counterexamples, d.views)
	return err
}

// decision is the result of a search: fault sets that break the promise, the smallest
// first, each confirmed.
type decision struct {
	found    []result.Counterexample
	complete bool  // no further minimal set exists
	least    int   // no set that breaks the promise has fewer faults
	views    views // of all schedules, or of some; nil if there was no end
}

// verdict returns the verdict of the decision if the search is complete.
func (d decision) verdict() result.Verdict {
	if len(d.found) > 0 {
		return result.Violated
	}
	return result.Holds
}

// search finds up to Options.Max fault sets of which no fault can be left out, in their
// order, and executes them. With an error the decision has the earlier findings.
func (q *question) search(ctx context.Context, decide func(context.Context, *knownSets) (decided, error)) (decision, error) {
	start := time.Now()
	s := newKnownSets(q.Model, q.tellStage)
	ended, err := decide(ctx, s)
	q.cost.searching += time.Since(start) - q.cost.evaluating
	q.cost.way = ended.way
	d := decision{complete: ended.complete, views: ended.views, least: s.bound()}
	for _, f := range s.findings() {
		c, wrong := q.confirm(ctx, f.units)
		if wrong != nil {
			return d, wrong
		}
		if f.smallest && !q.weighs() && (len(d.found) == 0 || c.Size == d.found[0].Size) {
			q.fewest(&c)
		}
		if wrong := q.needed(ctx, &c, f.units); wrong != nil {
			return d, wrong
		}
		d.found = append(d.found, c)
	}
	return d, err
}

// alone decides the question by circuit only.
func (q *question) alone(ctx context.Context, s *knownSets) (decided, error) {
	return q.byCircuit(ctx, s, effort{}, &circuitProgress{})
}
