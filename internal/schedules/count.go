package schedules

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Count returns the number of schedules within bounds. Unless it is [Exact], there are
// at most so many.
func Count(b rounds.Bounds) *big.Int { return New(b).Count() }

// Exact tells whether [Count] is the number of schedules, and not one that they do not
// exceed.
func Exact(b rounds.Bounds) bool { return New(b).Exact() }

// Count returns the number of schedules; unless it is Exact, there are at most so many.
func (u *Universe) Count() *big.Int {
	total := big.NewInt(1)
	for _, c := range u.classes() {
		total.Mul(total, c.count())
	}
	return total
}

// Exact tells whether Count is the number of schedules, and not one that they do not
// exceed: what is taken for granted of each round can leave too many to be counted.
func (u *Universe) Exact() bool { return u.meeting == nil || u.granted() != nil }

// class is the faults of some kinds, which do not depend on those of others.
type class struct {
	count func() *big.Int // in how many ways there are some, or none
	draw  func() part     // draws each of these ways with the same probability
}

// classes returns the classes of faults that are possible, in the order in which they
// are drawn. Where something is taken for granted of each round, but leaves too many
// schedules to be counted, they are those that there are otherwise.
func (u *Universe) classes() (all []class) {
	var granted []int // rows of kinds
	if u.meeting != nil && u.granted() != nil {
		granted = together
		all = append(all, class{u.granted().counts.Total, func() part { return u.granted() }})
	}
	for row := range u.sections {
		if s := &u.sections[row]; s.last > 0 && !slices.Contains(granted, row) {
			if c, first := u.class(row); first {
				all = append(all, c)
			}
		}
	}
	return all
}

// class returns the class of a section, and whether that is the first section of it.
func (u *Universe) class(row int) (c class, first bool) {
	s := &u.sections[row]
	switch {
	case s.chain:
		return class{u.ofCrashes, func() part { return newCrashes(u) }}, row == crashes
	case u.sections[partitions].last > 0 && (row == isolations || row == partitions):
		return class{u.ofParted, func() part { return newParted(u) }}, row == isolations
	case u.sections[fast].last > 0 && u.sections[slow].last > 0 && (row == fast || row == slow):
		return class{u.ofClocks, func() part { return newClocks(u) }}, row == fast
	case u.anyLate() && (row == omissions || u.isLate(row)):
		return class{newLateWays(u.lateSlotsOf()).Count, func() part { return newLate(u) }}, row == u.firstLate()
	default:
		return class{func() *big.Int { return u.groups(s).using(s.budget) }, func() part { return u.choices(s, s.budget) }}, true
	}
}

// ofCrashes counts the ways in which processes crash and restart.
func (u *Universe) ofCrashes() *big.Int { return downsOf(u).total() }

// ofParted counts the ways to have isolations and partitions: as many partitions as
// they have a budget, and what is left of it for isolations more.
func (u *Universe) ofParted() *big.Int {
	s := &u.sections[partitions]
	if s.budget == rounds.Unlimited {
		total := u.groups(s).using(s.budget)
		return total.Mul(total, u.isolating(rounds.Unlimited))
	}
	return u.waysToPart().all()
}

// waysToPart counts them by how many partitions there are, where there is a limit.
func (u *Universe) waysToPart() byNumber {
	s := &u.sections[partitions]
	counts := u.groups(s).byNumber(s.budget)
	for parted, ways := range counts {
		ways.Mul(ways, u.isolating(u.besides(parted)))
	}
	return counts
}

// isolating counts the ways to have at most so many isolations.
func (u *Universe) isolating(most int) *big.Int {
	return u.groups(&u.sections[isolations]).using(most)
}

// besides returns how many isolations there can be beside so many partitions.
func (u *Universe) besides(partitions int) int {
	if left := u.sections[isolations].budget; left != rounds.Unlimited {
		return left - partitions
	}
	return rounds.Unlimited
}

// ofClocks counts the ways in which clocks run fast and slow: of one process in a
// phase one of both at most. Which are fast of so many that run wrong is counted for
// itself.
func (u *Universe) ofClocks() *big.Int {
	each := u.groups(&u.sections[fast])
	all := each.slots()
	ahead, behind := atMost(u.sections[fast].budget, all), atMost(u.sections[slow].budget, all)
	if ahead == all && behind == all {
		for i := range each {
			each[i].ways *= 2
		}
		return each.using(rounds.Unlimited)
	}
	total, used, counts := new(big.Int), 0, each.byNumber(min(ahead+behind, all))
	var term big.Int
	for mixes := range mixesOf(ahead, behind) {
		total.Add(total, term.Mul(counts[used], mixes))
		if used++; used == len(counts) {
			break
		}
	}
	return total
}
