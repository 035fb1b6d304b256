package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// unjudged are the executions of a search whose violations are not known, because judging
// takes too long, or that may not repeat. The search continues, and gives no certificate.
type unjudged struct {
	mutex sync.Mutex
	count int
	first *limits.UnjudgedError
	under func() rounds.Schedule // of an execution that does not say it; nil if all do

	inexact string // why the recording of an execution is marked as not exact
}

// mark notes that the recording of an execution is not exact.
func (u *unjudged) mark(e *recording.Execution) {
	if e == nil || e.Inexact == "" {
		return
	}
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.inexact = cmp.Or(u.inexact, e.Inexact)
}

// inexact says why executions of one schedule may differ, as far as the search knows; empty
// if they cannot.
func (s *Session) inexact() string {
	s.unjudged.mutex.Lock()
	defer s.unjudged.mutex.Unlock()
	return cmp.Or(s.Inexact, s.unjudged.inexact)
}

func (u *unjudged) note(late *limits.UnjudgedError) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.count++
	if u.first == nil {
		u.first = late
		if u.under != nil {
			u.first.Schedule = u.under()
		}
	}
}

// of returns an executor for which an execution that is not judged violates
// nothing, and is noted.
func (u *unjudged) of(x Executor) Executor {
	if j, ok := x.(*Judge); ok {
		j.unjudged, j.mark = u.note, u.mark
		return j
	}
	return &patient{x, u}
}

// patient is an executor that records executions that are not judged.
type patient struct {
	Executor
	unjudged *unjudged
}

func (p *patient) Execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	e, violations, err := p.Executor.Execute(ctx, s)
	p.unjudged.mark(e)
	if late := (*limits.UnjudgedError)(nil); errors.As(err, &late) {
		p.unjudged.note(late)
		return e, nil, nil
	}
	return e, violations, err
}

// limit makes an answer without a violation inconclusive, if something was not
// judged.
func (u *unjudged) limit(a *result.Answer) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if u.count == 0 || a.Verdict == result.Violated {
		return
	}
	leave(a, fmt.Sprintf("%s not judged, the first %s: %s: %s", text.Plural(u.count, "execution"), u.first.Under(), u.first.Property, u.first.Why),
		"give the property more time, where it is made", "search with fewer requests or rounds")
}

// leave makes an answer without a violation inconclusive, as not everything was judged.
func leave(a *result.Answer, why string, advice ...string) {
	if a.Limit != nil {
		why += "; " + a.Limit.Reason
	}
	a.Verdict, a.Complete = result.Inconclusive, false
	a.Search.Certificate, a.Search.Guarantee, a.Search.Drawn, a.Search.Enough = nil, "", 0, nil
	a.Limit = &result.Limit{Kind: limits.Judgement, Reason: why, Advice: advice}
}
