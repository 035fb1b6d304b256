//go:build unix

package oracle

import (
	"syscall"
	"time"
)

// processorSeconds returns how long this process and its children have used
// processors.
func processorSeconds() float64 {
	total := time.Duration(0)
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err == nil {
			total += time.Duration(used.Utime.Nano() + used.Stime.Nano())
		}
	}
	return total.Seconds()
}
