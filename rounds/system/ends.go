package system

import (
	"cmp"
	"errors"
	"fmt"
)

// Crasher is a process that is told when it crashes, for example to end the goroutines
// of a library that it wraps. Crash must not store, send or report anything: stable
// storage stays as it was before the crash.
type Crasher interface {
	// Crash is called once for each crash, in its round, and before any other method of
	// the process is called again. If the execution ends before the crash, Crash is not
	// called.
	Crash()
}

// Closer is a process that is told when its execution is over, to release its
// resources.
type Closer interface {
	// Close is called once for each process, also if it has crashed, after the last
	// round, or when the execution ends early: because a process panicked or did
	// something that it must not, or the context was cancelled. A process that hangs is
	// closed when its call returns.
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
