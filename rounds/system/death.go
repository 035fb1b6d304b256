package system

// Died reports that the process has ended by itself, in a goroutine of its own: by a
// panic or an exit of its program. The process takes part in nothing after this round,
// as if it had crashed, until the schedule restarts it. The other processes go on, and
// the execution returns the first such error at its end; it ends with the round if the process
// hangs, so that nobody waits for others that do, too. If e has no Text, that of its Value is
// taken.
func (s *Step) Died(e PanicError) {
	p := s.runner.processes[s.self]
	if p.died {
		return
	}
	p.died = true
	s.runner.hangs = s.runner.hangs || e.Hangs
	if e.Text == "" {
		e.Text = panicText(e.Value)
	}
	e.Alone = true
	if s.runner.death == nil {
		s.runner.death = p.wrong(s.call, &e)
	}
}

// bury ends a process that has died in this round. What it wrote is in the hands of the
// operating system, which goes on.
func (r *Runner) bury(p *participant) error {
	if !p.died {
		return nil
	}
	p.died = false
	if p.down {
		return nil
	}
	p.down, p.restarting = true, false
	p.waiting = p.waiting[:0]
	if crash := p.crash("kept"); crash != nil {
		return p.call(callCrash, crash)
	}
	return nil
}
