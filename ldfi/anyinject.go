package ldfi

import (
	"context"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// mostAfter is for how many rounds after the last fault a schedule is executed, unless eot is larger.
const mostAfter = 100

// InjectAnyRounds is Inject for any number of rounds: the execution ends in the first round after
// the faults in which the promise is broken, or else many rounds after the faults.
func (m *Model) InjectAnyRounds(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	first := max(s.LastRound(), m.bounds.Shortest())
	last := first + max(m.bounds.EOT, mostAfter)
	long, err := New(m.program, m.bounds.Lasting(last), m.options)
	if err != nil {
		return nil, err
	}
	if err := s.Check(long.bounds); err != nil {
		return nil, err
	}
	x, _, err := newExecutor(ctx, long)
	if err != nil {
		return nil, err
	}
	run, err := x.run(ctx, s)
	if err != nil {
		return nil, err
	}
	for round := first; round < last; round++ {
		w := *x.promise
		if w.eot = round; len(w.judge(run, nil)) == 0 {
			continue
		}
		short, err := New(m.program, m.bounds.Lasting(round), m.options)
		if err != nil {
			return nil, err
		}
		if in, err := short.Inject(ctx, s); err != nil || in.Verdict == result.Violated {
			return in, err
		}
	}
	return long.Inject(ctx, s)
}
