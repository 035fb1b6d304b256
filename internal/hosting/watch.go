package hosting

import (
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// watch returns the systems with their calls watched, if the hello asks for that.
func (h *host) watch(r messages.Request) []*system.System {
	h.calls = &execution.CallWatch{Exact: r.EachCall}
	var watched []*system.System
	for _, s := range h.systems {
		w := *s
		w.Calls = h.calls
		watched = append(watched, &w)
	}
	if limit := time.Duration(r.CallTimeout * float64(time.Second)); limit > 0 {
		h.teller.Go(func() { h.tellHang(limit) })
	}
	return watched
}

// tellHang tells the first call that does not come back. Then nothing more is to
// be expected of the host.
func (h *host) tellHang(limit time.Duration) {
	p := h.calls.Wait(h.ended, limit)
	if p == nil {
		return
	}
	select {
	case h.answers <- messages.Answer{Hangs: &messages.Hang{Schedule: p.Schedule, Round: p.Round, Process: p.Process, Call: p.Call, Stack: p.Stack}}:
	case <-h.ended:
	}
}

// answered answers a request by what a function comes to; also when a process
// ends the goroutine in which it runs, and says so.
func (h *host) answered(id int, do func() (messages.Answer, error)) {
	a, err := messages.Answer{}, error(nil)
	whole := false
	defer func() {
		if left := h.calls.Left(); left != nil || !whole {
			err = fmt.Errorf("a process ends its goroutine (runtime.Goexit): it may only return or panic")
			if left != nil {
				err = fmt.Errorf("process %s ends its goroutine (runtime.Goexit) in %s in round %d, under the schedule %q: it may only return or panic", left.Process, left.Call, left.Round, left.Schedule)
			}
		}
		h.answer(id, a, err)
	}()
	a, err = do()
	whole = true
}
