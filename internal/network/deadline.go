package network

import (
	"sync"
	"time"
)

// deadline is a moment after which a kind of calls fails. Its fields are guarded by
// the lock of the host.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

// set moves the deadline. When it has passed, waiting is woken.
func (d *deadline) set(at time.Time, waiting *sync.Cond) {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	d.at = at
	if !at.IsZero() && !d.passed() {
		d.timer = time.AfterFunc(time.Until(at), func() {
			waiting.L.Lock()
			defer waiting.L.Unlock()
			waiting.Broadcast()
		})
	}
	waiting.Broadcast()
}

// passed tells whether the moment is over.
func (d *deadline) passed() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

// stop ends the timer.
func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
	}
}
