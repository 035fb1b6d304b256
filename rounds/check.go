package rounds

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Check returns an error if a fault is not possible with the processes, the rounds and
// the points of b, or is of a form that nothing executes yet. It ignores the budgets.
func (s Schedule) Check(b Bounds) error {
	downs, later, chosen, eot := false, false, 0, b.EOT
	if ticks := s.Settings.Ticks.Value; ticks > maxTicks {
		return wrong("ticks %d: there are at most %d ticks in a round", ticks, maxTicks)
	}
	if from := s.Settings.ReseedFrom; from > eot {
		return wrong("%s: %w", s.Settings.reseed(), noRound(from, eot))
	}
	if err := s.Settings.checkReliable(b.Processes); err != nil {
		return err
	}
	if err := s.Settings.checkApart(b.Processes); err != nil {
		return err
	}
	for _, f := range s.Faults {
		if err := f.check(b); err != nil {
			return wrong("%s: %w", f, err)
		}
		downs = downs || f.Kind == Crash || f.Kind == Restart
		later = later || f.Kind == Delay || f.Kind == Duplicate || f.Kind == Order
		if f.Kind == Choose {
			chosen++
		}
	}
	if chosen > 1 {
		if err := b.checkChoices(s.Faults); err != nil {
			return err
		}
	}
	if later {
		if err := checkLate(s.Faults); err != nil {
			return err
		}
	}
	if err := checkClocks(s.Faults); err != nil || !downs {
		return err
	}
	return checkDowns(s.Faults)
}

// checkClocks reports a clock that runs fast and slow at a time, or jumps twice in
// one round.
func checkClocks(faults []Fault) error {
	type now struct {
		process string
		round   int
	}
	var rates, jumps map[now]Fault
	for _, f := range faults {
		if f.Kind != Fast && f.Kind != Slow && f.Kind != Jump {
			continue
		}
		if rates == nil {
			rates, jumps = map[now]Fault{}, map[now]Fault{}
		}
		at := now{f.Process, f.Round}
		if g, twice := jumps[at]; f.Kind == Jump && twice && f != g {
			return wrong("%s; %s: a clock jumps once in a round: write %s", g, f, Fault{Kind: Jump, Process: f.Process, Round: f.Round, By: f.By + g.By})
		}
		if f.Kind == Jump {
			jumps[at] = f
			continue
		}
		for ; at.round <= max(f.Until, f.Round); at.round++ {
			if g, both := rates[at]; both && f.Kind != g.Kind {
				return wrong("%s; %s: in a round a clock runs either fast or slow", g, f)
			}
			rates[at] = f
		}
	}
	return nil
}

// wrong is what is wrong with a schedule. [errors.Unwrap] gives it without the
// word in front.
func wrong(format string, args ...any) error {
	return fmt.Errorf("schedule: %w", fmt.Errorf(format, args...))
}

// checkDowns reports a crash of a process that is down, or a restart of one that
// is not: one happens after the other.
func checkDowns(faults []Fault) error {
	downs := make([]Fault, 0, 8)
	for _, f := range faults {
		if f.Kind == Crash || f.Kind == Restart {
			downs = append(downs, f)
		}
	}
	slices.SortStableFunc(downs, Fault.compareDowns)
	downs = slices.Compact(downs)
	for i, f := range downs {
		same := i > 0 && downs[i-1].Process == f.Process
		switch {
		case f.Kind == Crash && same && downs[i-1].Kind == Crash:
			return wrong("%s: %s has crashed in round %d already", f, f.Process, downs[i-1].Round)
		case f.Kind == Restart && !same:
			return wrong("%s: %s has not crashed before; write for example crash %s@%d; %s", f, f.Process, f.Process, max(f.Round-1, 1), f)
		case f.Kind == Restart && downs[i-1].Kind == Restart:
			return wrong("%s: %s has restarted in round %d already", f, f.Process, downs[i-1].Round)
		}
	}
	return nil
}

// compareDowns orders crashes and restarts as they happen to one process after
// the other. In a round it crashes, restarts, and crashes at a point within the
// round.
func (f Fault) compareDowns(g Fault) int {
	within := func(f Fault) int {
		switch {
		case f.Kind == Restart:
			return 1
		case f.Point() != "":
			return 2
		}
		return 0
	}
	return cmp.Or(cmp.Compare(f.Process, g.Process), cmp.Compare(f.Round, g.Round), cmp.Compare(within(f), within(g)), cmp.Compare(f.Detail, g.Detail))
}

func (f Fault) check(b Bounds) error {
	if !f.Kind.known() {
		return errors.New("there is no such kind of fault")
	}
	if err := f.checkNames(b.Processes); err != nil {
		return err
	}
	eot := b.EOT
	if f.Round < 1 || f.Round > eot {
		return noRound(f.Round, eot)
	}
	if f.Kind.lasts() && f.Until > eot {
		return noRound(f.Until, eot)
	}
	if err := f.checkDisk(); err != nil {
		return err
	}
	if err := f.checkOf(); err != nil {
		return err
	}
	if b.Joins != nil && f.Kind != Partition {
		if err := f.absent(b); err != nil {
			return err
		}
	}
	if f.Kind == Jump && (f.By < 1 || f.By > maxRound) {
		return fmt.Errorf("a clock jumps by at least 1 and at most %d rounds", maxRound)
	}
	if f.Kind == Delay || f.Kind == Duplicate {
		return f.checkLater(eot)
	}
	if f.Kind == Choose {
		return f.checkChoice(b)
	}
	if f.Kind == Order {
		return f.checkOrder(b.Processes)
	}
	return f.checkPoint(b.Points)
}

// Point returns the point within the round at which a process crashes, "" for none and
// for other kinds of fault.
func (f Fault) Point() string {
	if f.Kind != Crash || f.Detail == "" {
		return ""
	}
	first, _, _ := strings.Cut(f.Detail, "/")
	if slices.Contains(disks, first) {
		return ""
	}
	return first
}

// Disk returns what a crash does to the unsynced part of the disk: "kept" or "torn", ""
// if it is lost, and "" for other kinds of fault.
func (f Fault) Disk() string {
	if f.Kind != Crash || f.Detail == "" {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(f.Detail, f.Point()), "/")
}

// withDisk returns a crash with another outcome of its disk.
func (f Fault) withDisk(disk string) Fault {
	f.Detail = strings.Trim(f.Point()+"/"+disk, "/")
	return f
}

// checkDisk reports a crash that says what is so anyway.
func (f Fault) checkDisk() error {
	if f.Disk() == lost {
		return fmt.Errorf("what was not synced is lost unless a crash says otherwise: write %s", f.withDisk(""))
	}
	return nil
}

// checkPoint reports a crash at a point that the process does not declare.
func (f Fault) checkPoint(declared map[string][]string) error {
	point, points := f.Point(), declared[f.Process]
	switch {
	case point == "" || declared == nil || slices.Contains(points, point):
		return nil
	case len(points) == 0:
		return fmt.Errorf("%s declares no points within a round at which it can crash: write %s", f.Process, Fault{Kind: Crash, Process: f.Process, Round: f.Round})
	}
	return fmt.Errorf("there is no point %q%s: %s can crash within a round at %s", point, text.DidYouMean(point, points), f.Process, strings.Join(points, ", "))
}

// checkNames reports what is wrong with the processes that a fault names.
func (f Fault) checkNames(processes []string) error {
	shape := f.Kind.row().shape
	switch {
	case shape == ofSides:
		return f.checkSides(processes)
	case shape == ofCall:
		return nil // checkChoice says more
	case !slices.Contains(processes, f.Process):
		return unknownProcess(f.Process, processes)
	case shape != ofLink && shape != ofLater && shape != ofLie:
		return nil
	case !slices.Contains(processes, f.To):
		return unknownProcess(f.To, processes)
	case f.To == f.Process && shape == ofLater:
		return errors.New("a message from a process to itself comes at once, and once")
	case f.To == f.Process:
		return errors.New("a message from a process to itself is never lost")
	default:
		return nil
	}
}

// checkSides reports a partition that does not name every process once, or that
// is the isolation of one process.
func (f Fault) checkSides(processes []string) error {
	names := strings.FieldsFunc(f.Detail, func(r rune) bool { return r == '|' || r == ',' })
	var rest []string // what * stands for
	for i, name := range names {
		if name != "*" && !slices.Contains(processes, name) {
			return unknownProcess(name, processes)
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%s is named twice", name)
		}
	}
	for _, name := range processes {
		if !slices.Contains(names, name) {
			rest = append(rest, name)
		}
	}
	if len(rest) > 0 && !slices.Contains(names, "*") {
		return fmt.Errorf("%s is on neither side; * is the rest", rest[0])
	}
	if len(rest) == 0 && slices.Contains(names, "*") {
		return errors.New("all processes are on one side; * is the rest, and there is none")
	}
	for side := range strings.SplitSeq(f.Detail, "|") {
		members := strings.Split(side, ",")
		if side == "*" {
			members = rest
		}
		if len(members) == 1 {
			return fmt.Errorf("one process against the rest is an isolation; write %s", Fault{Kind: Isolate, Process: members[0], Round: f.Round, Until: f.Until})
		}
	}
	return nil
}

// CheckRound returns an error unless 1 <= round <= EOT.
func (b Bounds) CheckRound(round int) error {
	if round < 1 || round > b.EOT {
		return noRound(round, b.EOT)
	}
	return nil
}

// CheckProcess returns an error if no process has the name.
func (b Bounds) CheckProcess(name string) error {
	if slices.Contains(b.Processes, name) {
		return nil
	}
	return unknownProcess(name, b.Processes)
}

func noRound(round, eot int) error {
	return fmt.Errorf("there is no round %d, the rounds are 1 to %d (eot=%d)", round, eot, eot)
}

func unknownProcess(name string, processes []string) error {
	return fmt.Errorf("there is no process %q%s: the processes are %s",
		name, text.DidYouMean(name, processes), strings.Join(processes, ", "))
}
