package schedules

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
)

// losingDelays appends the delays of the messages from process from to process to in a
// round, which do not arrive at once.
func losingDelays(u *Universe, s *section, units []int, from, to, round int) []int {
	return u.laterUnits(s, units, from, to, round)
}

// laterUnits appends the delays or duplicates of the messages of one process to another.
func (u *Universe) laterUnits(s *section, units []int, from, to, round int) []int {
	if from < 0 || from == to || round < 1 || round >= len(s.starts) || s.starts[round-1]+1 < s.from {
		return units
	}
	link, ok := s.number(u.link(from, to))
	if !ok {
		return units
	}
	for step := s.starts[round-1] + 1; step <= s.starts[round]; step++ {
		units = append(units, s.unit(link, step))
	}
	return units
}

// Late returns the delay and the duplicate that each make the messages from process from to
// process to of round sent arrive at the end of round at. They arrive unless a unit of
// Severing or a crash of the sender loses them, or the receiver is down at the arrival: see
// Losing with from = -1.
func (u *Universe) Late(from, to, sent, at int) []int { return u.LateOf("", from, to, sent, at) }

// LateOf returns the units of Late, and those that do so if the messages are of a kind.
func (u *Universe) LateOf(kind string, from, to, sent, at int) []int {
	var units []int
	for _, row := range [...]int{delays, duplicates} {
		s := &u.sections[row]
		for _, unit := range u.hitting(s, u.laterUnits(s, nil, from, to, sent), kind) {
			if _, later := s.hit(unit); later == at-sent {
				units = append(units, unit)
			}
		}
	}
	return units
}

// Severing returns the units other than crashes that each lose the messages from
// process from to process to of round, whenever they would arrive.
func (u *Universe) Severing(from, to, round int) []int { return u.SeveringOf("", from, to, round) }

// SeveringOf returns the units of Severing, and those that lose the messages if they are of
// a kind.
func (u *Universe) SeveringOf(kind string, from, to, round int) []int {
	return u.losing(kind, from, to, round, func(s *section) bool { return !s.chain && !s.later })
}

// receivers are the processes that get messages.
var receivers = domain{
	count: processes.count,
	name: func(u *Universe, target int, f *rounds.Fault) {
		f.Process, f.Detail, f.By = u.bounds.Processes[target], u.orderText(target, f.By), 0
	},
	of: processes.of,
}

// otherOrders is the number of orders of the messages of the other processes besides the
// usual one.
func otherOrders(b rounds.Bounds) int { return factorial(len(b.Processes)-1) - 1 }

func factorial(n int) int {
	product := 1
	for k := 2; k <= n; k++ {
		product *= k
	}
	return product
}

// orderText writes an order by its number: the processes that have another place in it than
// usual, in that order.
func (u *Universe) orderText(receiver, number int) string {
	var names []string
	for place, sender := range u.order(receiver, number) {
		if usual := u.sender(receiver, place); usual != sender {
			names = append(names, u.bounds.Processes[sender])
		}
	}
	return strings.Join(names, ",")
}

// sender returns the usual sender at a place among the senders to a receiver.
func (u *Universe) sender(receiver, place int) int {
	if place >= receiver {
		return place + 1
	}
	return place
}

// order returns the order of the senders to a receiver with a number: 0 is the usual order,
// the others are sorted.
func (u *Universe) order(receiver, number int) []int {
	var left, order []int
	for place := range u.n - 1 {
		left = append(left, u.sender(receiver, place))
	}
	for len(left) > 0 {
		rest := factorial(len(left) - 1)
		i := number / rest
		number %= rest
		order = append(order, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return order
}

// orderOf returns the number of the order of a fault, and false if it has none.
func orderOf(u *Universe, f rounds.Fault) (int, bool) {
	receiver, ok := u.index[f.Process]
	if !ok || u.n > mostOrdered {
		return 0, false
	}
	order, ok := Arranged(f, u.bounds.Processes)
	if !ok {
		return 0, false
	}
	number := 0
	for i, sender := range order {
		if sender == receiver {
			continue
		}
		smaller, behind := 0, 0
		for _, other := range order[i+1:] {
			if other == receiver {
				continue
			}
			behind++
			if other < sender {
				smaller++
			}
		}
		number += smaller * factorial(behind)
	}
	return number, number > 0
}

// mostOrdered is the most processes whose orders have numbers.
const mostOrdered = 20

// Arranged returns the senders, as indexes of processes, in the order in which their
// messages reach the process of the fault f, an Order: the senders that f names take
// their places among themselves in the order of f, and the others stay where they are.
// Arranged returns false if f is no Order of these processes.
func Arranged(f rounds.Fault, processes []string) ([]int, bool) {
	var named []int
	for name := range strings.SplitSeq(f.Detail, ",") {
		p := slices.Index(processes, name)
		if p < 0 || name == f.Process || slices.Contains(named, p) {
			return nil, false
		}
		named = append(named, p)
	}
	next, order := 0, make([]int, len(processes))
	for p := range processes {
		order[p] = p
		if slices.Contains(named, p) {
			order[p] = named[next]
			next++
		}
	}
	return order, f.Kind == rounds.Order
}

// anyLate tells whether anything comes late or twice.
func (u *Universe) anyLate() bool { return u.sections[delays].last+u.sections[duplicates].last > 0 }

// firstLate returns the first section of messages lost, late or duplicated.
func (u *Universe) firstLate() int {
	if u.sections[delays].last > 0 {
		return delays
	}
	return duplicates
}

// lateSlots returns the number of slots of messages lost, late or duplicated.
func (u *Universe) lateSlots() int {
	return max(u.sections[omissions].slots(), u.sections[delays].slots(), u.sections[duplicates].slots())
}

// slotOf returns the slot of a row for the messages with number i; false if the row has
// none.
func (u *Universe) slotOf(row, i int) (slot, bool) {
	s := &u.sections[row]
	if i >= s.slots() {
		return slot{}, false
	}
	return s.slot(i), true
}

// randomLate appends delays and duplicates of messages that are not lost.
func (u *Universe) randomLate(r Numbers, units []int) []int {
	if !u.anyLate() {
		return units
	}
	lost, all := map[int]bool{}, &u.sections[omissions]
	for _, unit := range units {
		if all.first <= unit && unit < all.first+all.len() {
			lost[all.slotOf(unit)] = true
		}
	}
	for _, row := range [...]int{delays, duplicates} {
		s := &u.sections[row]
		if s.last == 0 {
			continue
		}
		count := s.slots()
		for _, i := range Sample(r, count, number(r, s.budget, count)) {
			if slot := s.slot(i); !lost[i] {
				units = append(units, slot.unit(r.IntN(slot.size)))
			}
		}
	}
	return units
}
