package remote

import (
	"context"
	"sync"
	"time"
)

// Hosts are all hosts that were started with one context and have not ended. A program that
// must end at once can kill them all.
type Hosts struct {
	mutex   sync.Mutex
	running map[*Remote]bool
	killed  bool
}

type hostsKey struct{}

// Context returns a context that adds its hosts to h.
func (h *Hosts) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, hostsKey{}, h)
}

// Kill kills all hosts, and those that start from now on. It waits a short time for their
// end.
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

// patienceWithKilled is the time to wait for killed hosts.
const patienceWithKilled = 300 * time.Millisecond

// enter records that a host runs, and returns a function that records its end.
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
