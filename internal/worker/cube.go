package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/lineage-driven/ldfi/internal/cases"
	"github.com/lineage-driven/ldfi/internal/plainjson"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/unit"
)

// cube decides a part of a question. That it is too much work is final as well: whoever
// asks takes it apart then, and need not find out again.
func (w *Worker) cube(ctx context.Context, t *unit.Task) (any, bool, error) {
	part, err := asked[subject.Part](t)
	if err != nil {
		return nil, false, err
	}
	work, err := w.casework.of(ctx, part, t)
	if err != nil {
		return nil, false, err
	}
	decide := work.Decide
	if w.again {
		decide = work.Again
	}
	o, err := decide(ctx, part.Case)
	if err != nil && t.Limit > 0 && ctx.Err() != nil {
		return cases.Outcome{TooMuch: true}, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return o, true, nil
}

// casework is what is prepared for the parts of a question: that of which a part was
// decided last.
type casework struct {
	mutex sync.Mutex
	key   string
	work  cases.Work
}

// of returns what is prepared for the question of a part. Where two ask at a time for the
// first time both prepare it.
func (c *casework) of(ctx context.Context, part *subject.Part, t *unit.Task) (cases.Work, error) {
	text, err := plainjson.Marshal([]any{part.Question, t.Unit.Files})
	if err != nil {
		return nil, err
	}
	key := unit.Digest(text)
	c.mutex.Lock()
	known := c.work
	if c.key != key {
		known = nil
	}
	c.mutex.Unlock()
	if known != nil {
		return known, nil
	}
	work, err := part.Question.Casework(ctx, t)
	if err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.key, c.work = key, work
	return work, nil
}

// knowingOutcome reads what is said of a part.
func knowingOutcome(text json.RawMessage) (known, error) {
	var o cases.Outcome
	if err := json.Unmarshal(text, &o); err != nil {
		return known{}, err
	}
	says := fmt.Sprintf("%d sets", len(o.Sets))
	if o.TooMuch {
		says = "that it is too much work"
	}
	return known{says: says, plain: o, nothing: o.TooMuch}, nil
}
