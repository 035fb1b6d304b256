package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// If the executions of a search are numbered, and depend only on their numbers, they can be
// made in parts, by several workers that know nothing of each other. The results go into a
// search that skips these executions itself, and gives the same answer.

// Part is the executions of a search with the numbers from First to End-1.
type Part struct {
	First int `json:"first"`
	End   int `json:"end"`
}

// Stretch has the results of executions that do not end the search: the first ones of a
// part, or all of it.
type Stretch struct {
	Strategy string `json:"strategy"`
	All      int    `json:"all"` // how many executions the search has, if none ends it
	First    int    `json:"first"`
	End      int    `json:"end"`
	Ended    bool   `json:"ended,omitempty"` // execution End, of the part, ends the search: it violates a property, or cannot be made

	Continued int          `json:"continued,omitempty"` // executions by which others went on
	Late      *result.Late `json:"late,omitempty"`      // that were late; nil: none
	Slowest   int          `json:"slowest,omitempty"`   // the number of the slowest of these

	Figures []map[int]int   `json:"figures,omitempty"` // of whole executions, if statistics are asked for: how many have a number, in the order of [result.Statistics]
	Sights  []datalog.Sight `json:"sights,omitempty"`  // what watches of the properties have seen, an empty one of functions

	Unjudged int       `json:"unjudged,omitempty"` // executions of which it is not known what they violate
	Why      *Unjudged `json:"why,omitempty"`      // of the first of these
	Inexact  string    `json:"inexact,omitempty"`  // why another execution of one of the schedules may differ
}

// Unjudged says why the violations of an execution are not known.
type Unjudged struct {
	Property string          `json:"property"`
	Why      string          `json:"why"`
	Schedule rounds.Schedule `json:"schedule"`
}

// Check returns an error unless the part belongs to a search with all executions.
func (p Part) Check(all int) error {
	if p.First < 0 || p.End <= p.First || p.First >= all {
		return fmt.Errorf("a search with %d executions has no part from %d to %d", all, p.First, p.End)
	}
	return nil
}

// SearchPart makes some of the executions of a search by a strategy that can be made in
// parts. What is known when the context ends is lost.
func (s *Strategy) SearchPart(ctx context.Context, session *Session, p Part) (*Stretch, error) {
	if s.Part == nil {
		return nil, fmt.Errorf("strategy %s cannot search in parts: what it executes depends on what was executed before", s.Name)
	}
	return s.Part(ctx, session, p)
}

// Stretch returns the results of the executions with the numbers from first to end-1.
func (s *Session) Stretch(first, end int) *Stretch {
	s.Forget(end - 1)
	out := &Stretch{Strategy: s.Strategy, All: s.Options.Executions, First: first, End: end}
	out.Late, out.Continued, out.Slowest = s.lateness()
	if s.Statistics {
		out.Figures = s.tally.columns()
	}
	for _, w := range s.Watches {
		if w == nil {
			out.Sights = append(out.Sights, datalog.Sight{})
		} else {
			out.Sights = append(out.Sights, w.Sight())
		}
	}
	s.unjudged.into(out)
	return out
}

// Learn records the results of executions of k, which others have made.
func (s *Session) Learn(k *Stretch) error {
	if err := s.suits(k); err != nil {
		return fmt.Errorf("executions that others have made: %w", err)
	}
	if k.Continued > 0 {
		s.continued.all = append(s.continued.all, continuation{k.Slowest, &Aftermath{Executions: k.Continued, Late: k.Late}})
	}
	s.tally.learn(k)
	for i, w := range s.Watches {
		if w != nil {
			w.See(k.Sights[i])
		}
	}
	s.unjudged.learn(k)
	return nil
}

// suits reports executions that are none of this session.
func (s *Session) suits(k *Stretch) error {
	switch {
	case k.Strategy != s.Strategy:
		return fmt.Errorf("they are of a search by %q, and this is one by %q", k.Strategy, s.Strategy)
	case k.All != s.Options.Executions || k.First != 0:
		return fmt.Errorf("they are %d to %d of %d, and there are %d, from 0 on", k.First, k.End, k.All, s.Options.Executions)
	case len(k.Sights) != len(s.Watches):
		return fmt.Errorf("they are about %d properties, and not %d", len(k.Sights), len(s.Watches))
	case (k.Figures != nil) != s.Statistics:
		return errors.New("they have other figures")
	}
	return k.Check(s.Bounds.EOT)
}

// Check reports results that executions of eot rounds cannot have.
func (k *Stretch) Check(eot int) error {
	all := k.End - k.First
	switch {
	case k.First < 0 || all < 0 || k.End > k.All:
		return fmt.Errorf("they are %d to %d of %d", k.First, k.End, k.All)
	case k.Continued < 0 || k.Continued > all*mostContinued || k.Late != nil && (k.Continued == 0 || k.Slowest < k.First || k.Slowest >= k.End):
		return fmt.Errorf("%d executions went on", k.Continued)
	case k.Unjudged < 0 || k.Unjudged > all || (k.Unjudged > 0) != (k.Why != nil):
		return fmt.Errorf("%d were not judged", k.Unjudged)
	}
	if l := k.Late; l != nil && (l.Schedules < 1 || l.Schedules > all || l.Reseeded < 0 || l.Broken < 0 || l.Reseeded+l.Broken > l.Schedules || l.Rounds < eot || l.Rounds > MostRounds(eot)) {
		return fmt.Errorf("%d were late, by round %d", l.Schedules, l.Rounds)
	}
	return k.checkFigures()
}

// checkFigures reports figures that executions cannot have.
func (k *Stretch) checkFigures() error {
	if k.Figures != nil && len(k.Figures) != len(figures{}.counts) {
		return errors.New("they have other figures")
	}
	for _, column := range k.Figures {
		left := k.End - k.First
		for value, times := range column {
			if value < 0 || times < 1 || times > left {
				return errors.New("they have figures of more executions than there are")
			}
			left -= times
		}
		if left != 0 {
			return errors.New("they have figures of fewer executions than there are")
		}
	}
	return nil
}

// Join returns the results of two stretches; next begins where k ends.
func (k *Stretch) Join(next *Stretch) (*Stretch, error) {
	if k.Strategy != next.Strategy || k.All != next.All || k.End != next.First || k.Ended || len(k.Sights) != len(next.Sights) || len(k.Figures) != len(next.Figures) {
		return nil, fmt.Errorf("executions %d to %d, by %s, of %d, and %d to %d, by %s, of %d: these are not of one search",
			k.First, k.End, k.Strategy, k.All, next.First, next.End, next.Strategy, next.All)
	}
	both := *next
	both.First = k.First
	both.Continued += k.Continued
	both.Late, both.Slowest = later(k.Late, k.Slowest, next.Late, next.Slowest)
	both.Figures = nil
	for i := range k.Figures {
		both.Figures = append(both.Figures, sum(k.Figures[i], next.Figures[i]))
	}
	both.Sights = nil
	for i := range k.Sights {
		both.Sights = append(both.Sights, k.Sights[i].And(next.Sights[i]))
	}
	both.Unjudged += k.Unjudged
	if k.Why != nil {
		both.Why = k.Why
	}
	if k.Inexact != "" {
		both.Inexact = k.Inexact
	}
	return &both, nil
}

// sum adds how often each number was there.
func sum(a, b map[int]int) map[int]int {
	all := map[int]int{}
	for _, column := range []map[int]int{a, b} {
		for value, times := range column {
			all[value] += times
		}
	}
	return all
}

// columns returns, by figure, how many executions had each value.
func (t *tally) columns() []map[int]int {
	all := make([]map[int]int, len(figures{}.counts))
	for i := range all {
		all[i] = map[int]int{}
		for _, row := range t.rows {
			all[i][row.counts[i]]++
		}
	}
	return all
}

// learn adds the figures of a stretch. Each figure is counted by itself, so the
// combinations do not matter.
func (t *tally) learn(k *Stretch) {
	if len(k.Figures) == 0 {
		return
	}
	rows := make([]figures, k.End-k.First)
	for i, column := range k.Figures {
		at := 0
		for value, times := range column {
			for range times {
				rows[at].number, rows[at].counts[i] = k.First+at, value
				at++
			}
		}
	}
	t.rows = slices.Concat(t.rows, rows)
}

// into adds the executions that are not judged, or not exact, to a stretch.
func (u *unjudged) into(k *Stretch) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	k.Inexact = u.inexact
	if k.Unjudged = min(u.count, k.End-k.First); k.Unjudged > 0 { // others were ahead
		k.Why = &Unjudged{Property: u.first.Property, Why: u.first.Why, Schedule: u.first.Schedule}
	}
}

// learn adds the executions of a stretch that are not judged, or not exact.
func (u *unjudged) learn(k *Stretch) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.count += k.Unjudged
	u.inexact = k.Inexact
	if k.Why != nil {
		u.first = &limits.UnjudgedError{Property: k.Why.Property, Why: k.Why.Why, Schedule: k.Why.Schedule}
	}
}
