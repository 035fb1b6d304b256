package search

import (
	"context"
	"sync"
)

// Spent counts the rounds that a search has executed, by purpose. Its zero value is ready
// to use.
type Spent struct {
	mutex sync.Mutex
	all   []spending
}

// purpose is the purpose of an execution.
type purpose struct {
	spent *Spent
	what  string
	draw  int  // the number of the execution in the search, if it has one; else -1
	later bool // the execution is a continued one
}

// spending is rounds that were executed for a purpose.
type spending struct {
	purpose
	rounds int
}

// The purposes of executions in a search.
const (
	ToFind   = "find"
	Ahead    = "ahead of the find" // by workers, with a number above that of the execution that ended the search
	ToShrink = "shrink"
	ToFewer  = "fewer faults"
	GoingOn  = ", going on" // suffix of the above: the execution is a continued one
)

type purposeKey struct{}

// For returns a context whose executions count for the purpose what.
func (s *Session) For(ctx context.Context, what string, draw int) context.Context {
	if s.Spent == nil {
		return ctx
	}
	return context.WithValue(ctx, purposeKey{}, purpose{spent: s.Spent, what: what, draw: draw})
}

// goingOn returns a context for continued executions.
func goingOn(ctx context.Context) context.Context {
	p, ok := ctx.Value(purposeKey{}).(purpose)
	if !ok {
		return ctx
	}
	p.later = true
	return context.WithValue(ctx, purposeKey{}, p)
}

// Spend records that the given number of rounds was executed.
func Spend(ctx context.Context, rounds int) {
	p, ok := ctx.Value(purposeKey{}).(purpose)
	if !ok {
		return
	}
	p.spent.mutex.Lock()
	defer p.spent.mutex.Unlock()
	p.spent.all = append(p.spent.all, spending{p, rounds})
}

// Rounds returns the executed rounds by purpose, if the execution with number end ended the
// search.
func (s *Spent) Rounds(end int) map[string]int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	rounds := map[string]int{}
	for _, p := range s.all {
		what := p.what
		if what == ToFind && p.draw > end {
			what = Ahead
		}
		if p.later {
			what += GoingOn
		}
		rounds[what] += p.rounds
	}
	return rounds
}
