package system

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// Machine describes the machine on which a process runs, and so the faults that the
// machine can have.
type Machine struct {
	Clock      bool // it has a clock of its own that can run fast or slow, and jump ahead; the number of ticks does not change
	Disk       bool // a crash can keep or tear what was not synced, and syncs can fail: the process is a DiskCrasher
	Goroutines bool // the order of its goroutines can be drawn
	Terminates bool // a program runs on it that a signal can end, and that is started again: see Conditions.Terminate

	// Watches says that the process ends by itself what does not come back, and reports it,
	// as a driver of programs does. Nobody else waits for its calls with a limit.
	Watches bool

	Single  bool   // executions must not overlap in one program, as with System.Single; unless they are Inexact, the first execution of a system is made twice
	Inexact string // why executions of one schedule may differ; "" if they cannot
}

// Machined is a process that runs on a machine: a server in a bubble of its own, say,
// with a clock and a disk.
type Machined interface {
	// Machine is called once, after the process was made. It returns the same whenever
	// a process of this name is made.
	Machine() Machine
}

// Conditions are the faults of the machine of a process, or of its timers, in one
// round. The zero value has no such faults.
type Conditions struct {
	Clock    int  // 1: the clock runs fast, -1: it runs slow, 0: it runs as it should
	Jump     int  // how many rounds the clock jumps ahead at the start of the round
	FailSync bool // syncs in this round make nothing durable and return an error

	// Terminate is 0 but in the round as which begins the program of the process gets
	// SIGTERM: then it is the last round before that in which the program is started again,
	// which is ended then if it still runs. Nothing on a disk is lost.
	Terminate int

	// Point is where the process crashes within this round, if it has a disk; "" for
	// nowhere (see Crashable). In Receive it is that of the next round.
	Point string

	Goroutines rounds.Setting // the seed of the order of goroutines, in all rounds
	Start      int            // the round in which the process starts, in all rounds; 0: in the first
	Warming    bool           // the execution is a warm-up before the first one, and its result is not used
}

// Conditions returns the faults of the machine of the process in this round, for a
// process that is Machined.
func (s *Step) Conditions() Conditions {
	p := s.runner.processes[s.self]
	c := p.conditions
	switch {
	case !p.machine.Disk:
	case s.call == callReceive:
		c.Point = p.next(s.runner.round + 1)
	default:
		c.Point = p.ending.Point()
	}
	c.Goroutines, c.Warming = s.runner.schedule.Settings.Goroutines, s.runner.warming
	if s.runner.starts != nil {
		c.Start = s.runner.starts[s.self]
	}
	return c
}

// next returns the point at which the process will crash in a round, unless it stands still
// or crashes before that.
func (p *participant) next(round int) (point string) {
	for _, f := range p.faults {
		switch {
		case f.Kind == rounds.Pause && f.Round <= round && round <= max(f.Until, f.Round):
			return ""
		case f.Kind != rounds.Crash || f.Round != round:
		case f.Point() == "":
			return ""
		default:
			point = f.Point()
		}
	}
	return point
}

// DiskCrasher is a process whose machine has a disk. At a crash CrashDisk is called in
// place of Crasher.Crash. The outcome is about what was written and not synced: all of
// it is "lost" (unless the schedule says otherwise), all of it is "kept", or the disk
// keeps a part of it: "torn".
type DiskCrasher interface {
	CrashDisk(outcome string)
}

// Inexact marks the recording: another execution of the same schedule may differ from
// this one for the reason why, for example because memory ran short. It can be called
// whenever the process has a Step.
func (s *Step) Inexact(why string) { s.runner.inexact = cmp.Or(s.runner.inexact, why) }

// lostText is what becomes of what was not synced in a plain crash.
const lostText = "lost"

// mount takes note of the machine of a process, and checks what it says of it.
func (p *participant) mount() error {
	p.disk, _ = p.process.(DiskCrasher)
	machined, ok := p.process.(Machined)
	if !ok {
		p.machine = Machine{}
		return nil
	}
	if err := p.call(callMachine, func() { p.machine = machined.Machine() }); err != nil {
		return err
	}
	if p.machine.Disk && p.disk == nil {
		return p.wrong(callMachine, errors.New("its machine has a disk, but it does not say what a crash does to that: give it a method CrashDisk(outcome string) (system.DiskCrasher)"))
	}
	p.step.Inexact(p.machine.Inexact)
	return nil
}

// checkMachine reports a fault of what the machine of the process does not have.
func (p *participant) checkMachine(f rounds.Fault) error {
	lacks := ""
	switch {
	case (f.Kind == rounds.Fast || f.Kind == rounds.Slow || f.Kind == rounds.Jump) && !p.clocked():
		lacks = "no timers (system.Ticker), and no clock that could run fast or slow or jump"
	case f.Kind == rounds.Tick && p.ticker == nil:
		lacks = "no timers (system.Ticker) that could tick more often"
	case f.Kind == rounds.FailSync && !p.machine.Disk:
		lacks = "no disk, whose syncs could fail"
	case f.Kind == rounds.Terminate && !p.machine.Terminates:
		lacks = "no program of its own that could get a signal"
	case f.Disk() != "" && !p.machine.Disk:
		lacks = "no disk, of which a crash could keep or tear what was not synced"
	default:
		return nil
	}
	return fmt.Errorf("system %q: schedule: %s: process %s has %s (system.Machined)", p.step.runner.system.Name, f, p.name, lacks)
}

// checkGoroutines reports an order of goroutines where there are none.
func (r *Runner) checkGoroutines() error {
	goroutines := r.schedule.Settings.Goroutines
	if !goroutines.Given {
		return nil
	}
	for _, p := range r.processes {
		if p.machine.Goroutines {
			return nil
		}
	}
	return fmt.Errorf("system %q: schedule: %s: no process has goroutines whose order could be drawn (system.Machined)",
		r.system.Name, rounds.Settings{Goroutines: goroutines})
}

// Script returns the numbers of the requests that are made in this execution, of those of
// System.Script.
func (s *Step) Script() []int { return s.runner.script }

// selectRequests settles which requests of the script are made.
func (r *Runner) selectRequests() error {
	s, script := &r.schedule.Settings, r.system.Script
	numbers, given := s.Scripted()
	switch {
	case script == 0 && given:
		return fmt.Errorf("system %q: schedule: %s: no script says what its clients ask (system.System.Script)", r.system.Name, rounds.Settings{Requests: s.Requests})
	case len(numbers) > 0 && numbers[len(numbers)-1] > script:
		return fmt.Errorf("system %q: schedule: %s: its script has %s", r.system.Name, rounds.Settings{Requests: s.Requests}, text.Plural(script, "request"))
	case script > 0 && !given:
		numbers = slices.Grow(numbers, script)
		for n := range script {
			numbers = append(numbers, n+1)
		}
		s.SetScripted(numbers)
	}
	r.script = numbers
	return nil
}

// clocked tells whether the process has a clock: that of its machine, or timers.
func (p *participant) clocked() bool { return p.machine.Clock || p.ticker != nil }

// strikeMachine lets a fault happen to the machine of a process, or to its timers.
func (p *participant) strikeMachine(f rounds.Fault, round int) {
	p.affected = true
	switch now := f.Round == round; f.Kind {
	case rounds.Fast, rounds.Slow:
		if f.Round <= round && round <= max(f.Until, f.Round) {
			p.conditions.Clock = clockOf(f.Kind)
		}
	case rounds.Jump:
		if now {
			p.conditions.Jump = f.By
		}
	case rounds.Terminate:
		if now {
			p.conditions.Terminate = max(f.Until, f.Round)
		}
	case rounds.FailSync:
		p.conditions.FailSync = p.conditions.FailSync || now
	case rounds.Tick:
		if now {
			p.extra += f.By
		}
		return
	}
	if !p.machine.Clock {
		p.more = schedules.MoreTicks(p.step.runner.ticks, p.conditions.Clock, p.conditions.Jump, round)
	}
}

func clockOf(k rounds.Kind) int {
	if k == rounds.Fast {
		return 1
	}
	return -1
}
