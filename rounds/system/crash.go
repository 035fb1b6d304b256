package system

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// Crashable is a process that can crash within a round, at points that it names.
type Crashable interface {
	// CrashPoints returns the names of the points, each once, at which the process
	// calls [Step.At]. It returns the same names whenever a process of this name is
	// made.
	CrashPoints() []string
}

// errCrashed is what a call of a process returns that has come to the point where
// it crashes.
var errCrashed = errors.New("it has crashed")

// crashing is what ends a call of a process at the point where it crashes.
type crashing struct {
	point       string
	sent, facts int // how many there were
}

func (c *crashing) String() string {
	return fmt.Sprintf("the process crashes at %q: a panic of ldfi, which nobody else is to recover", c.point)
}

// goesOnError is what is wrong with a process that does not end at its crash.
type goesOnError struct{ point, how string }

func (e *goesOnError) Error() string {
	return fmt.Sprintf("it has to end where it crashes, at %q, but %s", e.point, e.how)
}

// At marks a point that the process declares (see Crashable). If the schedule crashes
// the process there ("crash a@11/persisted"), At does not return: what the process did
// before stands, and nothing after it happens. At panics for that, and the process must
// not recover the panic. At can be called by Restart, Tick, Send and Receive, in the
// goroutine in which they are called.
func (s *Step) At(point string) {
	p := s.runner.processes[s.self]
	switch {
	case s.err != nil:
	case s.call != callSend && s.call != callReceive && s.call != callTick && s.call != callRestart:
		s.fail(fmt.Errorf("it comes to the crash point %q outside of Restart, Tick, Send and Receive", point))
	case !slices.Contains(p.points, point):
		s.fail(fmt.Errorf("it comes to the crash point %q, %w", point, p.undeclared(point)))
	default:
		if s.runner.options.Transition != nil {
			p.passed = append(p.passed, point)
		}
		if p.ending.Point() == point {
			s.err = &goesOnError{point, "goes on: code of it recovers the panic that ends it; let that pass"}
			panic(&crashing{point, len(s.outbox), len(s.facts)})
		}
	}
}

// undeclared says that there is no such point, and which there are.
func (p *participant) undeclared(point string) error {
	if len(p.points) == 0 {
		return fmt.Errorf("but declares none: give it a method CrashPoints() []string (system.Crashable)")
	}
	return fmt.Errorf("which it does not declare%s: its points are %s", text.DidYouMean(point, p.points), strings.Join(p.points, ", "))
}

// stopped returns what it means that a panic has ended a call of the process: it has
// come to the point where it crashes, or its code is wrong.
func (p *participant) stopped(value any) error {
	s := &p.step
	at, crashed := value.(*crashing)
	goesOn, after := s.err.(*goesOnError)
	switch {
	case !after:
		return p.wrong(s.call, newPanicError(value))
	case !crashed:
		return p.wrong(s.call, &goesOnError{goesOn.point, "panics then, in a deferred function: " + panicText(value)})
	case len(s.outbox) > at.sent || len(s.facts) > at.facts:
		return p.wrong(s.call, &goesOnError{at.point, "sends or reports something then, in a deferred function"})
	}
	s.err = nil
	p.reported.crashed = 2
	switch s.call {
	case callRestart:
		p.reported.crashed = 1
	case callReceive:
		p.reported.crashed = 3
	}
	return errCrashed
}

// declare takes note of the points of a process, and checks them.
func (p *participant) declare() error {
	process, crashable := p.process.(Crashable)
	if !crashable && len(p.points) == 0 {
		p.declared = true
		return nil
	}
	var points []string
	if crashable {
		if err := p.call(callPoints, func() { points = process.CrashPoints() }); err != nil {
			return err
		}
	}
	switch {
	case !p.declared:
		p.points, p.declared = slices.Clone(points), true
		if err := checkPoints(points); err != nil {
			return p.wrong(callPoints, err)
		}
	case !slices.Equal(points, p.points):
		return p.wrong(callPoints, fmt.Errorf("it declares the crash points %q, and declared %q when a process of this name was made before", points, p.points))
	}
	return nil
}

// checkPoints reports a name that a schedule could not have.
func checkPoints(points []string) error {
	for i, point := range points {
		s, err := rounds.ParseSchedule("crash a@1/" + point)
		switch {
		case err != nil || len(s.Faults) != 1 || s.Faults[0].Detail != point && point != lostText || strings.Contains(point, "/"):
			return fmt.Errorf("the crash point %q has no name that a schedule could have, as in crash a@1/persisted: use letters, digits and _ . -", point)
		case point == "lost" || point == "kept" || point == "torn":
			return fmt.Errorf("the crash point %q has the name of what a disk keeps: give it another", point)
		case slices.Contains(points[:i], point):
			return fmt.Errorf("it declares the crash point %q twice", point)
		}
	}
	return nil
}

// checkCrash reports a crash at a point that the process does not declare.
func (p *participant) checkCrash(f rounds.Fault) error {
	if point := f.Point(); point != "" && !slices.Contains(p.points, point) {
		return fmt.Errorf("system %q: schedule: %s: process %s is to crash at %q, %w", p.step.runner.system.Name, f, p.name, point, p.undeclared(point))
	}
	return nil
}

// crash ends a process, by a fault. What waits for it is lost.
func (r *Runner) crash(p *participant, f rounds.Fault) error {
	p.down, p.restarting = true, false
	r.drop(p, f)
	if r.options.Transition != nil && p.state == "" { // the state before the first round is that in which it crashes
		if err := p.nameState(); err != nil {
			return err
		}
	}
	return p.tell(f.Disk())
}

// fall ends a process that has come to the point where it crashes before it
// received anything: what is sent to it in this round is lost.
func (r *Runner) fall(p *participant) error {
	p.fell = true
	for _, at := range p.wokenAt {
		r.lose(at, p.ending)
	}
	r.traffic.lost += len(p.inbox)
	p.inbox = p.inbox[:0]
	if err := r.note(p); err != nil {
		return err
	}
	p.step.facts = p.step.facts[:0] // they are recorded
	return r.crash(p, p.ending)
}

// receiveLast is receive for a process that crashes in this round: at a point
// of Receive, or if it has not come to its point, then now.
func (r *Runner) receiveLast(p *participant) error {
	if p.fell {
		return nil
	}
	if p.active() {
		r.traffic.delivered += len(p.inbox)
		err := p.call(callReceive, func() { p.process.Receive(&p.step, p.inbox) })
		if err != nil && err != errCrashed {
			return err
		}
		p.crashed = err != nil
		if err := r.note(p); err != nil {
			return err
		}
	}
	if !p.crashed {
		r.unreached = append(r.unreached, p.ending)
	}
	return r.crash(p, p.ending)
}
