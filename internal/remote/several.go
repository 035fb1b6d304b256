package remote

import (
	"context"
	"reflect"
	"sync"
)

// hosts are programs that the same command has started, each of which makes one execution
// at a time. An execution depends on its schedule only, so any of them can make it.
type hosts struct {
	stop    context.CancelFunc // no more of them are started
	started sync.WaitGroup

	mutex sync.Mutex
	all   []*Remote // the first is not ours
	next  int
}

// several returns up to most hosts, which start over time. A host that does not start, or
// describes other systems, is left out.
func (r *Remote) several(most int) *hosts {
	ctx, stop := context.WithCancel(r.life)
	h := &hosts{stop: stop, all: []*Remote{r}}
	for i := 1; i < most && r.command != ""; i++ {
		h.started.Go(func() { h.start(ctx, r) })
	}
	return h
}

// start starts another host like one.
func (h *hosts) start(ctx context.Context, like *Remote) {
	o := like.options
	o.Stderr = nil // the first host writes the messages
	r, err := Start(ctx, like.command, o)
	if err != nil {
		return
	}
	if ctx.Err() != nil || !reflect.DeepEqual(r.described, like.described) {
		_ = r.Close()
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.all = append(h.all, r)
}

// host returns a host, each in turn.
func (h *hosts) host() *Remote {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.next++
	return h.all[h.next%len(h.all)]
}

// close ends the hosts that were started.
func (h *hosts) close() {
	h.stop()
	h.started.Wait()
	for _, r := range h.all[1:] {
		_ = r.Close()
	}
}
