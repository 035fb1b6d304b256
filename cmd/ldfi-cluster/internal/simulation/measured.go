package simulation

import "time"

// Measured are as many workers of one slot each, with costs as they were measured by the
// benchmarks of ldfi-cluster on a machine with two cores.
func Measured(workers int) Parameters {
	return Parameters{
		Workers: workers,
		Slots:   1,

		Latency:   250 * time.Microsecond, // of a local network
		Bandwidth: 125e6,                  // a gigabit per second

		HandOut: 200 * time.Microsecond,
		Take:    200 * time.Microsecond,
		Window:  2,
		Recheck: 0.02,
		Cores:   8,

		Accept:      100 * time.Microsecond,
		Deliver:     50 * time.Microsecond,
		Keep:        100 * time.Microsecond,
		Alive:       30 * time.Microsecond,
		ServerCores: 2,

		Start: 100 * time.Millisecond,
		Each:  2 * time.Millisecond,
		Trips: 1,

		Sign:   3 * time.Second,
		Regive: 10 * time.Second,
		Tries:  3,
	}
}
