package strategies

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"sync"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Enumerate executes every schedule within the bounds, fewest faults first, up to the
// limit of executions. It requires nothing of a system. If there are no more schedules
// than executions, it gives a certificate, for one seed.
var Enumerate = &search.Strategy{
	Name:   "enumerate",
	Needs:  search.Needs{Phases: true, Settled: true, Few: true},
	Why:    "there are no more schedules than executions: every one is executed",
	Search: enumerate,
	Part:   enumeratePart,
}

// enumeration is a search that executes schedules by the number of their faults.
type enumeration struct {
	*drawing
	list *list
	all  *big.Int // schedules within the bounds
	few  bool     // all of them are executed
	stop func()
}

func beginEnumeration(s *search.Session) *enumeration {
	e := &enumeration{all: schedules.Count(s.Bounds), few: search.Few(s)}
	if e.few {
		s.Options.Executions = number(s.Bounds, e.all)
	}
	if !s.Settings.Seed.Given && s.Seed != 0 {
		s.Settings.Seed = rounds.Set(s.Seed) // one for all
	}
	e.list = &list{ahead: map[int64]rounds.Schedule{}}
	e.list.next, e.stop = iter.Pull(schedules.New(s.Bounds).ByChoices())
	e.drawing = &drawing{Session: s, schedule: e.list.at, skip: e.list.skip, text: "executing every schedule"}
	s.FewestFirst = s.Inexact == "" && s.Guide == nil
	return e
}

func enumeratePart(ctx context.Context, s *search.Session, p search.Part) (*search.Stretch, error) {
	e := beginEnumeration(s)
	defer e.stop()
	return e.part(ctx, p)
}

func enumerate(ctx context.Context, s *search.Session) (*result.Answer, error) {
	e := beginEnumeration(s)
	defer e.stop()
	a, err := e.search(ctx)
	switch {
	case err != nil || a.Verdict == result.Violated || ctx.Err() != nil:
		return a, err
	case e.few:
		a.Limit, s.Executions = nil, a.Search.Executions
		s.Certify(a, certificate(ctx, s))
	default:
		a.Limit.Reason = fmt.Sprintf("none of the %d schedules with the fewest faults, of %s within the bounds, violates a property: all with fewer than %s were executed",
			a.Search.Executions, e.all, text.Plural(e.list.size, "fault"))
	}
	return a, nil
}

// certificate returns a certificate that says that every schedule was executed, with one
// seed.
func certificate(ctx context.Context, s *search.Session) *result.Certificate {
	c := s.Certificate(nil)
	c.Settings = s.Settings
	if s.Varies(ctx) {
		c.Settings.Seed = rounds.Set(s.Settings.Seed.Value)
	}
	c.Settings.Reliable = "" // the bounds say it
	return c
}

// number returns the number of schedules within the bounds, given an upper bound, most.
func number(b rounds.Bounds, most *big.Int) int {
	u := schedules.New(b)
	if u.Exact() {
		return int(most.Int64())
	}
	n := 0
	for range u.All() {
		n++
	}
	return n
}

// list gives schedules by number to several workers. Each number is requested once, and all
// smaller numbers have been requested, or will be soon.
type list struct {
	mutex sync.Mutex
	next  func() (rounds.Schedule, bool)
	ahead map[int64]rounds.Schedule // schedules generated but not requested yet
	taken int64
	size  int // of the last
}

// skip leaves out the schedules before a number.
func (l *list) skip(first int64) {
	for ; l.taken < first; l.taken++ {
		s, _ := l.next()
		l.size = s.Size()
	}
}

// at returns the schedule with a number.
func (l *list) at(i int64) rounds.Schedule {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for ; l.taken <= i; l.taken++ {
		s, _ := l.next()
		l.ahead[l.taken], l.size = s, s.Size()
	}
	s := l.ahead[i]
	delete(l.ahead, i)
	return s
}
