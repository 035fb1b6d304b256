package rounds

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/lineage-driven/ldfi/internal/text"
)

// CheckProgram returns an error if the bounds allow faults that Dedalus programs do not
// have, or partitions of too many processes.
func (b Bounds) CheckProgram() error {
	var all []error
	lacks := func(what string) {
		all = append(all, fmt.Errorf("bounds: a Dedalus program has no %s; only systems written in Go do", what))
	}
	for _, k := range spoken {
		if b.Budget(k) != 0 && !k.OfPrograms() {
			lacks(text.PluralWord(k.Noun()))
		}
	}
	if b.Disks {
		lacks("disks")
	}
	if b.FaultFree != 0 {
		lacks("rounds at the end in which nothing fails")
	}
	if len(b.Points) > 0 {
		lacks("points within a round")
	}
	if wrong := b.tooManyParted(); wrong != "" {
		all = append(all, fmt.Errorf("bounds: %s", wrong))
	}
	return errors.Join(all...)
}

// mostPartedInPrograms is how many processes a program has at most where there can
// be partitions: all ways to part them are looked at together.
const mostPartedInPrograms = 8

// tooManyParted says why a program has too many processes for partitions.
func (b Bounds) tooManyParted() string {
	n := len(b.Processes)
	if b.Partitions == 0 || n <= mostPartedInPrograms {
		return ""
	}
	ways := new(big.Int).Lsh(big.NewInt(1), uint(n-1))
	return fmt.Sprintf("partitions: %d processes can be parted in %d ways, which is too many: in a program partitions go with at most %d processes; use isolations or cuts",
		n, ways.Sub(ways, big.NewInt(1)), mostPartedInPrograms)
}

// CheckProgram returns an error if the schedule has something that Dedalus programs do
// not have: pauses, orders, crashes at a point within a round, faults of clocks and
// disks, and settings.
func (s Schedule) CheckProgram() error {
	lacks := func(what fmt.Stringer, why string) error {
		return wrong("%s: a Dedalus program has no %s", what, why)
	}
	for _, f := range s.Faults {
		if !f.Kind.OfPrograms() {
			return lacks(f, f.Kind.Setting()+"; only systems written in Go do")
		}
		if f.Point() != "" {
			return lacks(f, "points within a round; only systems written in Go do")
		}
		if f.Disk() != "" {
			return lacks(f, "disks; only systems written in Go do")
		}
	}
	switch settings := s.Settings; {
	case settings.Seed.Given || settings.Reseed.Given:
		return lacks(settings, "random choices, and so no seed")
	case settings.Ticks.Given:
		return lacks(settings, "timers, and so no ticks")
	case settings.Goroutines.Given:
		return lacks(Settings{Goroutines: settings.Goroutines}, "goroutines; only systems written in Go do")
	case settings.Reliable != "":
		return lacks(Settings{Reliable: settings.Reliable}, "such setting in its schedules: its own settings, or --reliable, say that")
	case settings.Start != "":
		return lacks(Settings{Start: settings.Start}, "such setting in its schedules: its setting join says who takes part later")
	case settings.Latency != "":
		return lacks(Settings{Latency: settings.Latency}, "latencies; only systems written in Go do")
	case settings.Requests != "":
		return lacks(Settings{Requests: settings.Requests}, "script of requests; only systems with servers do")
	}
	return nil
}
