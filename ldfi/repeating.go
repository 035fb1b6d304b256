package ldfi

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// repeating finds quiet rounds of a schedule after which the state is what it was before, and in which post is missing: what is
// lost and chosen in them can come again and again. It is nil if there are none. The schedule with these
// rounds several times is executed.
func (w *within) repeating(s rounds.Schedule, begins, round int) (*result.Never, error) {
	seen, err := w.execute(w.program, s, round)
	if err != nil {
		return nil, err
	}
	for from := max(begins, named(w.program)); from <= round; from++ {
		for again := from + 1; again <= round; again++ {
			missing := slices.Concat(seen.missing[from:again]...)
			if len(missing) == 0 || seen.facts[from] != seen.facts[again] || seen.above[from] > seen.above[again] || !w.mayRepeat(s, from, again) {
				continue
			}
			slices.Sort(missing)
			never := &result.Never{From: from, Until: again - 1, Missing: slices.Compact(missing), Grows: seen.above[from] < seen.above[again]}
			never.With = during(s, from, again).String()
			return never, w.repeat(s, seen, from, again)
		}
	}
	return nil, nil
}

// during are the faults and choices of a schedule that are in some rounds.
func during(s rounds.Schedule, from, until int) rounds.Schedule {
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Round < from || f.Round >= until })
	return s
}

// mayRepeat tells whether what is lost and chosen in some rounds may be in as many others as well.
func (w *within) mayRepeat(s rounds.Schedule, from, until int) bool {
	for _, f := range during(s, from, until).Faults {
		if w.loud(f) > 0 || w.Model.bounds.Budget(f.Kind) != rounds.Unlimited && w.unbounded.bounds.Budget(f.Kind) != rounds.Unlimited {
			return false
		}
	}
	return true
}

// mostRepeated is how often rounds are executed that repeat.
const mostRepeated = 4

// repeat executes the program as it is written, with some rounds several times.
func (w *within) repeat(s rounds.Schedule, seen *followed, from, until int) error {
	period := until - from
	again := during(s, 1, from)
	for i := range mostRepeated {
		for _, f := range during(s, from, until).Faults {
			f.Round += i * period
			again.Faults = append(again.Faults, f)
		}
	}
	run, err := w.execute(w.Model.program, again.Normal(), from+mostRepeated*period-1)
	if err != nil {
		return err
	}
	for round := from; round < len(run.missing); round++ {
		like := from + (round-from)%period
		if len(run.missing[round]) > 0 != (len(seen.missing[like]) > 0) {
			return &internalError{again, fmt.Sprintf("the rounds %d to %d repeat", from, until-1), fmt.Sprintf("round %d differs", round)}
		}
	}
	return nil
}
