package simulation

import "time"

// Measured are so many workers of one slot each, and what each step costs them: processor
// time as BenchmarkUnit and BenchmarkSecond say it (on a machine with two cores that had
// other work too, rounded up), the network of a building, and a coordinator with 8 cores.
func Measured(workers int) Parameters {
	return Parameters{
		Workers: workers,
		Slots:   1,

		Latency:   250 * time.Microsecond,
		Bandwidth: 125e6, // a gigabit

		HandOut: 300 * time.Microsecond, // ldfi and ldfi-cluster carry, half of what they have with a unit
		Take:    300 * time.Microsecond,
		Hear:    200 * time.Microsecond,
		Window:  2,
		Recheck: 0.02,
		Cores:   8,

		Accept:      300 * time.Microsecond,
		Deliver:     200 * time.Microsecond,
		Keep:        300 * time.Microsecond,
		Alive:       700 * time.Microsecond,
		ServerCores: 2,

		Start: 100 * time.Millisecond,
		Each:  10 * time.Millisecond, // directory, files, reading the question, looking whether its answer is known

		Sign:   2 * time.Second,
		Regive: 6 * time.Second,
		Tries:  3,
	}
}

// Opening is what ldfi check has to do with each case before it is handed out, and behind
// that: it reads the programs, and executes counterexamples again.
const Opening = 5 * time.Millisecond
