package remote

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// effects are the effects of a schedule on any processes and messages.
type effects struct {
	bounds   rounds.Bounds
	last     int             // no round after it is executed
	schedule rounds.Schedule // in normal form
	env      *schedules.Environment
	down     []spans // by process: it has crashed, and is not back yet
	paused   []spans // it is paused
	crashes  [][]rounds.Fault

	// points are the crashes at points, by process. unreached are those that the process
	// did not reach, as the host reports. deaf tells whether a crash loses the messages
	// that reach the process in its round: one message shows it for all.
	points    [][]rounds.Fault
	unreached []rounds.Fault
	deaf      map[rounds.Fault]bool

	hit map[hit]bool // where a fault of one message has hit it
}

// spans are rounds, from the first to the last of each.
type spans [][2]int

func (s spans) has(round int) bool {
	return slices.ContainsFunc(s, func(span [2]int) bool { return span[0] <= round && round <= span[1] })
}

func newCourse(b rounds.Bounds, s rounds.Schedule, last int) (*effects, error) {
	s = s.Normal()
	env, err := schedules.NewEnvironment(b, s)
	if err != nil {
		return nil, err
	}
	n := len(b.Processes)
	c := &effects{bounds: b, last: last, schedule: s, env: env, down: make([]spans, n), paused: make([]spans, n), crashes: make([][]rounds.Fault, n), points: make([][]rounds.Fault, n), deaf: map[rounds.Fault]bool{}, hit: map[hit]bool{}}
	for _, f := range s.Faults {
		p := slices.Index(b.Processes, f.Process)
		switch {
		case atPoint(f):
			c.points[p] = append(c.points[p], f)
			c.down[p] = append(c.down[p], [2]int{f.Round + 1, back(s, f, b.EOT+1) - 1})
		case f.Kind == rounds.Crash:
			c.crashes[p] = append(c.crashes[p], f)
			c.down[p] = append(c.down[p], [2]int{f.Round, back(s, f, b.EOT+1) - 1})
		case f.Kind == rounds.Pause:
			start, _ := s.Settings.StartOf(f.Process)
			c.paused[p] = append(c.paused[p], [2]int{max(f.Round, start), f.Until})
		}
	}
	return c, nil
}

// atPoint tells whether a fault is a crash at a point within its round.
func atPoint(f rounds.Fault) bool { return f.Point() != "" }

// back returns the round in which a process that crashes restarts, which may be
// that of the crash unless it is at a point; never if it does not.
func back(s rounds.Schedule, crash rounds.Fault, never int) int {
	for _, f := range s.Faults {
		if f.Kind == rounds.Restart && f.Process == crash.Process && (f.Round > crash.Round || f.Round == crash.Round && !atPoint(crash)) {
			never = min(never, f.Round)
		}
	}
	return never
}

// takesPart reports a process that cannot do anything in a round.
func (c *effects) takesPart(p, round int) error {
	switch {
	case round > c.last:
		return fmt.Errorf("the execution ends in round %d, where a process panics", c.last)
	case c.down[p].has(round):
		return fmt.Errorf("%s has crashed by round %d under the schedule %q", c.bounds.Processes[p], round, c.schedule)
	case c.paused[p].has(round):
		return fmt.Errorf("%s is paused in round %d under the schedule %q", c.bounds.Processes[p], round, c.schedule)
	}
	return nil
}

// process returns the index of a process by its name.
func (c *effects) process(name string) (int, error) {
	return slices.Index(c.bounds.Processes, name), c.bounds.CheckProcess(name)
}

// believeFact reports a fact that no process can report.
func (c *effects) believeFact(f recording.Fact) error {
	if len(f.Args) == 0 {
		return errors.New("its first argument has to be the process that reports it")
	}
	p, err := c.process(nameOf(f.Args[0]))
	if err != nil {
		return fmt.Errorf("its first argument has to be the process that reports it: %w", err)
	}
	if start, _ := c.schedule.Settings.StartOf(f.Args[0].Text()); f.Round < start {
		return fmt.Errorf("%s starts in round %d", f.Args[0].Text(), start)
	}
	return c.takesPart(p, f.Round)
}

// nameOf returns the text of a string, "" for a number.
func nameOf(v specs.Value) string {
	if v.IsInt() {
		return ""
	}
	return v.Text()
}

// believeMessage reports a message that no process can send, or with another fate than the
// schedule gives it.
func (c *effects) believeMessage(m *recording.Message) error {
	from, err := c.process(m.From)
	if err != nil {
		return fmt.Errorf("its sender: %w", err)
	}
	to, err := c.process(m.To)
	if err != nil {
		return fmt.Errorf("its receiver: %w", err)
	}
	if len(m.Args) == 0 || m.Args[0] != specs.String(m.To) {
		return fmt.Errorf("its first argument has to be its receiver, %q", m.To)
	}
	if err := c.takesPart(from, m.Round); err != nil {
		return err
	}
	faults, unsure := c.hitting(m)
	if err := c.believeFate(m, from, to, faults); err == nil || len(unsure) == 0 {
		return err
	}
	return c.believeFate(m, from, to, append(faults, unsure...))
}

// believeFate reports a message with another fate than the faults that hit it give it.
func (c *effects) believeFate(m *recording.Message, from, to int, faults []rounds.Fault) error {
	comes, err := c.comes(m, from, to, faults)
	if err != nil {
		return err
	}
	if m.Lost {
		return c.believeLoss(m, from, to, comes, faults)
	}
	if causes := c.losing(from, to, m.Round, comes, faults); len(causes) > 0 {
		return fmt.Errorf("it arrives, and %s loses it", slices.MinFunc(causes, rounds.Fault.Compare))
	}
	arrival, crash, point := c.fate(to, comes)
	if arrival == 0 && comes > m.Round {
		arrival = min(comes, c.bounds.EOT+1)
	}
	switch {
	case point != nil && !c.hears(*point, true):
		return fmt.Errorf("it arrives, and what else is to reach %s in that round is lost by %s", m.To, point)
	case crash != nil:
		return fmt.Errorf("it arrives, and waits for %s until %s loses it", m.To, crash)
	case m.Arrival != arrival:
		return fmt.Errorf("it arrives in %s, and not in %s", c.roundText(m, arrival), c.roundText(m, m.Arrival))
	}
	return nil
}

// believeLoss reports a loss without its fault.
func (c *effects) believeLoss(m *recording.Message, from, to, comes int, faults []rounds.Fault) error {
	m.Cause = normal(m.Cause)
	causes := c.losing(from, to, m.Round, comes, faults)
	_, crash, point := c.fate(to, comes)
	if crash != nil && len(causes) == 0 {
		causes = append(causes, *crash)
	}
	if point != nil && (len(causes) == 0 || point.Round == comes) {
		causes = append(causes, *point)
	}
	switch {
	case len(causes) == 0:
		return fmt.Errorf("it is said to be lost by %s, and no fault of the schedule %q loses it", m.Cause, c.schedule)
	case !slices.Contains(causes, m.Cause):
		return fmt.Errorf("it is said to be lost by %s, and what loses it is %s", m.Cause, causes[0])
	case m.Arrival != 0:
		return fmt.Errorf("it is lost, and arrives in %s", c.roundText(m, m.Arrival))
	case point != nil && *point == m.Cause && !c.hears(*point, false):
		return fmt.Errorf("it is said to be lost by %s, and %s", point, c.crashLosesNothing(*point))
	}
	return nil
}

// comes returns the round in which a message reaches its receiver: a later one if it is
// delayed or a duplicate, or its link has a latency, unless something loses it on its way.
func (c *effects) comes(m *recording.Message, from, to int, faults []rounds.Fault) (int, error) {
	kind := rounds.Delay
	if m.Again {
		kind = rounds.Duplicate
	}
	late, _ := c.schedule.Settings.LatencyOf(m.From, m.To)
	for _, f := range faults {
		if f.Kind == kind && f.Process == m.From && f.To == m.To && f.Round == m.Round && !c.severed(from, to, m.Round, faults) {
			return f.Round + f.By + late, nil
		}
	}
	if m.Again {
		return 0, fmt.Errorf("it is a duplicate, and the schedule %q duplicates no such message", c.schedule)
	}
	if late > 0 && !c.severed(from, to, m.Round, faults) {
		return m.Round + late, nil
	}
	return m.Round, nil
}

// severed tells whether a fault loses the messages on a link, and not because a receiver is
// down.
func (c *effects) severed(from, to, round int, faults []rounds.Fault) bool {
	return slices.ContainsFunc(faults, func(f rounds.Fault) bool {
		return f.Kind != rounds.Crash && f.Kind != rounds.Delay && c.loses(f, from, to, round)
	})
}

// loses tells whether a fault loses the messages of a link that it can hit.
func (c *effects) loses(f rounds.Fault, from, to, round int) bool {
	return c.env.Of(f.Of, f.Nth).Loses(f, from, to, round)
}

// losing returns the faults each of which loses a message of a round that comes in that
// round or a later one.
func (c *effects) losing(from, to, sent, comes int, faults []rounds.Fault) (causes []rounds.Fault) {
	if comes > sent {
		from = -1 // only the receiver counts
	}
	for _, f := range faults {
		if f.Kind != rounds.Delay && c.loses(f, from, to, comes) {
			causes = append(causes, f)
		}
	}
	return causes
}

// fate returns the fate of a message that reaches a process in a round: it waits while the
// process is paused, and until its arrival for a process that is then down; a crash loses
// waiting messages. An arrival of 0 is the round itself. A point is a crash in the round of
// the arrival: it loses all messages that would arrive with it, or none.
func (c *effects) fate(to, round int) (arrival int, crash, point *rounds.Fault) {
	point = in(c.points[to], round)
	switch paused := c.paused[to].has(round); {
	case !paused:
		return 0, nil, point
	case point != nil: // a paused process reaches no point
		return 0, point, nil
	}
	for later := round + 1; later <= c.last; later++ {
		if crash := in(c.crashes[to], later); crash != nil {
			return 0, crash, nil
		}
		point := in(c.points[to], later)
		switch {
		case !c.paused[to].has(later):
			return later, nil, point
		case point != nil:
			return 0, point, nil
		}
	}
	return c.bounds.EOT + 1, nil, nil
}

// in returns the fault of a round, nil if there is none.
func in(faults []rounds.Fault, round int) *rounds.Fault {
	for i := range faults {
		if faults[i].Round == round {
			return &faults[i]
		}
	}
	return nil
}

// hears records that a message arrives in the round of a crash at a point, or is lost by
// that crash. It returns false if that contradicts earlier messages.
func (c *effects) hears(point rounds.Fault, arrives bool) bool {
	if slices.Contains(c.unreached, point) {
		return arrives
	}
	deaf, known := c.deaf[point]
	c.deaf[point] = !arrives
	return !known || deaf == !arrives
}

// crashLosesNothing says why a crash at a point loses nothing of its round.
func (c *effects) crashLosesNothing(point rounds.Fault) string {
	if slices.Contains(c.unreached, point) {
		return "the process did not come to that point"
	}
	return fmt.Sprintf("what else is to reach %s in that round arrives", point.Process)
}

// believeUnreached reports a crash at a point that cannot have been reached, but is not
// marked so.
func (c *effects) believeUnreached(unreached rounds.Schedule) error {
	c.unreached = unreached.Normal().Faults
	for p, points := range c.points {
		for _, f := range points {
			if c.paused[p].has(f.Round) && f.Round < c.last && !slices.Contains(c.unreached, f) {
				return fmt.Errorf("%s is not said to be unreached, and %s is paused in that round", f, f.Process)
			}
		}
	}
	return nil
}

// roundText is the round of an arrival in words.
func (c *effects) roundText(m *recording.Message, arrival int) string {
	if arrival > c.bounds.EOT {
		return "no round"
	}
	return fmt.Sprintf("round %d", max(arrival, m.Round))
}
