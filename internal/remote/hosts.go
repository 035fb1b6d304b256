package remote

import (
	"context"
	"sync"
	"time"
)

// Hosts are all that were started with one context and have not ended, so that
// whoever must end at once leaves none behind.
type Hosts struct {
	mutex   sync.Mutex
	running map[*Remote]bool
	killed  bool
}

type hostsKey struct{}

// Context returns a context whose hosts these are.
func (h *Hosts) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, hostsKey{}, h)
}

// Kill ends all hosts, and those that are started from now on. It does not wait
// for long until they have ended.
func (h *Hosts) Kill() {
	h.mutex.Lock()
	h.killed = true
	var ends sync.WaitGroup
	for r := range h.running {
		ends.Go(func() { _ = r.end() })
	}
	h.mutex.Unlock()
	all := make(chan struct{})
	go func() { ends.Wait(); close(all) }()
	select {
	case <-all:
	case <-time.After(patienceWithKilled):
	}
}

// patienceWithKilled is how long those that were killed are waited for.
const patienceWithKilled = 300 * time.Millisecond

// enter notes that a host runs, and returns what notes that it has ended.
func enter(ctx context.Context, r *Remote) (leave func()) {
	h, ok := ctx.Value(hostsKey{}).(*Hosts)
	if !ok {
		return func() {}
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.running == nil {
		h.running = map[*Remote]bool{}
	}
	h.running[r] = true
	if h.killed {
		go func() { _ = r.end() }()
	}
	return func() {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		delete(h.running, r)
	}
}
