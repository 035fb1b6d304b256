package system

import (
	"cmp"
	"errors"
	"fmt"
)

// Crasher is a process that is told when it crashes, for example to end the
// goroutines of a library that it wraps. What it keeps in stable storage is what it
// has kept until then: Crash is not the place to store, to send or to report.
type Crasher interface {
	// Crash is called once for each crash, in the round of it, and before anything
	// else of the process is called. It is not called for a crash of which the
	// execution has not come to the round, or to the end of the round.
	Crash()
}

// Closer is a process that is told when its execution is over. It may use what it
// has for nothing any more then.
type Closer interface {
	// Close is called once for each process that was made, whether it has crashed
	// or not, after the last round, or where the execution ended before: because a
	// process panicked or did what it must not, or the context was cancelled. A
	// process that hangs is closed if its call comes back, as nothing can call it
	// meanwhile.
	Close()
}

// tell tells a process that it has crashed, and what becomes of its disk.
func (p *participant) tell(disk string) error {
	crash := p.crash(disk)
	if crash == nil {
		return nil
	}
	p.told++
	if disk != "" {
		p.kept += fmt.Sprintf("%d:%s ", p.told, disk)
	}
	sent, facts := len(p.step.outbox), len(p.step.facts)
	if err := p.call(callCrash, crash); err != nil {
		return err
	}
	return p.silent(callCrash, sent, facts)
}

// crash returns what tells a process of a crash, nil if nothing does.
func (p *participant) crash(disk string) func() {
	switch {
	case p.machine.Disk:
		return func() { p.disk.CrashDisk(cmp.Or(disk, lostText)) }
	case p.crasher != nil:
		return p.crasher.Crash
	}
	return nil
}

// silent reports that a process has sent or reported something where it must not.
func (p *participant) silent(call string, sent, facts int) error {
	if len(p.step.outbox) > sent || len(p.step.facts) > facts {
		return p.wrong(call, errors.New("it sends or reports something, by the Step of another call"))
	}
	return nil
}

// close ends the processes of an execution, and returns the first thing that goes
// wrong in that. What was called last is not forgotten by it.
func (r *Runner) close() (err error) {
	current := r.current
	for _, p := range r.processes {
		if e := p.close(); err == nil {
			err = e
		}
	}
	r.current = current
	return err
}

// close tells a process that its execution is over, once.
func (p *participant) close() error {
	closer := p.closer
	if closer == nil {
		return nil
	}
	p.closer = nil
	call, sent, facts := p.step.call, len(p.step.outbox), len(p.step.facts)
	err := p.call(callClose, closer.Close)
	if err == nil {
		err = p.silent(callClose, sent, facts)
	}
	p.step.call = call
	return err
}
