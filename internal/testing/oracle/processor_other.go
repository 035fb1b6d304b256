//go:build !unix

package oracle

import "time"

var started = time.Now()

// processorSeconds returns the time on the clock, for want of better.
func processorSeconds() float64 { return time.Since(started).Seconds() }
