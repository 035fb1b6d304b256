package schedules

import "github.com/lineage-driven/ldfi/rounds"

// losses are the messages that one fault loses, in the rounds from first to last: the
// messages of the process to others, or only to one of them, or the messages between two
// sides.
type losses struct {
	first, last int
	sides       []bool // nil: the messages of a process
	process     int
	link        bool // only messages to the process to
	to          int
	received    bool // also the messages of others to the process
	spares      bool // nothing on reliable links
	own         bool // also its messages to itself, and messages without a sender to it
	self        bool // also its messages to itself
}

func lossesOfCrash(e *Environment, f rounds.Fault) losses {
	stop := e.bounds.CrashStop
	return losses{first: f.Round, last: e.back(f) - 1, process: e.index[f.Process], received: stop, own: stop}
}

// lossesOfCrashAtPoint returns the losses in the rounds after the round of the crash: the
// losses in its own round depend on when the process reaches the point.
func lossesOfCrashAtPoint(e *Environment, f rounds.Fault) losses {
	l := lossesOfCrash(e, f)
	l.first++
	return l
}

func lossesOfIsolation(e *Environment, f rounds.Fault) losses {
	return losses{first: f.Round, last: max(f.Until, f.Round), process: e.index[f.Process], received: true, spares: true, self: e.bounds.OwnLost}
}

func lossesOfOmission(e *Environment, f rounds.Fault) losses {
	return losses{first: f.Round, last: f.Round, process: e.index[f.Process], link: true, to: e.index[f.To]}
}

func lossesOfCut(e *Environment, f rounds.Fault) losses {
	l := lossesOfOmission(e, f)
	l.last = max(f.Until, f.Round)
	return l
}

func lossesOfPartition(e *Environment, f rounds.Fault) losses {
	return losses{first: f.Round, last: max(f.Until, f.Round), sides: sidesIn(f.Detail, e.index), spares: true}
}

// losingCrashes appends the crashes until the round of the sender, and of the
// receiver if they stop it. A crash loses the message unless there is a restart
// in between.
func losingCrashes(u *Universe, s *section, units []int, from, to, round int) []int {
	if from >= 0 && from != to {
		units = s.untilOf(units, from, round)
	}
	if u.bounds.CrashStop {
		units = s.untilOf(units, to, round)
	}
	return units
}

// losingOutcomes appends the units of losingCrashes, for crashes with another outcome.
func losingOutcomes(u *Universe, s *section, units []int, from, to, round int) []int {
	add := func(p int) {
		for outcome := 1; outcome < u.outcomes; outcome++ {
			units = s.untilOf(units, u.outcome(p, outcome), round)
		}
	}
	if from >= 0 && from != to {
		add(from)
	}
	if u.bounds.CrashStop {
		add(to)
	}
	return units
}

// losingPoints appends the crashes at a point before the round.
func losingPoints(u *Universe, s *section, units []int, from, to, round int) []int {
	add := func(p int) {
		for crash := u.before[p]; crash < u.before[p+1]; crash++ {
			units = s.untilOf(units, crash, round-1)
		}
	}
	if from >= 0 && from != to {
		add(from)
	}
	if u.bounds.CrashStop {
		add(to)
	}
	return units
}

// losingIsolations appends the isolations of the sender or the receiver that have begun in
// the phase of the round.
func losingIsolations(u *Universe, s *section, units []int, from, to, round int) []int {
	if from < 0 || from == to && !u.bounds.OwnLost || round > s.last || u.reliable.Has(from, to) {
		return units
	}
	if from == to {
		if own, ok := s.number(to); ok {
			for start := s.phaseOf(round).first; start <= round; start++ {
				units = append(units, s.unit(own, start))
			}
		}
		return units
	}
	sender, _ := s.number(from) // both have a link that can lose messages: this one
	receiver, _ := s.number(to)
	for start := s.phaseOf(round).first; start <= round; start++ {
		units = append(units, s.unit(sender, start), s.unit(receiver, start))
	}
	return units
}

func losingOmission(u *Universe, s *section, units []int, from, to, round int) []int {
	if from < 0 || from == to {
		return units
	}
	link, ok := s.number(u.link(from, to))
	for step := max(s.stepIn(round, 0), s.from); ok && step <= min(s.last, s.stepIn(round+1, -1)); step++ {
		units = append(units, s.unit(link, step))
	}
	return units
}

// losingCuts appends the cuts of the link that have begun in the phase of the round.
func losingCuts(u *Universe, s *section, units []int, from, to, round int) []int {
	if from < 0 || from == to || s.stepIn(round, 0) > s.last {
		return units
	}
	link, ok := s.number(u.link(from, to))
	for start := s.phaseOf(s.stepIn(round, 0)).first; ok && start <= s.stepIn(round+1, -1); start++ {
		units = append(units, s.unit(link, start))
	}
	return units
}

// losingPartitions appends the partitions that part the sender from the receiver, and have
// begun in the phase of the round.
func losingPartitions(u *Universe, s *section, units []int, from, to, round int) []int {
	if from < 0 || from == to || round > s.last || u.reliable.Has(from, to) {
		return units
	}
	var parting []int // the rounds of a phase begin with those of the one before
	for split := range s.width {
		if sides := u.sidesOf(s.target(split)); sides[from] != sides[to] {
			parting = append(parting, split)
		}
	}
	for start := s.phaseOf(round).first; start <= round; start++ {
		for _, split := range parting {
			units = append(units, s.unit(split, start))
		}
	}
	return units
}
