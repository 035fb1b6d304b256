package search

import (
	"context"
	"sync"
)

// Spent is what a search has executed rounds for. Its zero value is ready to be used.
type Spent struct {
	mutex sync.Mutex
	all   []spending
}

// purpose is what something is executed for.
type purpose struct {
	spent *Spent
	what  string
	draw  int  // the number of the execution of the search, where there is one; else -1
	later bool // it goes on with an execution
}

// spending is rounds that were executed for a purpose.
type spending struct {
	purpose
	rounds int
}

// The purposes of executions in a search.
const (
	ToFind   = "find"
	Ahead    = "ahead of the find" // by workers whose execution has a number behind that which ended the search
	ToShrink = "shrink"
	ToFewer  = "fewer faults"
	GoingOn  = ", going on" // behind one of these: it goes on with an execution
)

type purposeKey struct{}

// For returns a context whose executions count for the purpose what.
func (s *Session) For(ctx context.Context, what string, draw int) context.Context {
	if s.Spent == nil {
		return ctx
	}
	return context.WithValue(ctx, purposeKey{}, purpose{spent: s.Spent, what: what, draw: draw})
}

// goingOn returns a context in which what is executed goes on with an execution.
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

// Rounds returns how many rounds were executed for what, when the search was ended by
// the execution of this number.
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
