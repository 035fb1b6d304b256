package universe

import "github.com/lineage-driven/ldfi/rounds"

// kind is what the universe knows of a kind of fault: which units of it there
// are, and what they do. Another kind is another row of kinds.
type kind struct {
	kind rounds.Kind

	// What it strikes: each process, or each link from one process to another.
	links bool

	// strikes tells whether it can strike a process or link by the assumptions of the
	// bounds; nil: it can strike all.
	strikes func(u *Universe, target int) bool

	// The last round of a unit, and how many rounds share a slot, of which a
	// schedule has at most one unit for what it strikes.
	last, period func(rounds.Bounds) int

	lasts bool // from its round to the end of the slot
	needs int  // the row of the kind without which there is none, on the same process and no later; -1: none

	// losses is what a fault loses; nil: nothing.
	losses func(*Environment, rounds.Fault) losses

	// losing appends the units that lose what from sends to to in a round;
	// nil: there are none.
	losing func(u *Universe, s *section, units []int, from, to, round int) []int
}

// kinds are the kinds of fault that bounds have a budget for, in the order in
// which their units are numbered.
var kinds = []kind{
	{kind: rounds.Crash, strikes: crashes, last: anyRound, period: anyRound, needs: -1, losses: lossesOfCrash, losing: losingCrashes},
	{kind: rounds.Isolate, strikes: losesAround, last: rounds.Bounds.LastLoss, period: phase, lasts: true, needs: -1, losses: lossesOfIsolation, losing: losingIsolations},
	{kind: rounds.Omit, links: true, strikes: loses, last: rounds.Bounds.LastLoss, period: oneRound, needs: -1, losses: lossesOfOmission, losing: losingOmission},
	{kind: rounds.Restart, strikes: crashes, last: anyRound, period: anyRound, needs: 0},
	{kind: rounds.Pause, last: rounds.Bounds.LastLoss, period: phase, lasts: true, needs: -1},
}

// kindOf returns the row of a kind, nil if there is none.
func kindOf(k rounds.Kind) *kind {
	for i := range kinds {
		if kinds[i].kind == k {
			return &kinds[i]
		}
	}
	return nil
}

// losses are the messages that one fault loses, in the rounds from first to
// last: what the process sends to others, or only to one of them.
type losses struct {
	first, last int
	process     int
	link        bool // only what it sends to the process to
	to          int
	received    bool // also what others send to it
	spares      bool // nothing on reliable links
	own         bool // also what it sends itself, and what nobody sends it
}

func lossesOfCrash(e *Environment, f rounds.Fault) losses {
	stop := e.bounds.CrashStop
	return losses{first: f.Round, last: e.back(f) - 1, process: e.index[f.Process], received: stop, own: stop}
}

func lossesOfIsolation(e *Environment, f rounds.Fault) losses {
	return losses{first: f.Round, last: max(f.Until, f.Round), process: e.index[f.Process], received: true, spares: true}
}

func lossesOfOmission(e *Environment, f rounds.Fault) losses {
	return losses{first: f.Round, last: f.Round, process: e.index[f.Process], link: true, to: e.index[f.To]}
}

// possible tells whether there are units of the kind.
func (k *kind) possible(b rounds.Bounds) bool {
	return b.Budget(k.kind) != 0 && (k.needs < 0 || kinds[k.needs].possible(b))
}

func anyRound(b rounds.Bounds) int { return b.EOT }
func oneRound(b rounds.Bounds) int { return 1 }
func phase(b rounds.Bounds) int    { return b.Period }

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

// losingIsolations appends those of the sender or the receiver that have begun
// in the phase of the round.
func losingIsolations(u *Universe, s *section, units []int, from, to, round int) []int {
	if from < 0 || from == to || round > s.last || u.reliable.Has(from, to) {
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
	if from < 0 || from == to || round > s.last {
		return units
	}
	if link, ok := s.number(u.link(from, to)); ok {
		units = append(units, s.unit(link, round))
	}
	return units
}
