package rounds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is one fault of a schedule. Faults are comparable with ==.
type Fault struct {
	Kind    Kind
	Process string // for Omit: the sender
	To      string // for Omit: the receiver
	Round   int    // when it happens, or begins
	Until   int    // for Isolate and Pause: the last round of it; 0 for other kinds
}

// String returns the fault as a schedule writes it: "omit a>b@2".
func (f Fault) String() string {
	switch {
	case f.Kind == Omit:
		return fmt.Sprintf("%s %s>%s@%d", f.Kind, f.Process, f.To, f.Round)
	case f.Kind.lasts() && f.Until > f.Round:
		return fmt.Sprintf("%s %s@%d..%d", f.Kind, f.Process, f.Round, f.Until)
	default:
		return fmt.Sprintf("%s %s@%d", f.Kind, f.Process, f.Round)
	}
}

// Compare orders faults as a schedule in normal form does: by kind, by round,
// then by names.
func (f Fault) Compare(g Fault) int {
	return cmp.Or(
		cmp.Compare(f.Kind.order(), g.Kind.order()),
		cmp.Compare(f.Round, g.Round),
		cmp.Compare(f.Process, g.Process),
		cmp.Compare(f.To, g.To),
		cmp.Compare(f.Until, g.Until),
	)
}

// Schedule is the faults of one execution, and its settings.
type Schedule struct {
	Settings Settings
	Faults   []Fault
}

// Size returns the number of faults; settings count nothing.
func (s Schedule) Size() int { return len(s.Faults) }

// With returns the schedule with these settings in place of its own, where they
// are given.
func (s Schedule) With(settings Settings) Schedule {
	s.Settings = s.Settings.With(settings)
	return s
}

// String returns the text form, which ParseSchedule reads: "seed 7; crash a@2;
// omit a>c@1". It is empty when there are no faults and settings.
func (s Schedule) String() string {
	texts := s.Settings.texts()
	for _, f := range s.Faults {
		texts = append(texts, f.String())
	}
	return strings.Join(texts, "; ")
}

// Normal returns the same faults in normal form: crashes, restarts, pauses,
// isolations and omissions, sorted, each once, isolations or
// pauses of a process that overlap as one. Schedules that mean the same faults
// have the same normal form, except that isolations one after the other stay
// apart.
func (s Schedule) Normal() Schedule {
	return Schedule{s.Settings, normal(s.Faults)}
}

func normal(faults []Fault) []Fault {
	if len(faults) == 0 {
		return nil
	}
	sorted := slices.Clone(faults)
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
