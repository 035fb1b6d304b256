package worker

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/work"
)

// kinds are what there is to do. Each returns the answer, to be written as JSON, and
// whether it is final, as in [work.Result].
var kinds = map[work.Kind]func(context.Context, *work.Task) (answer any, final bool, err error){
	work.Search: search,
	work.Draws:  someDraws,
}

// Worker does units.
type Worker struct {
	Build string // names this ldfi: it does the units of no other one
}

// Do does a task. Files and programs that its unit does not have are never opened.
func (w *Worker) Do(ctx context.Context, t *work.Task) *work.Done {
	if t.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.Limit)
		defer cancel()
	}
	answer, final, err := w.do(ctx, t)
	d := &work.Done{Final: final}
	if err == nil {
		d.Answer, err = json.Marshal(answer)
	}
	if err != nil {
		return &work.Done{Error: err.Error()}
	}
	return d
}

func (w *Worker) do(ctx context.Context, t *work.Task) (answer any, final bool, err error) {
	if t.Unit == nil {
		return nil, false, fmt.Errorf("a task without a unit")
	}
	if err := t.Unit.Check(); err != nil {
		return nil, false, err
	}
	if t.Unit.Build != w.Build {
		return nil, false, fmt.Errorf("a unit of the ldfi %q, and this is %q: both have to be the same", t.Unit.Build, w.Build)
	}
	do := kinds[t.Unit.Kind]
	if do == nil {
		return nil, false, fmt.Errorf("a unit of the kind %q, which this ldfi does not do", t.Unit.Kind)
	}
	if answer, final, err = do(ctx, t); err != nil {
		return nil, false, err
	}
	return answer, final, nil
}

// asked reads what a unit asks.
func asked[T any](t *work.Task) (*T, error) {
	ask := new(T)
	if err := json.Unmarshal(t.Unit.Ask, ask); err != nil {
		return nil, fmt.Errorf("reading what a unit asks: %w", err)
	}
	return ask, nil
}
