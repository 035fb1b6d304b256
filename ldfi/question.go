package ldfi

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance/explain"
)

// question is the question whether a model keeps its promise, perhaps under assumptions; or
// whether it can give a wanted fact, or fail to.
type question struct {
	*Model
	spoken    []string            // relations that the rules for violation speak about
	also      []string            // relations that are evaluated in addition to those of the promise
	assumed   []*assumption       // that the schedules searched for meet
	supposing bool                // sets are to be listed, and not only whether there are any
	lists     bool                // and each set gets the effects of its faults
	causes    map[string][]effect // effects of faults, by schedule
	brief     bool                // counterexamples need no execution and no reason

	promise   *promise
	executor  *executor
	faultless []result.Violation // the violations without faults
	outlook   *view              // of all schedules, for reasons; nil if there are too many, or they are not evaluated yet
	large     bool               // they are too many
	explainer *explain.Explainer // of the last execution
	cost      cost
}

// newQuestion prepares the question and executes the run without faults.
func newQuestion(ctx context.Context, m *Model) (*question, error) {
	promised, err := m.promised()
	if err != nil {
		return nil, err
	}
	q, err := newQuestionOf(ctx, m, promised)
	if err != nil {
		return nil, err
	}
	q.spoken = spokenOf(m.program)
	return q, nil
}

// newQuestionOf is newQuestion of another promise than that of the program.
func newQuestionOf(ctx context.Context, m *Model, w *promise) (*question, error) {
	x, faultless, err := newExecutorOf(ctx, m, w)
	if err != nil {
		return nil, err
	}
	return &question{Model: m, promise: w, executor: x, faultless: faultless}, nil
}

// about is the question that an executor of a model executes schedules for.
func (x *executor) about(m *Model) *question {
	return &question{Model: m, promise: x.promise, executor: x, spoken: spokenOf(m.program)}
}

// assume takes only schedules into account that meet assumptions.
func (q *question) assume(assumed []*assumption) {
	q.assumed = assumed
	for _, assumption := range assumed {
		if assumption.fact != nil {
			q.also = append(q.also, assumption.fact.Relation)
		}
	}
}

// progress reports the current work, if the options ask for it.
func (q *question) progress(format string, args ...any) {
	if q.options.Progress != nil {
		q.options.Progress(fmt.Sprintf(format, args...))
	}
}

// tellStage reports how far the ways to decide the question are, if the options ask for it.
func (q *question) tellStage(s result.Stage) {
	if q.options.Stages != nil {
		q.options.Stages(s)
	} else {
		q.progress("%s", s)
	}
}

// stated adds texts to violations: about the wanted fact, if there is one, or else about
// what is broken.
func (q *question) stated(broken []result.Violation) []result.Violation {
	all := q.Model.stated(broken)
	if w := q.promise.wanted; w != nil {
		for i, v := range all {
			all[i].Text = w.sentence(v, q.bounds)
		}
	}
	return all
}
