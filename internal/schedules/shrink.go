package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Fails tells whether the failure that is being shrunk also happens under the given
// schedule.
type Fails func(rounds.Schedule) (bool, error)

// ShrinkFaults leaves faults out of a failing schedule until none can be left out. The
// error is that of fails.
func ShrinkFaults(s rounds.Schedule, fails Fails) (rounds.Schedule, error) {
	for {
		fewer, err := leaveOut(s, fails)
		if err != nil || len(fewer.Faults) == len(s.Faults) {
			return s, err
		}
		s = fewer
	}
}

// Shrink makes a failing schedule s smaller while it fails, until no step is possible.
// The steps leave out a fault, a crash with its restart, a restart with the next crash,
// a setting that is not fixed (of starts and latencies each), requests of a script, a point within a round, the part of a disk that was kept
// or torn, or the first rounds of faults that last; let clocks jump less far; and
// replace a partition by an isolation. The error is that of fails.
func Shrink(s rounds.Schedule, fixed rounds.Settings, fails Fails) (rounds.Schedule, error) {
	return ShrinkAsFar(s, fixed, fails, fails)
}

// ShrinkAsFar is Shrink that also tries each later start of a fault with the function
// each, as ShrinkStarts does.
func ShrinkAsFar(s rounds.Schedule, fixed rounds.Settings, fails, each Fails) (rounds.Schedule, error) {
	for {
		smaller, err := ShrinkSameStarts(s, fixed, fails)
		if err == nil {
			smaller, err = ShrinkStarts(smaller, fails, each)
		}
		if err != nil || equal(smaller, s) {
			return smaller, err
		}
		s = smaller
	}
}

// ShrinkSameStarts is [Shrink] without the first rounds of faults that last.
func ShrinkSameStarts(s rounds.Schedule, fixed rounds.Settings, fails Fails) (rounds.Schedule, error) {
	for {
		smaller := s
		for _, pass := range []func(rounds.Schedule, Fails) (rounds.Schedule, error){leaveOut, leaveOutPairs, unset(fixed), simplify, askLess(fixed)} {
			var err error
			if smaller, err = pass(smaller, fails); err != nil {
				return s, err
			}
		}
		if equal(smaller, s) {
			return s, nil
		}
		s = smaller
	}
}

// equal tells whether nothing was made smaller.
func equal(s, t rounds.Schedule) bool {
	return s.Settings == t.Settings && slices.Equal(s.Faults, t.Faults)
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
		fewer := Without(s, i)
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

// unset returns a step that tries for each setting to leave it out.
func unset(fixed rounds.Settings) func(rounds.Schedule, Fails) (rounds.Schedule, error) {
	return func(s rounds.Schedule, fails Fails) (rounds.Schedule, error) {
		if s.Settings.Apart() != (rounds.Settings{}) {
			var err error
			if s, err = unsetApart(s, fixed, fails); err != nil {
				return s, err
			}
		}
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

// unsetApart leaves out when processes start and how late links are, which then follows
// from the seed, or from that of no seed: all of it with the seed, or else the seed alone
// and then one after the other; or all of it, because more than that follows from the seed.
func unsetApart(s rounds.Schedule, fixed rounds.Settings, fails Fails) (rounds.Schedule, error) {
	try := func(fewer rounds.Settings) (bool, error) {
		if fewer == s.Settings || fewer.With(fixed) != fewer {
			return false, nil
		}
		failed, err := fails(rounds.Schedule{Settings: fewer, Faults: s.Faults})
		if failed && err == nil {
			s.Settings = fewer
		}
		return failed, err
	}
	drawn, seedless := s.Settings, s.Settings
	drawn.Start, drawn.Latency, seedless.Seed = fixed.Start, fixed.Latency, fixed.Seed
	neither := drawn
	neither.Seed = fixed.Seed
	if failed, err := try(neither); failed || err != nil {
		return s, err
	}
	if failed, err := try(seedless); !failed || err != nil {
		if err == nil && s.Settings.Seed.Given {
			_, err = try(drawn)
		}
		if s.Settings == drawn || err != nil {
			return s, err
		}
	}
	fewer := s.Settings
	fewer.Latency = fixed.Latency
	if _, err := try(fewer); err != nil {
		return s, err
	}
	fewer = s.Settings
	fewer.Start = fixed.Start
	if _, err := try(fewer); err != nil {
		return s, err
	}
	for i := len(s.Settings.WithoutEachApart()) - 1; i >= 0; i-- {
		if _, err := try(s.Settings.WithoutEachApart()[i]); err != nil {
			return s, err
		}
	}
	return s, nil
}

// askLess returns a step that leaves out requests of the script, unless those that are made
// are fixed: halves of them, then quarters, and so on to each by itself, the last first.
// Fewer requests take less time. So each is tried with the faults where they are, and
// earlier. Where fewer requests fail without faults, as if they were no work that the system
// is meant for, they are not left out.
func askLess(fixed rounds.Settings) func(rounds.Schedule, Fails) (rounds.Schedule, error) {
	return func(s rounds.Schedule, fails Fails) (rounds.Schedule, error) {
		made, _ := s.Settings.Scripted()
		if fixed.Requests != "" {
			return s, nil
		}
		for size := (len(made) + 1) / 2; size > 0; size /= 2 {
			for end := len(made); end > 0; end -= size {
				rest := slices.Concat(made[:max(end-size, 0)], made[end:])
				left := s
				left.Settings.SetScripted(rest)
				if faultless := (rounds.Schedule{Settings: left.Settings}); len(s.Faults) > 0 {
					switch failed, err := fails(faultless); {
					case err != nil:
						return s, err
					case failed: // for want of requests, which is another failure
						continue
					}
				}
				for _, fewer := range earlier(left, len(made)-len(rest), len(made)) {
					failed, err := fails(fewer)
					if err != nil {
						return s, err
					}
					if failed {
						s, made = fewer, rest
						break
					}
				}
			}
		}
		return s, nil
	}
}

// earlier returns a schedule, and the schedules with all of its faults earlier: by so many
// parts of the rounds before the first, and by half of these.
func earlier(s rounds.Schedule, part, parts int) (all []rounds.Schedule) {
	all = append(all, s)
	first := 0
	for _, f := range s.Faults {
		if first == 0 || f.Round < first {
			first = f.Round
		}
	}
	for _, by := range []int{first * part / parts, first * part / parts / 2} {
		if by == 0 || by >= first {
			continue
		}
		moved := s
		moved.Faults = slices.Clone(s.Faults)
		for i := range moved.Faults {
			f := &moved.Faults[i]
			f.Round -= by
			if f.Until > 0 {
				f.Until -= by
			}
		}
		all = append(all, moved)
	}
	return all
}

func seed(s *rounds.Settings) *rounds.Setting  { return &s.Seed }
func ticks(s *rounds.Settings) *rounds.Setting { return &s.Ticks }

func goroutines(s *rounds.Settings) *rounds.Setting { return &s.Goroutines }

// ShrinkStarts makes each fault that lasts begin as late as possible, the first fault
// first. It first halves the possible starts, with the function fails. Then it tries each
// later start, the latest first, with the function each; there are as many as the fault has
// rounds.
func ShrinkStarts(s rounds.Schedule, fails, each Fails) (rounds.Schedule, error) {
	for i, f := range s.Faults {
		from, behind := f.Round, f.Until+1 // the schedule fails with the start from, and not with behind
		tried := map[int]bool{}
		at := func(start int, fails Fails) (bool, error) {
			later := s
			later.Faults = slices.Clone(s.Faults)
			later.Faults[i].Round = start
			tried[start] = true
			failed, err := fails(later)
			if failed && err == nil {
				s = later
			}
			return failed, err
		}
		for behind-from > 1 {
			start := (from + behind) / 2
			switch failed, err := at(start, fails); {
			case err != nil:
				return s, err
			case failed:
				from = start
			default:
				behind = start
			}
		}
		for start := f.Until; start > from; start-- {
			if tried[start] {
				continue
			}
			if failed, err := at(start, each); failed || err != nil {
				if err != nil {
					return s, err
				}
				break
			}
		}
	}
	return s, nil
}
