package system

import (
	"context"
	"sync"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Judge executes a system under one schedule after the other, and says what each
// execution violates. It is for one goroutine; make one for each, with checkers
// of its own.
type Judge struct {
	*Runner
	checkers []*property.Checker
	facts    bool // no property looks at messages
}

// NewJudge returns a judge by these properties.
func (s *System) NewJudge(checkers ...*property.Checker) *Judge {
	reserve()
	j := &Judge{Runner: s.NewRunner(), checkers: checkers, facts: true}
	for _, c := range checkers {
		j.facts = j.facts && c.FactsOnly()
	}
	return j
}

// Judge executes the system under a schedule, with the Options of the Runner,
// and returns how that violates the properties. If no property looks at
// messages, and the options do not ask for a recording, then the recording has
// messages only if something is violated: the execution is repeated for them.
func (j *Judge) Judge(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	o := j.Options
	defer func() { j.Options = o }()
	j.Options.FactsOnly = j.facts && !o.Record
	j.Options.Record = true
	e, violations, err := j.judge(ctx, schedule)
	if len(violations) == 0 || err != nil || !j.Options.FactsOnly {
		return e, violations, err
	}
	j.Options.FactsOnly, j.Options.Transition = false, nil
	return j.judge(ctx, schedule)
}

func (j *Judge) judge(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	if err := j.Run(ctx, schedule); err != nil {
		return nil, nil, err
	}
	e := j.Execution()
	var violations []result.Violation
	for _, c := range j.checkers {
		v, err := c.Check(e)
		if err != nil {
			return nil, nil, err
		}
		violations = append(violations, v...)
	}
	return e, violations, nil
}

// reserve keeps memory that is never touched, and so is none. Executions leave
// almost nothing behind, and Go's collector, which waits until the heap has
// doubled, would run every few of them and take a third of the time.
var reserve = sync.OnceValue(func() []byte { return make([]byte, 32<<20) })
