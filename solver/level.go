package solver

import (
	"cmp"
	"context"
	"slices"
)

// level has the sets of one cost, found before they are ordered: to find all takes one
// question each, but to find the first in order takes a question for each of its units, and
// more.
type level struct {
	cost int     // of the sets; -1 before the first
	sets [][]int // in order
	all  bool    // there are no others of this cost
}

// ready tells whether the next set is known.
func (l *level) ready() bool { return l.all && len(l.sets) > 0 }

// take returns the next set.
func (l *level) take() Found {
	first := l.sets[0]
	l.sets = l.sets[1:]
	return Found{Units: first, Minimal: true}
}

// before tells whether the next set comes before the set other.
func (l *level) before(other []int) bool {
	return len(l.sets) > 0 && inTurn(l.sets[0], other) < 0
}

// inTurn orders sets of the same cost.
func inTurn(a, b []int) int {
	return cmp.Or(len(a)-len(b), slices.Compare(a, b))
}

// gather finds further sets with the cost of the known one, up to Ahead. At the end of the
// search there are no others to compare with.
func (s *Search) gather(ctx context.Context) {
	s.level = level{cost: s.bound.least}
	for !s.level.all && len(s.level.sets) < s.Ahead {
		s.level.sets = append(s.level.sets, s.keep())
		more, err := s.another(ctx)
		s.level.all = !more || err != nil
	}
	slices.SortFunc(s.level.sets, inTurn)
}

// another looks for a set with the cost of the last one. If there is none the bound rises.
func (s *Search) another(ctx context.Context) (bool, error) {
	switch status, err := s.solve(ctx, s.bound.assumptions()...); status {
	case Unknown:
		return false, err
	case Unsat:
		s.raise()
		return false, nil
	}
	s.learn()
	return true, nil
}

// keep returns the known solution and forbids whatever contains it.
func (s *Search) keep() []int {
	set := slices.Clone(s.known)
	var others []Lit
	for _, i := range set {
		others = append(others, s.units[i].Not())
	}
	s.asserted = append(s.asserted, others)
	s.known, s.any, s.first = s.known[:0], false, false
	return set
}

// Count counts the remaining sets, in any order: no more than most sets, with about work
// steps, which are the same on every machine if there is one worker. It tells whether these
// are all. The search cannot be used afterwards.
func (s *Search) Count(ctx context.Context, most, work int) (n int, all bool, err error) {
	s.most = s.spent + work
	for n < most {
		if possible, err := s.Possible(ctx); !possible {
			return n, err == nil, s.given(err)
		}
		if err := s.minimize(ctx); err != nil {
			return n, false, s.given(err)
		}
		for more := true; more && n < most; n++ {
			s.keep()
			if more, err = s.another(ctx); err != nil {
				return n + 1, false, s.given(err)
			}
		}
	}
	return n, false, nil
}

// given is an error, unless it says that all work is done that there was to be.
func (s *Search) given(err error) error {
	if s.most > 0 && s.spent >= s.most {
		return nil
	}
	return err
}
