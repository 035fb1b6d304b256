package ldfi

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// injectWithin is Inject with pre and post judged from some number of rounds after the quiet begins on: the execution
// ends in the first round in which the promise is broken, or else when nothing changes any more.
func (m *Model) injectWithin(ctx context.Context, s rounds.Schedule, number int) (*result.Injection, error) {
	w := &within{rounds: max(number, 0), least: number == rounds.Least}
	if _, err := w.ask(ctx, m); err != nil {
		return nil, err
	}
	long, err := New(m.program, m.bounds.Lasting(s.LastRound()+w.lastGiven()+1), m.options)
	if err != nil {
		return nil, err
	}
	if err := s.Check(long.bounds); err != nil {
		return nil, err
	}
	after, err := w.follow(s, long.bounds.EOT+w.rounds)
	if err != nil {
		return nil, err
	}
	short, err := New(m.program, m.bounds.Lasting(after.judged(w.rounds, w.least)), m.options)
	if err != nil {
		return nil, err
	}
	return short.Inject(ctx, s)
}

// judged is the first round in which the promise is broken, or else one in which it is not.
func (a *after) judged(number int, least bool) int {
	first := a.begins + number
	switch i := slices.IndexFunc(a.lacking, func(r int) bool { return r >= first }); {
	case a.never != nil:
		i = slices.IndexFunc(a.lacking, func(r int) bool { return r >= a.never.From })
		round := a.lacking[i]
		for round < first {
			round += a.never.Until - a.never.From + 1
		}
		return round
	case i >= 0 && !least:
		return a.lacking[i]
	}
	round := a.last
	for round > 1 && slices.Contains(a.lacking, round) {
		round--
	}
	return round
}

// onlyRun refuses a question about the rounds up to eot where pre and post are judged in any number of them.
func (m *Model) onlyRun() error {
	if _, asked := m.bounds.Quiet(); !asked {
		return nil
	}
	return &provenance.UntimedError{What: fmt.Sprintf("within=%s asks about any number of rounds, and no other question does: give --within none", m.bounds.Within)}
}
