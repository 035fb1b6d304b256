package remote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// LostError is a host that ended, or does not answer, while it executed something.
// Whoever wants to know more starts it afresh.
type LostError struct {
	Err error // how it was lost

	// Suspects are the schedules in execution, one of which may be the cause. There are
	// none if the host was searching by itself.
	Suspects []Suspect

	Hangs *execution.CallPlace // where a call does not come back; nil: the host has ended
	After time.Duration        // that it was waited for
}

// Suspect is an execution that may have lost the host.
type Suspect struct {
	Schedule rounds.Schedule
	Rounds   int // the least number of rounds
}

func (e *LostError) Error() string {
	if len(e.Suspects) == 1 {
		return fmt.Sprintf("the execution under %q: %v", e.Suspects[0].Schedule, e.Err)
	}
	return e.Err.Error()
}

// Unwrap returns the reason why the host was lost.
func (e *LostError) Unwrap() error { return e.Err }

// ended is the error of a host that has ended.
func (r *Remote) ended(err error) error { return &LostError{Err: err, Suspects: r.executing()} }

// silent returns the error of a host that did not answer a request in time. A host that
// executes one schedule after the other may still execute another one: any unanswered
// request may be the cause.
func (r *Remote) silent(q *messages.Request, after time.Duration) error {
	err := fmt.Errorf("the host did not answer a %s within %v, and was killed", q.Do, after)
	if words, wrong := text.ShellSplit(r.command); q.Do == messages.DoHello && wrong == nil {
		switch {
		case gobuild.OfGo(words):
			err = fmt.Errorf("the host is not built after %v, or does not answer, and was killed", after)
		case words[0] == "ldfi": // which builds the programs of nodes
			err = fmt.Errorf("the programs are not built after %v, and building them was ended: it goes on from there when the command is given again", after)
		}
	}
	if q.Do != messages.DoRun {
		return err
	}
	s := suspect(q)
	suspects := r.executing()
	if len(suspects) == 0 { // its answer has just come
		suspects = []Suspect{s}
	}
	return &LostError{Err: err, Suspects: suspects, Hangs: &execution.CallPlace{Schedule: s.Schedule}, After: after}
}

// hangs is the error of a host that tells a call that does not come back.
func (r *Remote) hangs(h *messages.Hang) error {
	place := &execution.CallPlace{Schedule: h.Schedule.Normal(), Round: h.Round, Process: h.Process, Call: h.Call}
	for _, function := range h.Stack[:min(len(h.Stack), mostFunctions)] {
		place.Stack = append(place.Stack, strings.TrimSpace(function))
	}
	return &LostError{
		Err:      fmt.Errorf("the host says that a call of a process does not come back within %v", r.options.CallTimeout),
		Suspects: []Suspect{{place.Schedule, place.Round}}, Hangs: place, After: r.options.CallTimeout,
	}
}

// mostFunctions limits the functions of a stack that are taken from a host.
const mostFunctions = 40

// executing returns the schedules of the runs that are not answered yet, in the order of
// the requests.
func (r *Remote) executing() []Suspect {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var runs []*messages.Request
	for _, w := range r.waiting {
		if w.request != nil && w.request.Do == messages.DoRun {
			runs = append(runs, w.request)
		}
	}
	slices.SortFunc(runs, func(a, b *messages.Request) int { return cmp.Compare(a.ID, b.ID) })
	var all []Suspect
	for _, q := range runs {
		all = append(all, suspect(q))
	}
	return all
}

// suspect is the execution of a run.
func suspect(q *messages.Request) Suspect {
	s := Suspect{Rounds: q.Rounds}
	if q.Schedule != nil {
		s.Schedule = *q.Schedule
	}
	return s
}
