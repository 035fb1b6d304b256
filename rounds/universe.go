package rounds

import "slices"

// Universe numbers the units of fault that are possible within bounds: one
// crash of a process in a round, one isolation of a process from a round to the
// end of its phase, one omission, one restart of a process in a round, one pause
// like an isolation. A schedule within the bounds is a set of units that keeps
// the Limits and has what its units Need.
type Universe struct {
	bounds Bounds
	index  map[string]int // of a process
	n      int            // processes
	losses int            // rounds in which messages can be lost

	crashes, isolations, omissions, restarts, pauses int // units of each kind, numbered in this order
}

// NewUniverse returns the units of the bounds, which have to be valid.
func NewUniverse(b Bounds) *Universe {
	b = b.Normal()
	u := &Universe{bounds: b, index: indexOf(b.Processes), n: len(b.Processes), losses: b.LastLoss()}
	if b.Crashes != 0 {
		u.crashes = u.n * b.EOT
	}
	if b.Isolations != 0 {
		u.isolations = u.n * u.losses
	}
	if b.Omissions != 0 {
		u.omissions = u.n * (u.n - 1) * u.losses
	}
	if b.Restarts != 0 && b.Crashes != 0 {
		u.restarts = u.n * b.EOT
	}
	if b.Pauses != 0 {
		u.pauses = u.n * u.losses
	}
	return u
}

// Bounds returns the bounds of the universe in normal form.
func (u *Universe) Bounds() Bounds { return u.bounds }

// Len returns the number of units.
func (u *Universe) Len() int { return u.firstPause() + u.pauses }

func (u *Universe) crash(p, round int) int { return (round-1)*u.n + p }

func (u *Universe) isolation(p, round int) int { return u.crashes + (round-1)*u.n + p }

func (u *Universe) omission(from, to, round int) int {
	if to > from {
		to--
	}
	return u.crashes + u.isolations + ((round-1)*u.n+from)*(u.n-1) + to
}

func (u *Universe) firstRestart() int { return u.crashes + u.isolations + u.omissions }

func (u *Universe) firstPause() int { return u.firstRestart() + u.restarts }

func (u *Universe) restart(p, round int) int { return u.firstRestart() + (round-1)*u.n + p }

func (u *Universe) pause(p, round int) int { return u.firstPause() + (round-1)*u.n + p }

// Fault returns a unit as a fault.
func (u *Universe) Fault(unit int) Fault {
	names := u.bounds.Processes
	switch i := unit - u.crashes; {
	case i < 0:
		return Fault{Kind: Crash, Process: names[unit%u.n], Round: unit/u.n + 1}
	case i < u.isolations:
		round := i/u.n + 1
		return Fault{Kind: Isolate, Process: names[i%u.n], Round: round, Until: u.bounds.phaseOf(round).last}
	case unit >= u.firstPause():
		i = unit - u.firstPause()
		round := i/u.n + 1
		return Fault{Kind: Pause, Process: names[i%u.n], Round: round, Until: u.bounds.phaseOf(round).last}
	case unit >= u.firstRestart():
		i = unit - u.firstRestart()
		return Fault{Kind: Restart, Process: names[i%u.n], Round: i/u.n + 1}
	default:
		i -= u.isolations
		from, to := i/(u.n-1)%u.n, i%(u.n-1)
		if to >= from {
			to++
		}
		return Fault{Kind: Omit, Process: names[from], To: names[to], Round: i/(u.n-1)/u.n + 1}
	}
}

// Index returns the unit of a fault, and false if it is no unit of the
// universe.
func (u *Universe) Index(f Fault) (int, bool) {
	p, ok := u.index[f.Process]
	if !ok || f.Round < 1 {
		return 0, false
	}
	switch {
	case f.Kind == Crash && u.crashes > 0 && f.Round <= u.bounds.EOT:
		return u.crash(p, f.Round), true
	case f.Kind == Isolate && u.isolations > 0 && f.Round <= u.losses:
		return u.isolation(p, f.Round), max(f.Until, f.Round) == u.bounds.phaseOf(f.Round).last
	case f.Kind == Restart && u.restarts > 0 && f.Round <= u.bounds.EOT:
		return u.restart(p, f.Round), true
	case f.Kind == Pause && u.pauses > 0 && f.Round <= u.losses:
		return u.pause(p, f.Round), max(f.Until, f.Round) == u.bounds.phaseOf(f.Round).last
	case f.Kind == Omit && u.omissions > 0 && f.Round <= u.losses:
		to, ok := u.index[f.To]
		if !ok || to == p {
			return 0, false
		}
		return u.omission(p, to, f.Round), true
	}
	return 0, false
}

// Crashes returns the units of the crash of a process, that in round r at
// element r-1; nil if it cannot crash.
func (u *Universe) Crashes(p int) []int {
	return u.crashesUntil(p, u.bounds.EOT)
}

func (u *Universe) crashesUntil(p, round int) []int {
	if u.crashes == 0 {
		return nil
	}
	units := make([]int, round)
	for i := range units {
		units[i] = u.crash(p, i+1)
	}
	return units
}

// Losing returns the units any of which loses what from sends to to in a round,
// as Environment.Delivers has it: a sender of -1 is nobody. A crash does so
// unless there is a restart in between.
func (u *Universe) Losing(from, to, round int) []int {
	var units []int
	between := from >= 0 && from != to
	if between {
		units = append(units, u.crashesUntil(from, round)...)
	}
	if u.bounds.CrashStop {
		units = append(units, u.crashesUntil(to, round)...)
	}
	if !between || round > u.losses {
		return units
	}
	if u.isolations > 0 {
		for start := u.bounds.phaseOf(round).first; start <= round; start++ {
			units = append(units, u.isolation(from, start), u.isolation(to, start))
		}
	}
	if u.omissions > 0 {
		units = append(units, u.omission(from, to, round))
	}
	return units
}

// Limit is a constraint that a schedule within bounds meets: at most so many of
// these units.
type Limit struct {
	Units  []int
	AtMost int
}

// Needs returns units of which a schedule with this unit has to have one, nil if
// it can stand alone: for a restart the crashes of the process until then.
func (u *Universe) Needs(unit int) []int {
	if unit < u.firstRestart() || unit >= u.firstPause() {
		return nil
	}
	i := unit - u.firstRestart()
	return u.crashesUntil(i%u.n, i/u.n+1)
}

// Limits returns the constraints of the bounds, those that say something.
func (u *Universe) Limits() []Limit {
	var limits []Limit
	for _, kind := range budgeted {
		var units []int
		count := u.slots(kind)
		for i := range count {
			slot := u.slot(kind, i).units()
			units = append(units, slot...)
			if len(slot) > 1 {
				limits = append(limits, Limit{slot, 1})
			}
		}
		if most := u.bounds.budget(kind); most != Unlimited && most < count {
			slices.Sort(units)
			limits = append(limits, Limit{units, most})
		}
	}
	return limits
}

// Schedule returns the schedule of the units that are on, in normal form.
func (u *Universe) Schedule(on func(unit int) bool) Schedule {
	var faults []Fault
	for unit := range u.Len() {
		if on(unit) {
			faults = append(faults, u.Fault(unit))
		}
	}
	slices.SortFunc(faults, Fault.Compare)
	return Schedule{Faults: faults}
}
