package strategies

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// known are the faults whose effects a global state has.
var known = []rounds.Kind{rounds.Isolate, rounds.Omit, rounds.Crash, rounds.Restart, rounds.Pause, rounds.Partition, rounds.Cut, rounds.Fast, rounds.Slow, rounds.Jump, rounds.Delay, rounds.Duplicate, rounds.Order}

// Exhaustive visits all global states that faults within the bounds lead to, fewest
// faults first. The processes must be Snapshotters and Fingerprinters. It finds a
// smallest schedule that violates a property, or proves that there is none.
var Exhaustive = &search.Strategy{
	Name: "exhaustive",
	Why:  "the processes can be put back into states that have names: every global state is looked at once",
	Needs: search.Needs{
		Faults: known, Points: true, States: true, Settled: true,
		Offers: []string{search.OffersFingerprints, search.OffersSnapshots},
	},
	Search: searchExhaustively,
	Around: around,
}

func searchExhaustively(ctx context.Context, s *search.Session) (*result.Answer, error) {
	l, err := search.NewLens(s.Properties)
	if err != nil {
		return nil, err
	}
	kept, err := newSnapshots(s, newHistories(l))
	if search.Panics(err) { // before the first round
		a := s.Answer(1)
		return a, s.Violated(ctx, a, s.With(rounds.Schedule{}))
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = kept.local.Close() }() // executions show the errors of closing
	judge := s.Judge()
	p := &product{session: s, source: kept, payloads: kept.payloads, requests: kept.requests, histories: kept.histories, check: judge.Violates}
	kept.busy.Lock()
	defer kept.busy.Unlock()
	s.System.Calls.Follow(func() (rounds.Schedule, bool) {
		if !kept.busy.TryLock() {
			return rounds.Schedule{}, false
		}
		defer kept.busy.Unlock()
		return s.With(p.route(p.here)), true
	})
	schedule, found, err := p.search(ctx)
	for found && err == nil {
		var stands bool
		if stands, err = s.Concluded(ctx, s.With(schedule)); stands || err != nil {
			break
		}
		schedule, found, err = p.resume(ctx)
	}
	a := s.Answer(s.Executions)
	switch {
	case errors.Is(err, errTooMany):
		search.Stop(a, result.LimitSize, "%s", p.tooMany())
	case found && err == nil:
		a, schedule = s.Answer(max(s.Executions, 1)), s.With(schedule)
		a.Search.States = len(p.numbers)
		s.Settings, s.FewestFirst = schedule.Settings, true // these settings were searched with fewer faults
		if err := s.Violated(ctx, a, schedule); err != nil {
			return nil, err
		}
	case ctx.Err() != nil:
		a.Limit = s.Ended(ctx)
		a.Limit.Reason += fmt.Sprintf(" after %d global states", len(p.nodes))
	case err != nil:
		return nil, err
	default:
		c := s.Certificate(l)
		c.States, c.Transitions = len(p.numbers), len(kept.receipts)
		s.Certify(a, c)
	}
	return a, nil
}
