package rounds

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Fault is one fault of a schedule. Faults are comparable with ==.
type Fault struct {
	Kind    Kind
	Process string // for faults of messages: the sender
	To      string // for faults of messages: the receiver
	Round   int    // the round in which the fault happens, or begins
	Until   int    // the last round, for kinds of fault that last; 0 for others
	By      int    // for Delay and Duplicate: how many rounds later the message arrives; for Jump: how many rounds the clock jumps; for Tick: how many more ticks
	Of      string // for faults of messages: the kind of message that alone is hit; "" for all
	Nth     int    // of these only the n-th that Process sends To in the round, from 1, with all that are identical to it; 0 for all
	Detail  string // the rest of the text: "persisted/torn" of a Crash, "a,b|*" of a Partition, "c,a" of an Order, the fact of a Choose, the name of a Lie, what an Ask says
}

// String returns the fault as a schedule writes it: "omit a>b@2".
func (f Fault) String() string {
	row := f.Kind.row()
	text := f.Kind.String() + " " + f.Process
	switch row.shape {
	case ofLink, ofLater, ofLie:
		text += ">" + f.To
	case ofSides, ofCall:
		text += f.Detail
	}
	text += fmt.Sprintf("@%d", f.Round)
	if row.lasts && f.Until > f.Round {
		text += fmt.Sprintf("..%d", f.Until)
	}
	if f.Of != "" {
		text += "/" + f.ofText()
	}
	switch {
	case row.shape == ofLater || row.shape == ofJump:
		text += fmt.Sprintf("+%d", f.By)
	case row.shape == ofOrder || row.shape == ofLie:
		text += " " + f.Detail
	case row.shape == ofAsk:
		text += " " + strconv.Quote(f.Detail)
	case row.shape == ofCrash && f.Detail != "":
		text += "/" + f.Detail
	}
	return text
}

// Compare orders faults as in a schedule in normal form: by kind, by round, then by
// names.
func (f Fault) Compare(g Fault) int {
	return cmp.Or(
		cmp.Compare(f.Kind.row().order, g.Kind.row().order),
		cmp.Compare(f.Round, g.Round),
		cmp.Compare(f.Process, g.Process),
		cmp.Compare(f.To, g.To),
		cmp.Compare(f.Until, g.Until),
		cmp.Compare(f.By, g.By),
		cmp.Compare(f.Detail, g.Detail),
		cmp.Compare(f.Of, g.Of),
		cmp.Compare(f.Nth, g.Nth),
	)
}

// Schedule is the faults of one execution, and its settings.
type Schedule struct {
	Settings Settings
	Faults   []Fault
}

// Size returns the number of faults. Settings and choices do not count.
func (s Schedule) Size() int { return len(s.Faults) - s.Choices() }

// Choices returns how many facts the schedule chooses.
func (s Schedule) Choices() int {
	n := 0
	for i := range s.Faults {
		if s.Faults[i].Kind == Choose {
			n++
		}
	}
	return n
}

// LastRound returns the last round of a fault or a choice, 1 if there is none.
func (s Schedule) LastRound() int {
	last := 1
	for _, f := range s.Faults {
		last = max(last, f.Round, f.Until)
	}
	return last
}

// With returns the schedule with the given ones of settings in place of its own.
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
// isolations, omissions and then the others, sorted, each once, faults that last and
// overlap as one, a partition of one process against the rest as an isolation, and no
// fault of some messages beside one that hits them all. Schedules
// that mean the same faults have the same normal form, except that isolations one
// after the other stay apart, and partitions that only the names of all processes show
// to be the same: a,b|* and a,b|c,d.
func (s Schedule) Normal() Schedule {
	return Schedule{s.Settings, normal(s.Faults)}
}

// withoutSides returns a partition of one process against the rest as an isolation
// of it. One that names both sides stays as it is: whether they are all processes
// only [Schedule.Check] can say.
func (f Fault) withoutSides() Fault {
	if alone, ok := strings.CutSuffix(f.Detail, "|*"); ok && !strings.Contains(alone, ",") {
		f.Kind, f.Process, f.Detail = Isolate, alone, ""
	}
	return f
}

func normal(faults []Fault) []Fault {
	if len(faults) == 0 {
		return nil
	}
	sorted := slices.Clone(faults)
	for i := range sorted {
		switch {
		case sorted[i].Kind == Partition:
			sorted[i] = sorted[i].withoutSides()
		case sorted[i].Disk() == lost:
			sorted[i] = sorted[i].withDisk("")
		}
		if sorted[i].Kind.lasts() {
			sorted[i].Until = max(sorted[i].Until, sorted[i].Round)
		}
	}
	slices.SortFunc(sorted, Fault.Compare)
	normal := sorted[:0]
	type lasting struct {
		kind                    Kind
		process, to, detail, of string
		nth                     int
	}
	last := map[lasting]int{} // its index in normal
	for _, f := range sorted {
		if f.Kind.lasts() {
			l := lasting{f.Kind, f.Process, f.To, f.Detail, f.Of, f.Nth}
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
	return slices.Clip(withoutNarrow(normal))
}
