package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Environment tells which messages of an execution arrive. Processes are given by their
// index in the bounds. It may be read from several goroutines.
type Environment struct {
	bounds   rounds.Bounds
	index    map[string]int
	schedule rounds.Schedule
	reliable assumed        // links that isolations and omissions spare
	crashed  []int          // by process, the round of its first crash, 0 for none
	words    int            // per row of delivers
	late     *lateOnes      // messages that come late or once more
	postpone []rounds.Fault // delays and duplicates
	ofKinds  []rounds.Fault // faults that hit one kind of message
	delivers []uint64       // a row of bits by receiver, for each round and sender (-1: no sender)
	downs    []outage       // when processes are down
	places   places         // of the faults, where there are many
}

// NewEnvironment returns the environment of a schedule, which has to be valid
// for the processes and rounds of the bounds but may exceed their budgets.
func NewEnvironment(b rounds.Bounds, s rounds.Schedule) (*Environment, error) {
	if err := b.Validate(); err != nil {
		return nil, err
	}
	n := len(b.Processes)
	e := &Environment{
		bounds:  b.Normal(),
		index:   indexOf(b.Processes),
		crashed: make([]int, n),
		words:   (n + 63) / 64,
		late:    &lateOnes{},
	}
	e.delivers = make([]uint64, b.EOT*(n+1)*e.words)
	if err := e.Reset(s); err != nil {
		return nil, err
	}
	return e, nil
}

// Reset makes this the environment of another schedule, reusing its memory. If the schedule
// is not valid the environment stays unchanged.
func (e *Environment) Reset(s rounds.Schedule) error {
	if err := s.Check(e.bounds); err != nil {
		return err
	}
	reliable, err := e.reliable.of(s, e.bounds)
	if err != nil {
		return err
	}
	e.reliable = reliable
	e.schedule = rounds.Schedule{Settings: s.Settings, Faults: append(e.schedule.Faults[:0], s.Faults...)}
	if slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.Of != "" }) {
		e.schedule.Faults = append(e.schedule.Faults[:0], s.Normal().Faults...) // none of them twice
	}
	clear(e.crashed)
	e.downs = e.downs[:0]
	for i := range e.delivers {
		e.delivers[i] = ^uint64(0)
	}
	if len(e.bounds.Joins) > 0 {
		e.join()
	}
	e.postpone, e.ofKinds = e.postpone[:0], e.ofKinds[:0]
	for _, f := range e.schedule.Faults {
		e.take(f)
	}
	for _, f := range e.schedule.Faults {
		if f.Kind == rounds.Delay || f.Kind == rounds.Duplicate {
			e.postpone = append(e.postpone, f)
		}
	}
	e.places.reset()
	e.place()
	e.putOff()
	return nil
}

// take takes away the messages that a fault of the schedule loses.
func (e *Environment) take(f rounds.Fault) {
	if f.Of != "" {
		e.ofKinds = append(e.ofKinds, f)
	} else {
		e.apply(f)
	}
}

// apply takes away the messages that a fault loses.
func (e *Environment) apply(f rounds.Fault) {
	k := kindOf(f)
	if k == nil || k.losses == nil {
		return
	}
	l := k.losses(e, f)
	if f.Kind == rounds.Crash {
		e.downs = append(e.downs, outage{l.process, l.first, l.last, f})
		if e.crashed[l.process] == 0 || f.Round < e.crashed[l.process] {
			e.crashed[l.process] = f.Round
		}
	}
	for round := l.first; round <= l.last; round++ {
		if l.sides != nil {
			e.part(l.sides, round)
			continue
		}
		if l.link {
			e.lose(l.process, l.to, round)
			continue
		}
		e.silence(l.process, round, l.spares)
		if l.received {
			e.deafen(l.process, round, l.spares)
		}
		if l.own || l.self {
			e.lose(l.process, l.process, round)
		}
		if l.own {
			e.lose(-1, l.process, round)
		}
	}
}

// back returns the round in which a process restarts after a crash, or one round after the
// last if it does not. A process that crashes at a point is not back in the round of the
// crash.
func (e *Environment) back(crash rounds.Fault) int {
	back := e.bounds.EOT + 1
	for _, f := range e.schedule.Faults {
		if f.Kind == rounds.Restart && f.Process == crash.Process && Instant(f) > Instant(crash) {
			back = min(back, f.Round)
		}
	}
	return back
}

// Instant returns a number that orders the crashes and restarts of a process in time:
// within a round it crashes, restarts, and crashes at a point.
func Instant(f rounds.Fault) int {
	switch {
	case f.Kind == rounds.Restart:
		return 3*f.Round + 1
	case f.Point() != "":
		return 3*f.Round + 2
	}
	return 3 * f.Round
}

// part loses the messages between two sides in a round, except on reliable links.
func (e *Environment) part(sides []bool, round int) {
	for from := range sides {
		for to := range sides {
			if sides[from] != sides[to] && !e.reliable.links.Has(from, to) {
				e.lose(from, to, round)
			}
		}
	}
}

// silence loses the messages of p to others in a round.
func (e *Environment) silence(p, round int, spares bool) {
	for q := range e.bounds.Processes {
		if q != p && !(spares && e.reliable.links.Has(p, q)) {
			e.lose(p, q, round)
		}
	}
}

// deafen loses the messages of others to p in a round.
func (e *Environment) deafen(p, round int, spares bool) {
	for q := range e.bounds.Processes {
		if q != p && !(spares && e.reliable.links.Has(q, p)) {
			e.lose(q, p, round)
		}
	}
}

// lose loses the messages from process from to process to in a round.
func (e *Environment) lose(from, to, round int) {
	e.delivers[e.row(from, round)+to>>6] &^= 1 << (to & 63)
}

// row is the index of the bits of the messages of from in a round.
func (e *Environment) row(from, round int) int {
	return ((round-1)*(len(e.bounds.Processes)+1) + from + 1) * e.words
}

// Delivers tells whether the messages from process from to process to of round arrive, but
// for those that a fault of their kind hits (see Of).
// With from = -1 they have no sender and are not lost (but a receiver that a crash
// stopped does not get them). Messages of a process to itself are lost only once a
// crash has stopped it. Nothing arrives outside the rounds of the bounds, or if to is
// no process.
func (e *Environment) Delivers(from, to, round int) bool {
	n := len(e.bounds.Processes)
	if round < 1 || round > e.bounds.EOT || from < -1 || from >= n || to < 0 || to >= n {
		return false
	}
	return e.delivers[e.row(from, round)+to>>6]>>(to&63)&1 == 1
}

// CrashRound returns the round in which process p first crashes, 0 if it does not
// crash.
func (e *Environment) CrashRound(p int) int {
	if p < 0 || p >= len(e.crashed) {
		return 0
	}
	return e.crashed[p]
}

// outage has the rounds in which a process is down after one crash: none if it is back in
// the same round.
type outage struct {
	process, first, last int
	by                   rounds.Fault
}

// Down tells whether process p is down in round: it has crashed and not restarted.
func (e *Environment) Down(p, round int) bool {
	_, down := e.DownBy(p, round)
	return down
}

// DownBy returns the crash by which process p is down in round, and false if it is up.
func (e *Environment) DownBy(p, round int) (rounds.Fault, bool) {
	for _, o := range e.downs {
		if o.process == p && o.first <= round && round <= o.last {
			return o.by, true
		}
	}
	return rounds.Fault{}, false
}

// BackFrom returns the round of the restart after crash, 0 if there is none.
func (e *Environment) BackFrom(crash rounds.Fault) int {
	if back := e.back(crash); back <= e.bounds.EOT {
		return back
	}
	return 0
}

// Back tells whether process p restarts in round.
func (e *Environment) Back(p, round int) bool {
	if len(e.downs) == 0 || p < 0 || p >= len(e.crashed) {
		return false
	}
	back := rounds.Fault{Kind: rounds.Restart, Process: e.bounds.Processes[p], Round: round}
	return slices.Contains(e.schedule.Faults, back)
}

// Bounds returns the bounds that the environment was made for.
func (e *Environment) Bounds() rounds.Bounds { return e.bounds }

// Schedule returns the faults of the environment in normal form.
func (e *Environment) Schedule() rounds.Schedule { return e.schedule.Normal() }

// Cause returns the fault that loses the messages from process from to process to of
// round, the first in normal form if there are several. It returns false if they
// arrive.
func (e *Environment) Cause(from, to, round int) (rounds.Fault, bool) {
	return e.Of("", 0).Cause(from, to, round)
}

// Loses tells whether the fault f alone loses the messages from process from to process
// to of round, and not only those of a kind. A crash does so until the next restart in the
// schedule of the environment, and a crash at a point only from the next round on.
func (e *Environment) Loses(f rounds.Fault, from, to, round int) bool {
	return e.Of("", 0).Loses(f, from, to, round)
}

// strikes is Loses, also for the messages of a kind of a fault that hits no others.
func (e *Environment) strikes(f rounds.Fault, from, to, round int) bool {
	k := kindOf(f)
	if k == nil || k.losses == nil {
		return false
	}
	l := k.losses(e, f)
	switch {
	case round < l.first || round > l.last:
		return false
	case l.sides != nil:
		return from >= 0 && l.sides[from] != l.sides[to] && !e.reliable.links.Has(from, to)
	case l.link:
		return from == l.process && to == l.to
	case from < 0 || from == to:
		return (l.own || l.self && from == to) && to == l.process
	case l.spares && e.reliable.links.Has(from, to):
		return false
	default:
		return from == l.process || l.received && to == l.process
	}
}
