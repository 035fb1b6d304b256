package system

// Died says that the process has ended by itself, in a goroutine of its own: by a panic
// or an exit of its program. It takes part in nothing after this round, as if it had
// crashed, until a schedule restarts it. The other processes go on, and at the end of
// the execution the first such death is what went wrong in it. Without a Text the error
// gets that of its Value.
func (s *Step) Died(e PanicError) {
	p := s.runner.processes[s.self]
	if p.died {
		return
	}
	p.died = true
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
