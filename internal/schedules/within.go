package schedules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// Within returns an error if s exceeds a bound of b.
func Within(s rounds.Schedule, b rounds.Bounds) error {
	_, err := New(b).Units(s)
	return err
}

// Units returns the units of s, sorted. It returns an error if s is not within the
// bounds. An isolation whose rounds belong to several phases is several units.
func (u *Universe) Units(s rounds.Schedule) ([]int, error) {
	if err := s.Check(u.asked); err != nil {
		return nil, err
	}
	s = s.Normal()
	if err := u.checkLosses(s); err != nil {
		return nil, err
	}
	if err := Assumed(s, u.asked); err != nil {
		return nil, err
	}
	counted, in, err := u.allInPhases(s)
	if err != nil {
		return nil, err
	}
	var units []int
	counts := map[rounds.Kind]int{}
	for i := range u.sections {
		of := counted.units
		if u.sections[i].lasts {
			of = counted.lastingUnits
		}
		more, count, err := of(i, in)
		if err != nil {
			return nil, err
		}
		units = append(units, more...)
		counts[u.sections[i].kind.kind] += count
	}
	if err := u.checkCounts(counts, s); err != nil {
		return nil, err
	}
	if err := u.checkPoints(s); err != nil {
		return nil, err
	}
	if err := u.checkHits(s); err != nil {
		return nil, err
	}
	slices.Sort(units)
	return units, nil
}

// checkLosses reports a fault before the first round that can have one, and a loss or
// pause after the last.
func (u *Universe) checkLosses(s rounds.Schedule) error {
	for _, f := range s.Faults {
		if f.Kind != rounds.Choose && f.Round < u.asked.FirstFault() {
			return wrong("%s: no fault begins before round %d (from=%d)", f, u.asked.From, u.asked.From)
		}
		if last := max(f.Round, f.Until); f.Kind != rounds.Choose && last > u.asked.LastFault() && u.asked.FaultFree > 0 {
			return wrong("%s: nothing fails in the last %s of %d (--last)", f, text.Plural(u.asked.FaultFree, "round"), u.asked.EOT)
		}
		k := kindOf(f)
		if k == nil {
			return wrong("%s: no bounds allow this: only guides, and users, decide it", f)
		}
		switch last := k.last(u.asked); {
		case max(f.Round, f.Until) <= last:
		case f.Kind == rounds.Order:
			return wrong("%s: messages come in another order only in rounds before %d (eff=%d)", f, u.asked.EFF, u.asked.EFF)
		case f.Kind == rounds.Delay || f.Kind == rounds.Duplicate:
			return wrong("%s: only what is sent in rounds before %d comes late or twice (eff=%d)", f, u.asked.EFF, u.asked.EFF)
		case f.Kind == rounds.Terminate:
			return wrong("%s: programs are terminated only in rounds before %d (eff=%d)", f, u.asked.EFF, u.asked.EFF)
		case f.Kind >= rounds.Fast:
			return wrong("%s: clocks run wrong, and syncs fail, only in rounds before %d (eff=%d)", f, u.asked.EFF, u.asked.EFF)
		default:
			return wrong("%s: messages can be lost only in rounds before %d (eff=%d)", f, u.asked.EFF, u.asked.EFF)
		}
	}
	return nil
}

// checkCounts reports that there are more faults of a kind than the bounds allow.
func (u *Universe) checkCounts(counts map[rounds.Kind]int, s rounds.Schedule) error {
	for i := range kinds {
		k := kinds[i].kind
		count, most := counts[k], u.bounds.Budget(k)
		if k == rounds.Isolate {
			most = u.sections[isolations].budget
		}
		if most != rounds.Unlimited && count > most {
			allowed := fmt.Sprintf("%s=%d", strings.ReplaceAll(text.PluralWord(k.Noun()), " ", "-"), u.bounds.Budget(k))
			if most != u.bounds.Budget(k) {
				allowed += fmt.Sprintf(", %s", u.partitionsText())
			}
			return wrong("%s, where the bounds allow %d (%s): %s", text.Plural(count, k.Noun()), most, allowed, s)
		}
	}
	most := u.sections[isolations].budget
	if both := counts[rounds.Isolate] + counts[rounds.Partition]; most != rounds.Unlimited && both > most {
		return wrong("%s and %s, where the bounds allow %d of both (isolations=%d, %s): %s", text.Plural(counts[rounds.Isolate], "isolation"),
			text.Plural(counts[rounds.Partition], "partition"), most, u.bounds.Isolations, u.partitionsText(), s)
	}
	return nil
}

func (u *Universe) partitionsText() string { return fmt.Sprintf("partitions=%d", u.bounds.Partitions) }

// checkPoints reports a crash or jump that the bounds do not have, by its point,
// outcome, length or how late it is.
func (u *Universe) checkPoints(s rounds.Schedule) error {
	for _, f := range s.Faults {
		if _, ok := u.wayOf(f.Of); !ok || f.Nth > 0 {
			return u.wrongKind(f)
		}
		later := f.Kind == rounds.Delay || f.Kind == rounds.Duplicate
		if _, ok := u.Index(f); ok || f.Kind != rounds.Crash && f.Kind != rounds.Jump && !later {
			continue
		}
		switch {
		case f.Disk() != "" && !u.bounds.Disks:
			return wrong("%s: the bounds have no disks", f)
		case f.Point() != "":
			return wrong("%s: the bounds have no points within a round of %s", f, f.Process)
		case later && f.By > u.bounds.MaxDelay:
			return wrong("%s: a message comes late or twice by at most %s (max-delay=%d)", f, text.Plural(u.bounds.MaxDelay, "round"), u.bounds.MaxDelay)
		case f.Kind == rounds.Jump && f.By > u.bounds.MaxJump:
			return wrong("%s: a clock jumps by at most %s (max-jump=%d)", f, text.Plural(u.bounds.MaxJump, "round"), u.bounds.MaxJump)
		}
	}
	return nil
}

// units returns the units of a kind of fault that has one round, and the number of its
// faults: faults that the bounds do not allow have no units.
func (u *Universe) units(row int, schedule rounds.Schedule) (units []int, count int, err error) {
	for _, f := range schedule.Faults {
		if rowOf(f) != row {
			continue
		}
		count++
		if unit, ok := u.Index(f); ok {
			units = append(units, unit)
		}
	}
	return units, count, nil
}

// lastingUnits returns the units of a kind of fault that lasts, and their number.
func (u *Universe) lastingUnits(row int, schedule rounds.Schedule) (units []int, count int, err error) {
	var targets []string // that are struck
	struck := map[string]map[int]rounds.Fault{}
	for _, f := range schedule.Faults {
		if rowOf(f) != row {
			continue
		}
		target := f.Process + ">" + f.To + "/" + f.Of
		if f.Nth > 0 {
			target += fmt.Sprintf("#%d", f.Nth)
		}
		if row == partitions {
			target = u.sidesText(u.sides(f.Detail))
		}
		if struck[target] == nil {
			struck[target] = map[int]rounds.Fault{}
			targets = append(targets, target)
		}
		for round := f.Round; round <= f.Until; round++ {
			struck[target][round] = f
		}
	}
	// The bounds may allow none of these faults, which are counted all the same.
	all := u.sections[row]
	all.from, all.last, all.period, all.steps = 1, u.bounds.LastLoss(), all.period/all.steps, 1
	for _, target := range targets {
		for i := range all.phases() {
			f, err := u.start(struck[target], all.phaseOf(i*all.period+1))
			if err != nil {
				return nil, 0, err
			}
			if f == (rounds.Fault{}) {
				continue
			}
			count++
			if unit, ok := u.Index(f); ok {
				units = append(units, unit)
			}
		}
	}
	return units, count, nil
}

// start returns the fault that strikes a target in a phase, from its first round to the end
// of the phase; no fault if the target is not struck.
func (u *Universe) start(struck map[int]rounds.Fault, phase span) (rounds.Fault, error) {
	var found rounds.Fault
	for round := phase.first; round <= phase.last; round++ {
		switch f, in := struck[round]; {
		case in && found.Round == 0:
			found = f
			found.Round, found.Until = round, phase.last
		case !in && found.Round > 0:
			cut := found
			cut.Until = round - 1
			return rounds.Fault{}, wrong("%s: it lasts until its phase ends (period=%d), which is %s", cut, u.bounds.Period, found)
		}
	}
	return found, nil
}

// wrong returns an error about a schedule. [errors.Unwrap] gives it without its first word.
func wrong(format string, args ...any) error {
	return fmt.Errorf("schedule: %w", fmt.Errorf(format, args...))
}
