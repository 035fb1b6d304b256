package subject

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Memory keeps answers in a cache and gives them again. If an answer cannot be read,
// trusted or kept, the question is asked again; this is no error.
type Memory struct {
	Cache *Cache               // nil: nothing is known, and nothing is kept
	Warn  func(error)          // called with an error of the cache; nil: errors are not reported
	Edit  func(*result.Answer) // changes an answer before it is kept; nil: answers are kept unchanged
}

// Known returns the answer that is kept under a key, nil if there is none.
func (m *Memory) Known(key string) *result.Answer {
	if m.Cache == nil || key == "" {
		return nil
	}
	known, err := m.Cache.Get(key)
	m.warn(err)
	return known
}

// Ask returns the known answer if it still holds, and else the answer of a search. If
// executions of one schedule may differ, a known answer is not used. The new answer is kept
// under key if now returns the same key: the files that a host depends on may have been
// edited during the search. The answer of a worker is not kept, because it may turn out to
// be wrong.
func (m *Memory) Ask(ctx context.Context, o *Opened, known *result.Answer, key string, now func() (string, error)) (a *result.Answer, cached bool, err error) {
	exact := o.Inexact() == ""
	if known != nil && exact && m.confirms(ctx, o, known) {
		return known, true, nil
	}
	a, theirs, err := o.answer(ctx)
	if err != nil {
		return nil, false, err
	}
	if a.Search == nil { // the rest is no part of an answer about a program
		a.Stats = result.Stats{Executions: a.Stats.Executions, Times: a.Stats.Times}
	}
	if m.Edit != nil {
		m.Edit(a)
	}
	if m.Cache != nil && key != "" && exact && !theirs && Final(ctx, a) {
		kept := *a
		kept.Stats.Times = result.Times{} // equal questions, equal entries
		if after, err := now(); err == nil && after == key {
			m.warn(m.Cache.Put(key, &kept))
		}
	}
	return a, false, nil
}

// Final tells whether another search would give the same answer. The context must be that
// of the search.
func Final(ctx context.Context, a *result.Answer) bool {
	c := a.First()
	exact := (a.Search == nil || a.Search.Inexact == "") && (c == nil || c.Repeats == nil)
	return exact && ctx.Err() == nil && !(a.Limit != nil && slices.Contains(passing, a.Limit.Kind))
}

// passing are the kinds of limits that another search may not meet.
var passing = []string{result.LimitTimeout, result.LimitInterrupted, limits.Judgement, limits.SetAside}

// confirms executes the schedule of a known answer again.
func (m *Memory) confirms(ctx context.Context, o *Opened, known *result.Answer) bool {
	c := known.First()
	if c == nil {
		return true
	}
	again, err := o.Replay(ctx, c.Schedule)
	if ctx.Err() == nil && (err != nil || again.Verdict != result.Violated) {
		m.warn(fmt.Errorf("the cache has the schedule %q, which breaks nothing: it is searched again", c.Schedule))
	}
	return err == nil && again.Verdict == result.Violated
}

func (m *Memory) warn(err error) {
	if err != nil && m.Warn != nil {
		m.Warn(err)
	}
}
