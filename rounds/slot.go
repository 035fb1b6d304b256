package rounds

// slot is a set of units of which a schedule has at most one: the crashes of a
// process, its restarts, its isolations or its pauses in a phase, or one
// omission. Its units
// are first, first+step, ... and there are size of them.
type slot struct{ first, step, size int }

func (s slot) unit(i int) int { return s.first + i*s.step }

func (s slot) units() []int {
	units := make([]int, s.size)
	for i := range units {
		units[i] = s.unit(i)
	}
	return units
}

// slots returns the number of slots of a kind of fault.
func (u *Universe) slots(kind Kind) int {
	switch {
	case kind == Crash && u.crashes > 0:
		return u.n
	case kind == Isolate && u.isolations > 0:
		return u.n * u.phases()
	case kind == Omit:
		return u.omissions
	case kind == Restart && u.restarts > 0:
		return u.n
	case kind == Pause && u.pauses > 0:
		return u.n * u.phases()
	default:
		return 0
	}
}

// slot returns slot i of a kind of fault.
func (u *Universe) slot(kind Kind, i int) slot {
	switch kind {
	case Crash:
		return slot{u.crash(i, 1), u.n, u.bounds.EOT}
	case Isolate:
		ph := u.phase(i / u.n)
		return slot{u.isolation(i%u.n, ph.first), u.n, ph.last - ph.first + 1}
	case Restart:
		return slot{u.restart(i, 1), u.n, u.bounds.EOT}
	case Pause:
		ph := u.phase(i / u.n)
		return slot{u.pause(i%u.n, ph.first), u.n, ph.last - ph.first + 1}
	default:
		return slot{u.crashes + u.isolations + i, 1, 1}
	}
}

// phases returns the number of phases in which messages can be lost.
func (u *Universe) phases() int {
	if u.losses < 1 {
		return 0
	}
	return (u.losses-1)/u.bounds.Period + 1
}

// phase returns phase i of them.
func (u *Universe) phase(i int) phase { return u.bounds.phaseOf(i*u.bounds.Period + 1) }
