package carrier_test

import (
	"flag"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var long = flag.Bool("long", false, "also what takes minutes")

// How many units go through a server in a second, and what they cost all together.
func TestSpeed(t *testing.T) {
	n := 2000
	if *long {
		n = 100_000
	}
	p := newPlace(t)
	p.hire("one", 2, echo)
	a := p.ask()
	begun, cpu := time.Now(), used(t)
	go func() {
		for i := range n {
			a.unit(int64(i) + 1)
		}
	}()
	a.all(n, 5*time.Minute)
	took := time.Since(begun)
	t.Logf("%d units in %v: %.0f units/s, %v of CPU for each", n, took, float64(n)/took.Seconds(), (used(t)-cpu)/time.Duration(n))
	a.end()
}

func used(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
