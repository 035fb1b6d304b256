package slot

import (
	"fmt"
	"runtime"
	"time"

	"github.com/lineage-driven/ldfi/internal/work"
)

// failure is why a unit could not be done, which may be its own fault.
type failure interface {
	error
	failed()
}

// broken is a failure of the process that did a unit, or of the unit itself.
type broken string

func (b broken) Error() string { return string(b) }
func (broken) failed()         {}

func breaks(format string, args ...any) error { return broken(fmt.Sprintf(format, args...)) }

// overtime is a failure to end in time.
type overtime struct{ broken }

// refuses says why units like this one are not done here.
func (s *Slot) refuses(u *work.Unit) error {
	if err := u.Check(); err != nil {
		return breaks("it is refused: %v", err)
	}
	if u.Build != s.options.Build {
		return breaks("it is of the ldfi %s, and the worker has %s: both have to be the same", u.Build, s.options.Build)
	}
	if u.Platform == "" {
		return nil
	}
	if here := runtime.GOOS + "/" + runtime.GOARCH; u.Platform != here {
		return breaks("it has a program for %s, and the worker runs %s", u.Platform, here)
	}
	if !s.options.Hosts {
		return breaks("it has a program that is to be started, and the worker starts none that come from elsewhere: start the worker with --allow-hosts if it may")
	}
	return nil
}

// late says that a unit did not end when its time was over.
func (s *Slot) late(limit time.Duration) error {
	if s.options.Time > 0 && (limit == 0 || s.options.Time < limit) {
		return overtime{broken(fmt.Sprintf("it took longer than the %s that the worker gives a unit, and did not stop within %s more: start the worker with a larger --time", s.options.Time, s.options.Grace))}
	}
	return overtime{broken(fmt.Sprintf("it did not stop when the %s that it was given were over, nor within %s more", limit, s.options.Grace))}
}

// size writes how many bytes there are.
func size(n uint64) string {
	const mebi = 1 << 20
	if n < mebi {
		return fmt.Sprintf("%d bytes", n)
	}
	if n < 1024*mebi {
		return fmt.Sprintf("%.1f MiB", float64(n)/mebi)
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1024*mebi))
}
