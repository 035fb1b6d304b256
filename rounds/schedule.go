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
	Until   int    // for Isolate: the last round of it; 0 for other kinds
}

// String returns the fault as a schedule writes it: "omit a>b@2".
func (f Fault) String() string {
	switch {
	case f.Kind == Omit:
		return fmt.Sprintf("%s %s>%s@%d", f.Kind, f.Process, f.To, f.Round)
	case f.Kind == Isolate && f.Until > f.Round:
		return fmt.Sprintf("%s %s@%d..%d", f.Kind, f.Process, f.Round, f.Until)
	default:
		return fmt.Sprintf("%s %s@%d", f.Kind, f.Process, f.Round)
	}
}

// Compare orders faults as a schedule in normal form does: by kind, by round,
// then by names.
func (f Fault) Compare(g Fault) int {
	return cmp.Or(
		cmp.Compare(f.Kind, g.Kind),
		cmp.Compare(f.Round, g.Round),
		cmp.Compare(f.Process, g.Process),
		cmp.Compare(f.To, g.To),
		cmp.Compare(f.Until, g.Until),
	)
}

// Schedule is the faults of one execution. A nil schedule has none.
type Schedule []Fault

// String returns the text form, which ParseSchedule reads: "crash a@2; omit
// a>c@1". It is empty when there are no faults.
func (s Schedule) String() string {
	texts := make([]string, len(s))
	for i, f := range s {
		texts[i] = f.String()
	}
	return strings.Join(texts, "; ")
}

// Normal returns the same faults in normal form: sorted, each once, isolations
// of a process that overlap as one. Schedules that mean the same faults have
// the same normal form, except that isolations one after the other stay apart.
func (s Schedule) Normal() Schedule {
	if len(s) == 0 {
		return nil
	}
	sorted := slices.Clone(s)
	for i := range sorted {
		if sorted[i].Kind == Isolate {
			sorted[i].Until = max(sorted[i].Until, sorted[i].Round)
		}
	}
	slices.SortFunc(sorted, Fault.Compare)
	normal := sorted[:0]
	lastIsolation := map[string]int{} // by process, its index in normal
	for _, f := range sorted {
		if f.Kind == Isolate {
			if i, ok := lastIsolation[f.Process]; ok && f.Round <= normal[i].Until {
				normal[i].Until = max(normal[i].Until, f.Until)
				continue
			}
			lastIsolation[f.Process] = len(normal)
		} else if len(normal) > 0 && normal[len(normal)-1] == f {
			continue
		}
		normal = append(normal, f)
	}
	return slices.Clip(normal)
}
