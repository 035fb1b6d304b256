package schedules

import "github.com/lineage-driven/ldfi/rounds"

// kind describes the units of a kind of fault, and their effects. A new kind is a new row
// of kinds.
type kind struct {
	kind   rounds.Kind
	domain domain

	// strikes tells whether it can strike one of the domain by the assumptions of
	// the bounds; nil: it can strike all.
	strikes func(u *Universe, target int) bool

	// last is the last round of a unit. period is the number of rounds that share a slot: a
	// schedule has at most one unit in a slot for each target.
	last, period func(rounds.Bounds) int

	steps func(rounds.Bounds) int                           // the number of its units that strike one target in a round; nil: one
	later bool                                              // as many units in a round as there are rounds by which a message of it can be late
	by    func(*Universe, rounds.Fault) (step int, ok bool) // the step of the unit of a fault; nil: its By
	lasts bool                                              // from its round to the end of the slot
	once  bool                                              // its units have rounds of their own: all are numbered as in one round
	chain bool                                              // the events of one process, in turn: crashes and restarts

	// possible tells whether bounds allow any.
	possible func(rounds.Bounds) bool

	// losses returns the messages that a fault loses; nil: none.
	losses func(*Environment, rounds.Fault) losses

	// losing appends the units that lose the messages from process from to process to in a
	// round; nil: there are none.
	losing func(u *Universe, s *section, units []int, from, to, round int) []int
}

// kinds are the kinds of fault that bounds have a budget for, in the order in
// which their units are numbered.
var kinds = []kind{
	crashes:    {kind: rounds.Crash, domain: processes, strikes: canCrash, last: rounds.Bounds.LastFault, period: anyRound, chain: true, possible: crash, losses: lossesOfCrash, losing: losingCrashes},
	isolations: {kind: rounds.Isolate, domain: processes, strikes: losesAround, last: rounds.Bounds.LastLoss, period: phase, lasts: true, possible: isolate, losses: lossesOfIsolation, losing: losingIsolations},
	omissions:  {kind: rounds.Omit, domain: pairsOfProcesses, strikes: loses, last: rounds.Bounds.LastLoss, period: oneRound, possible: has(rounds.Omit), losses: lossesOfOmission, losing: losingOmission},
	restarts:   {kind: rounds.Restart, domain: processes, strikes: canCrash, last: rounds.Bounds.LastFault, period: anyRound, chain: true, possible: restart},
	pauses:     {kind: rounds.Pause, domain: processes, last: rounds.Bounds.LastLoss, period: phase, lasts: true, possible: has(rounds.Pause)},
	points:     {kind: rounds.Crash, domain: pointsOfProcesses, strikes: canCrashAt, last: rounds.Bounds.LastFault, period: anyRound, chain: true, possible: crash, losses: lossesOfCrashAtPoint, losing: losingPoints},
	partitions: {kind: rounds.Partition, domain: splits, strikes: parts, last: rounds.Bounds.LastLoss, period: phase, lasts: true, possible: has(rounds.Partition), losses: lossesOfPartition, losing: losingPartitions},
	disks:      {kind: rounds.Crash, domain: outcomesOfProcesses, strikes: canCrashSo, last: rounds.Bounds.LastFault, period: anyRound, chain: true, possible: crashDisk, losses: lossesOfCrash, losing: losingOutcomes},
	fast:       {kind: rounds.Fast, domain: processes, last: rounds.Bounds.LastLoss, period: phase, lasts: true, possible: has(rounds.Fast)},
	slow:       {kind: rounds.Slow, domain: processes, last: rounds.Bounds.LastLoss, period: phase, lasts: true, possible: has(rounds.Slow)},
	jumps:      {kind: rounds.Jump, domain: processes, last: rounds.Bounds.LastLoss, period: oneRound, steps: farthest, possible: has(rounds.Jump)},
	syncs:      {kind: rounds.FailSync, domain: processes, last: rounds.Bounds.LastLoss, period: oneRound, possible: has(rounds.FailSync)},
	ended:      {kind: rounds.Terminate, domain: processes, strikes: canCrash, last: rounds.Bounds.LastLoss, period: phase, lasts: true, possible: has(rounds.Terminate)},
	cuts:       {kind: rounds.Cut, domain: pairsOfProcesses, strikes: loses, last: rounds.Bounds.LastLoss, period: phase, lasts: true, possible: has(rounds.Cut), losses: lossesOfCut, losing: losingCuts},
	delays:     {kind: rounds.Delay, domain: pairsOfProcesses, strikes: loses, last: rounds.Bounds.LastLoss, period: oneRound, later: true, possible: has(rounds.Delay), losses: lossesOfOmission, losing: losingDelays},
	duplicates: {kind: rounds.Duplicate, domain: pairsOfProcesses, strikes: loses, last: rounds.Bounds.LastLoss, period: oneRound, later: true, possible: has(rounds.Duplicate)},
	orders:     {kind: rounds.Order, domain: receivers, last: rounds.Bounds.LastLoss, period: oneRound, steps: otherOrders, by: orderOf, possible: has(rounds.Order)},
	chosen:     {kind: rounds.Choose, domain: alternatives, last: anyRound, period: anyRound, once: true, possible: has(rounds.Choose)},
}

// The rows of kinds, and so the sections of a universe.
const (
	crashes = iota
	isolations
	omissions
	restarts
	pauses
	points // of crashes within a round
	partitions
	disks // crashes that keep or tear the data that was not synced
	fast  // clocks
	slow
	jumps
	syncs // that fail
	ended // programs, by a signal
	cuts
	delays
	duplicates
	orders
	chosen // which are no faults, and behind them
)

func has(k rounds.Kind) func(rounds.Bounds) bool {
	return func(b rounds.Bounds) bool { return b.Budget(k) != 0 }
}

func crash(b rounds.Bounds) bool   { return b.Crashes != 0 }
func restart(b rounds.Bounds) bool { return b.Crashes != 0 && b.Restarts != 0 }

// isolate tells whether there are isolations: the budget of partitions is theirs
// as well.
func isolate(b rounds.Bounds) bool { return b.Isolations != 0 || b.Partitions != 0 }

// crashDisk tells whether crashes can keep or tear the data that was not synced.
func crashDisk(b rounds.Bounds) bool { return b.Crashes != 0 && b.Disks }

func farthest(b rounds.Bounds) int { return b.MaxJump }
func anyRound(b rounds.Bounds) int { return b.EOT }
func oneRound(b rounds.Bounds) int { return 1 }
func phase(b rounds.Bounds) int    { return b.Period }

// rowOf returns the row of a fault, -1 if there is none.
func rowOf(f rounds.Fault) int {
	switch {
	case f.Point() != "":
		return points
	case f.Disk() != "":
		return disks
	}
	for i := range kinds {
		if kinds[i].kind == f.Kind {
			return i
		}
	}
	return -1
}

// kindOf returns the row of the kind of a fault, nil if there is none.
func kindOf(f rounds.Fault) *kind {
	if i := rowOf(f); i >= 0 {
		return &kinds[i]
	}
	return nil
}
