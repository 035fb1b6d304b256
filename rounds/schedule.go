package rounds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is one fault, or setting, of a schedule. Faults are comparable with ==.
type Fault struct {
	Kind    Kind
	Process string // for Omit: the sender
	To      string // for Omit: the receiver
	Round   int    // when it happens, or begins
	Until   int    // for Isolate and Pause: the last round of it; 0 for other kinds
	Value   uint64 // for Seed and Ticks, which have nothing else
}

// String returns the fault as a schedule writes it: "omit a>b@2".
func (f Fault) String() string {
	switch {
	case f.Kind.IsSetting():
		return fmt.Sprintf("%s %d", f.Kind, f.Value)
	case f.Kind == Omit:
		return fmt.Sprintf("%s %s>%s@%d", f.Kind, f.Process, f.To, f.Round)
	case f.Kind.lasts() && f.Until > f.Round:
		return fmt.Sprintf("%s %s@%d..%d", f.Kind, f.Process, f.Round, f.Until)
	default:
		return fmt.Sprintf("%s %s@%d", f.Kind, f.Process, f.Round)
	}
}

// Compare orders faults as a schedule in normal form does: by kind (settings
// come first), by round, then by names.
func (f Fault) Compare(g Fault) int {
	return cmp.Or(
		cmp.Compare(f.Kind.order(), g.Kind.order()),
		cmp.Compare(f.Round, g.Round),
		cmp.Compare(f.Process, g.Process),
		cmp.Compare(f.To, g.To),
		cmp.Compare(f.Until, g.Until),
		cmp.Compare(f.Value, g.Value),
	)
}

// Schedule is the faults of one execution, and its settings. A nil schedule has
// none.
type Schedule []Fault

// Faults returns the schedule without its settings.
func (s Schedule) Faults() Schedule {
	return slices.DeleteFunc(slices.Clone(s), func(f Fault) bool { return f.Kind.IsSetting() })
}

// Size returns the number of faults; settings count nothing.
func (s Schedule) Size() int {
	n := 0
	for _, f := range s {
		if !f.Kind.IsSetting() {
			n++
		}
	}
	return n
}

// Setting returns the value of a setting, and whether the schedule has it.
func (s Schedule) Setting(kind Kind) (uint64, bool) {
	for _, f := range s {
		if f.Kind == kind && kind.IsSetting() {
			return f.Value, true
		}
	}
	return 0, false
}

// With returns the schedule in normal form with another value for a setting.
func (s Schedule) With(kind Kind, value uint64) Schedule {
	without := slices.DeleteFunc(slices.Clone(s), func(f Fault) bool { return f.Kind == kind })
	return append(without, Fault{Kind: kind, Value: value}).Normal()
}

// String returns the text form, which ParseSchedule reads: "crash a@2; omit
// a>c@1". It is empty when there are no faults.
func (s Schedule) String() string {
	texts := make([]string, len(s))
	for i, f := range s {
		texts[i] = f.String()
	}
	return strings.Join(texts, "; ")
}

// Normal returns the same faults in normal form: settings, then crashes,
// restarts, pauses, isolations and omissions, sorted, each once, isolations or
// pauses of a process that overlap as one. Schedules that mean the same faults
// have the same normal form, except that isolations one after the other stay
// apart.
func (s Schedule) Normal() Schedule {
	if len(s) == 0 {
		return nil
	}
	sorted := slices.Clone(s)
	for i := range sorted {
		if sorted[i].Kind.lasts() {
			sorted[i].Until = max(sorted[i].Until, sorted[i].Round)
		}
	}
	slices.SortFunc(sorted, Fault.Compare)
	normal := sorted[:0]
	type lasting struct {
		kind    Kind
		process string
	}
	last := map[lasting]int{} // its index in normal
	for _, f := range sorted {
		if f.Kind.lasts() {
			l := lasting{f.Kind, f.Process}
			if i, ok := last[l]; ok && f.Round <= normal[i].Until {
				normal[i].Until = max(normal[i].Until, f.Until)
				continue
			}
			last[l] = len(normal)
		} else if len(normal) > 0 && normal[len(normal)-1] == f {
			continue
		}
		normal = append(normal, f)
	}
	return slices.Clip(normal)
}
