package system

import "github.com/lineage-driven/ldfi/internal/execution"

// watched executes something, which can be seen to stand still meanwhile.
func (r *Runner) watched(execute func()) {
	w := r.system.Calls
	if w == nil {
		execute()
		return
	}
	whole := false
	w.Begin(&r.course)
	defer func() {
		var left *execution.CallPlace
		if !whole {
			left = r.left()
		}
		w.End(&r.course, left)
	}()
	execute()
	whole = true
}

// left returns where the goroutine is that executes.
func (r *Runner) left() *execution.CallPlace {
	p, _ := r.course.Place()
	if r.current != nil {
		p.Process, p.Call = r.current.name, r.current.step.call
	}
	return &p
}

// calling says that a process is called. It is inlined.
func (r *Runner) calling(p *participant) {
	r.current = p
	if r.system.Calls != nil {
		r.watchedCall(p)
	}
}

func (r *Runner) watchedCall(p *participant) {
	if r.system.Calls.Exact {
		r.course.Call(p.name, p.step.call)
	}
	if r.aside != p.machine.Watches {
		r.aside = p.machine.Watches
		r.course.Aside(r.aside)
	}
}

// inRound says that an execution has come to a round.
func (r *Runner) inRound() {
	if r.system.Calls != nil {
		r.course.Round(r.round)
	}
}
