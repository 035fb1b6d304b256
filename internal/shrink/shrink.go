// Package shrink takes away from a schedule under which something fails what is
// not needed for that.
package shrink

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Fails tells whether what failed under a schedule fails under a smaller one as
// well.
type Fails func(rounds.Schedule) (bool, error)

// Faults leaves faults out of a schedule that fails until none can be left out. An
// error is one of fails.
func Faults(s rounds.Schedule, fails Fails) (rounds.Schedule, error) {
	for {
		fewer, err := leaveOut(s, fails)
		if err != nil || len(fewer.Faults) == len(s.Faults) {
			return s, err
		}
		s = fewer
	}
}

// Schedule leaves out of a schedule that fails faults, a crash and its restart or a
// restart and the next crash at once, settings that are not among those that are
// fixed, points within a round, what a disk kept or tore, and the first rounds of
// isolations and of other faults that last; it lets clocks jump less far, and isolates a process rather than to part several from the others, until
// nothing of that can be done. An error is one of fails.
func Schedule(s rounds.Schedule, fixed rounds.Settings, fails Fails) (rounds.Schedule, error) {
	for {
		smaller := s
		for _, pass := range []func(rounds.Schedule, Fails) (rounds.Schedule, error){leaveOut, leaveOutPairs, unset(fixed), simplify, startLater} {
			var err error
			if smaller, err = pass(smaller, fails); err != nil {
				return s, err
			}
		}
		if smaller.Settings == s.Settings && slices.Equal(smaller.Faults, s.Faults) {
			return s, nil
		}
		s = smaller
	}
}

// leaveOut tries once for each fault, from the last, to leave it out, and then for
// each choice.
func leaveOut(s rounds.Schedule, fails Fails) (rounds.Schedule, error) {
	s, err := leaveOutThose(s, func(k rounds.Kind) bool { return k != rounds.Choose }, fails)
	if err != nil || s.Choices() == 0 {
		return s, err
	}
	return leaveOutThose(s, func(k rounds.Kind) bool { return k == rounds.Choose }, fails)
}

func leaveOutThose(s rounds.Schedule, which func(rounds.Kind) bool, fails Fails) (rounds.Schedule, error) {
	for i := len(s.Faults) - 1; i >= 0; i-- {
		if !which(s.Faults[i].Kind) {
			continue
		}
		fewer := s
		fewer.Faults = slices.Delete(slices.Clone(s.Faults), i, i+1)
		failed, err := fails(fewer)
		if err != nil {
			return s, err
		}
		if failed {
			s = fewer
		}
	}
	return s, nil
}

// unset returns what tries once for each setting to leave it out.
func unset(fixed rounds.Settings) func(rounds.Schedule, Fails) (rounds.Schedule, error) {
	return func(s rounds.Schedule, fails Fails) (rounds.Schedule, error) {
		for _, of := range []func(*rounds.Settings) *rounds.Setting{goroutines, ticks, seed} {
			fewer := s
			if setting := of(&fewer.Settings); !setting.Given || *setting == *of(&fixed) {
				continue
			}
			*of(&fewer.Settings) = rounds.Setting{}
			failed, err := fails(fewer)
			if err != nil {
				return s, err
			}
			if failed {
				s = fewer
			}
		}
		return s, nil
	}
}

func seed(s *rounds.Settings) *rounds.Setting  { return &s.Seed }
func ticks(s *rounds.Settings) *rounds.Setting { return &s.Ticks }

func goroutines(s *rounds.Settings) *rounds.Setting { return &s.Goroutines }

// startLater lets each fault that lasts begin as late as it can.
func startLater(s rounds.Schedule, fails Fails) (rounds.Schedule, error) {
	for i, f := range s.Faults {
		if f.Until <= f.Round {
			continue
		}
		for start := f.Until; start > f.Round; start-- {
			later := s
			later.Faults = slices.Clone(s.Faults)
			later.Faults[i].Round = start
			failed, err := fails(later)
			if err != nil {
				return s, err
			}
			if failed {
				s = later
				break
			}
		}
	}
	return s, nil
}
