package strategies

import (
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// rate is how the clock of a process runs until the end of the phase: 1 fast, -1 slow,
// 0 as it should.
func (p *product) rate(n *node, process int) int {
	if n.rates == 0 {
		return 0
	}
	return int(p.rates.lists[n.rates][process])
}

// moreTicks is the number of additional ticks of a process in the round, by the faults so
// far.
func (x *expansion) moreTicks(process int) int32 {
	jump := 0
	for _, e := range x.chosen {
		if e := event(e); e.kind() == rounds.Jump && e.process() == process {
			jump = e.more()
		}
	}
	return int32(schedules.MoreTicks(x.ticks, x.rate(&x.node, process), jump, int(x.node.round)))
}

// run makes the clock of a process run fast or slow from this round on, or not. The fault
// begins in the first round whose number of ticks it changes and in which the process takes
// part: an earlier begin has the same effect.
func (x *expansion) run(process, left int) error {
	if err := x.leap(process, left); err != nil || !x.wrongClock(process) || x.rate(&x.node, process) != 0 {
		return err
	}
	for _, to := range []struct {
		kind  rounds.Kind
		count int
		rate  int32
	}{{rounds.Fast, fast, 1}, {rounds.Slow, slow, -1}} {
		if schedules.MoreTicks(x.ticks, int(to.rate), 0, int(x.node.round)) == 0 {
			continue
		}
		set := func(n *node) {
			list := make([]int32, x.n)
			copy(list, x.rates.lists[n.rates])
			list[process] = to.rate
			n.rates = x.rates.number(list)
		}
		if err := x.choose(to.count, newEvent(to.kind, process, 0), left, set, func(left int) error { return x.leap(process, left) }); err != nil {
			return err
		}
	}
	return nil
}

// leap makes the clock of a process jump ahead, or not.
func (x *expansion) leap(process, left int) error {
	if err := x.fall(process, left); err != nil || !x.wrongClock(process) {
		return err
	}
	for by := 1; by <= x.bounds.MaxJump; by++ {
		err := x.choose(jumps, newEvent(rounds.Jump, process, by), left, func(*node) {}, func(left int) error { return x.fall(process, left) })
		if err != nil {
			return err
		}
	}
	return nil
}

// wrongClock tells whether the clock of a process can go wrong in the round, and that
// makes a difference.
func (x *expansion) wrongClock(process int) bool {
	return x.rates != nil && (x.node.down|x.node.paused)>>process&1 == 0 && int(x.node.round) <= x.last && x.ticks > 0
}
