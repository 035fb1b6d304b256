package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
)

// environment writes which faults and choices there can be, and which messages arrive.
func (x *translation) environment() {
	for _, p := range x.processes {
		x.rule("process(" + p + ")")
	}
	x.chooseUnits()
	for i := range x.units {
		x.rule(fmt.Sprintf("{ on(%d) }", i))
	}
	x.limits()
	x.crashes()
	for round := 1; round <= x.bounds.EOT; round++ {
		x.network(round)
		x.granted(round)
	}
}

// chooseUnits numbers the faults and choices, in the canonical order: crashes,
// isolations, omissions, restarts, partitions, cuts, delays, duplicates, each by
// round and by whom they strike in the order of the processes, then choices.
func (x *translation) chooseUnits() {
	x.eachRound(x.bounds.EOT, rounds.Crash, x.bounds.Crashes != 0, x.crashable)
	x.eachRound(x.bounds.LastLoss(), rounds.Isolate, x.bounds.Isolations != 0 || x.bounds.Partitions != 0, x.isolable)
	x.eachRound(x.bounds.LastLoss(), rounds.Omit, x.bounds.Omissions != 0, x.losable)
	x.eachRound(x.bounds.EOT, rounds.Restart, x.restarts(), x.crashable)
	x.eachRound(x.bounds.LastLoss(), rounds.Partition, x.bounds.Partitions != 0, x.splits)
	x.eachRound(x.bounds.LastLoss(), rounds.Cut, x.bounds.Cuts != 0, x.losable)
	x.lateUnits(rounds.Delay, x.bounds.Delays)
	x.lateUnits(rounds.Duplicate, x.bounds.Duplicates)
	x.faults = len(x.units)
	if x.bounds.Choices == 0 {
		return
	}
	for _, g := range x.groups() {
		for i, a := range g.facts {
			if i > 0 || g.mode != syntax.One {
				x.units = append(x.units, a.fault())
			}
		}
	}
}

// eachRound adds units of a kind: in each round those that it can strike.
func (x *translation) eachRound(last int, kind rounds.Kind, possible bool, strikes func() []rounds.Fault) {
	for round := x.bounds.FirstFault(); round <= last && possible; round++ {
		if x.bounds.At != "" && (round-1)%x.bounds.Period > 0 {
			continue
		}
		for _, of := range x.kinds(kind) {
			for _, f := range strikes() {
				f.Kind, f.Round, f.Of = kind, round, of
				if kind == rounds.Isolate || kind == rounds.Partition || kind == rounds.Cut {
					f.Until = min((round+x.bounds.Period-1)/x.bounds.Period*x.bounds.Period, last)
				}
				x.unit(f)
			}
		}
	}
}

// lateUnits adds delays or duplicates.
func (x *translation) lateUnits(kind rounds.Kind, budget int) {
	for round := x.bounds.FirstFault(); round <= x.bounds.LastLoss() && budget != 0; round++ {
		for _, of := range x.kinds(kind) {
			for by := 1; by <= min(x.bounds.MaxDelay, x.bounds.EOT-round); by++ {
				for _, f := range x.losable() {
					f.Kind, f.Round, f.By, f.Of = kind, round, by, of
					x.unit(f)
				}
			}
		}
	}
}

// kinds are the kinds of messages that a kind of fault can hit alone, behind "" for all.
func (x *translation) kinds(kind rounds.Kind) []string {
	if kind == rounds.Omit || kind == rounds.Cut || kind == rounds.Delay || kind == rounds.Duplicate {
		return append([]string{""}, x.bounds.Kinds...)
	}
	return []string{""}
}

// of names a relation for the messages of a kind, if these can be hit alone.
func (x *translation) of(relation, kind string) string {
	if i := slices.Index(x.bounds.Kinds, kind); i >= 0 {
		return fmt.Sprintf("%s_k%d", relation, i)
	}
	return relation
}

// unit adds a unit, unless it strikes somebody who has not joined.
func (x *translation) unit(f rounds.Fault) {
	if f.Kind == rounds.Partition || f.Round >= x.bounds.Joins[f.Process] && f.Round >= x.bounds.Joins[f.To] {
		x.units = append(x.units, f)
	}
}

func (x *translation) crashable() (all []rounds.Fault) {
	for _, p := range x.bounds.Processes {
		if !slices.Contains(x.bounds.NeverCrash, p) {
			all = append(all, rounds.Fault{Process: p})
		}
	}
	return all
}

func (x *translation) isolable() (all []rounds.Fault) {
	for _, p := range x.bounds.Processes {
		if slices.ContainsFunc(x.losable(), func(f rounds.Fault) bool { return f.Process == p || f.To == p }) {
			all = append(all, rounds.Fault{Process: p})
		}
	}
	return all
}

func (x *translation) losable() (all []rounds.Fault) {
	for _, p := range x.bounds.Processes {
		for _, q := range x.bounds.Processes {
			if p != q && !x.reliable(p, q) {
				all = append(all, rounds.Fault{Process: p, To: q})
			}
		}
	}
	return all
}

// splits are the ways to part the processes in two sides of two or more, in the
// order of the numbers that have a bit for each process that is not with the first.
func (x *translation) splits() (all []rounds.Fault) {
	names := x.bounds.Processes
	for set := 0; set < 1<<(len(names)-1); set++ {
		var here, there []string
		for i, p := range names {
			if i > 0 && set>>(i-1)&1 == 1 {
				there = append(there, p)
			} else {
				here = append(here, p)
			}
		}
		crosses := slices.ContainsFunc(x.losable(), func(f rounds.Fault) bool {
			return slices.Contains(here, f.Process) != slices.Contains(here, f.To)
		})
		if len(here) < 2 || len(there) < 2 || !crosses {
			continue
		}
		if len(there) < len(here) {
			here = there
		}
		slices.Sort(here)
		all = append(all, rounds.Fault{Detail: strings.Join(here, ",") + "|*"})
	}
	return all
}

// reliable tells whether only crashes lose what is sent on a link.
func (x *translation) reliable(from, to string) bool {
	return slices.ContainsFunc(x.bounds.Reliable, func(link string) bool {
		p, q, _ := strings.Cut(link, ">")
		return (p == "*" || p == from) && (q == "*" || q == to)
	})
}

// limits writes how many there are of each kind, and of those that strike the same.
func (x *translation) limits() {
	b := x.bounds
	of := func(kinds ...rounds.Kind) (units []int) {
		for i, f := range x.units {
			if slices.Contains(kinds, f.Kind) {
				units = append(units, i)
			}
		}
		return units
	}
	both := rounds.Unlimited
	if b.Isolations >= 0 && b.Partitions >= 0 {
		both = b.Isolations + b.Partitions
	}
	x.atMost(b.Crashes, of(rounds.Crash))
	x.atMost(b.Restarts, of(rounds.Restart))
	x.atMost(both, of(rounds.Isolate, rounds.Partition))
	x.atMost(b.Partitions, of(rounds.Partition))
	x.atMost(b.Omissions, of(rounds.Omit))
	x.atMost(b.Cuts, of(rounds.Cut))
	x.atMost(b.Delays, of(rounds.Delay))
	x.atMost(b.Duplicates, of(rounds.Duplicate))
	x.atMost(b.Choices, of(rounds.Choose))
	x.slots()
}

// slots writes which units exclude each other.
func (x *translation) slots() {
	slots := map[rounds.Fault][]int{}
	var order []rounds.Fault
	add := func(slot rounds.Fault, unit int) {
		if slots[slot] == nil {
			order = append(order, slot)
		}
		slots[slot] = append(slots[slot], unit)
	}
	for i, f := range x.units {
		switch f.Kind {
		case rounds.Isolate, rounds.Partition, rounds.Cut:
			f.Round, f.Of = 0, "" // what strikes the same until the same round
			add(f, i)
		case rounds.Omit, rounds.Delay:
			add(rounds.Fault{Kind: rounds.Omit, Process: f.Process, To: f.To, Round: f.Round}, i)
			if f.Kind == rounds.Omit {
				add(rounds.Fault{Kind: rounds.Duplicate, Process: f.Process, To: f.To, Round: f.Round}, i)
			}
		case rounds.Duplicate:
			add(rounds.Fault{Kind: rounds.Duplicate, Process: f.Process, To: f.To, Round: f.Round}, i)
		}
	}
	for _, slot := range order {
		x.atMost(1, slots[slot])
	}
	for _, g := range x.groups() {
		var units []int
		for _, a := range g.facts {
			if n := slices.Index(x.units, a.fault()); n >= 0 && g.mode != syntax.Some {
				units = append(units, n)
			}
		}
		x.atMost(1, units)
	}
}

// atMost allows so many of the units.
func (x *translation) atMost(most int, units []int) {
	if most < 0 || most >= len(units) {
		return
	}
	var all []string
	for _, n := range units {
		all = append(all, fmt.Sprintf("on(%d)", n))
	}
	x.rule("", fmt.Sprintf("%d { %s }", most+1, strings.Join(all, "; ")))
}

// crashes writes who is down when.
func (x *translation) crashes() {
	for i, f := range x.units {
		switch f.Kind {
		case rounds.Crash:
			x.rule(fmt.Sprintf("crash_%d(%s)", f.Round, x.process(f.Process)), fmt.Sprintf("on(%d)", i))
			x.rule(fmt.Sprintf("crash(P,%s,%d)", x.process(f.Process), f.Round), "process(P)", fmt.Sprintf("on(%d)", i))
		case rounds.Restart:
			x.rule(fmt.Sprintf("restart_%d(%s)", f.Round, x.process(f.Process)), fmt.Sprintf("on(%d)", i))
		}
	}
	for round := 1; round <= x.bounds.EOT; round++ {
		crash, restart := fmt.Sprintf("crash_%d(P)", round), fmt.Sprintf("restart_%d(P)", round)
		down, before := fmt.Sprintf("down_%d(P)", round), fmt.Sprintf("down_%d(P)", round-1)
		x.rule(down, crash, "not "+restart)
		x.rule(down, before, "not "+restart)
		x.rule("", crash, before)
		x.rule("", restart, "not "+crash, "not "+before)
	}
}

// network writes which messages of a round arrive, at once and late.
func (x *translation) network(round int) {
	x.losses(round)
	b := x.bounds
	for j, q := range b.Processes {
		to := x.processes[j]
		up := ""
		if x.stops() {
			up = fmt.Sprintf("not down_%d(%s)", round, to)
		}
		if round < b.Joins[q] {
			continue
		}
		x.rule(fmt.Sprintf("joined_%d(%s)", round, to))
		own := ""
		if b.OwnLost {
			own = fmt.Sprintf("not isolated_%d(%s)", round, to)
		}
		for _, of := range x.kinds(rounds.Omit) {
			arrives := x.of("arrives", of)
			x.arrives(arrives, nobody, to, round, up)
			x.arrives(arrives, to, to, round, up, own)
			for i, p := range b.Processes {
				if from := x.processes[i]; p != q && round >= b.Joins[p] {
					x.arrives(arrives, from, to, round, up, fmt.Sprintf("not down_%d(%s)", round, from),
						fmt.Sprintf("not %s_%d(%s,%s)", x.of("lost", of), round, from, to), fmt.Sprintf("not %s_%d(%s,%s)", x.of("delayed", of), round, from, to))
				}
			}
		}
	}
}

// arrives writes that what one sends another arrives at once under some conditions,
// and in the execution without faults without them.
func (x *translation) arrives(arrives, from, to string, round int, when ...string) {
	head := fmt.Sprintf("%s_%d(%s,%s)", arrives, round, from, to)
	x.rule(head, slices.DeleteFunc(when, func(s string) bool { return s == "" })...)
	x.rule("calm_" + head)
}

// losses writes what the units lose, or let come late, in a round.
func (x *translation) losses(round int) {
	for _, of := range x.kinds(rounds.Omit) {
		x.lossesOf(of, round)
	}
}

// lossesOf writes what the units lose, or let come late, of the messages of a kind.
func (x *translation) lossesOf(of string, round int) {
	b := x.bounds
	lost := x.of("lost", of)
	for i, f := range x.units {
		on := fmt.Sprintf("on(%d)", i)
		lose := func(p, q string) {
			x.rule(fmt.Sprintf("%s_%d(%s,%s)", lost, round, x.process(p), x.process(q)), on)
		}
		if f.Of != "" && f.Of != of {
			continue
		}
		if round < f.Round || round > max(f.Round, f.Until) {
			continue
		}
		switch f.Kind {
		case rounds.Omit, rounds.Cut:
			lose(f.Process, f.To)
		case rounds.Isolate:
			x.rule(fmt.Sprintf("isolated_%d(%s)", round, x.process(f.Process)), on)
			x.part([]string{f.Process}, lose)
		case rounds.Partition:
			x.part(strings.Split(strings.TrimSuffix(f.Detail, "|*"), ","), lose)
		case rounds.Delay, rounds.Duplicate:
			p, q := x.process(f.Process), x.process(f.To)
			if f.Kind == rounds.Delay {
				x.rule(fmt.Sprintf("%s_%d(%s,%s)", x.of("delayed", of), round, p, q), on)
			}
			body := []string{on, fmt.Sprintf("not %s_%d(%s,%s)", lost, round, p, q), fmt.Sprintf("not down_%d(%s)", round, p)}
			if b.CrashStop {
				body = append(body, fmt.Sprintf("not down_%d(%s)", round+f.By, q))
			}
			x.rule(fmt.Sprintf("%s_%d_%d(%s,%s)", x.of("late", of), round, f.By, p, q), body...)
		}
	}
}

// part loses what crosses between some processes and the others.
func (x *translation) part(side []string, lose func(p, q string)) {
	for _, f := range x.losable() {
		if slices.Contains(side, f.Process) != slices.Contains(side, f.To) {
			lose(f.Process, f.To)
		}
	}
}

// granted writes what is taken for granted of a round.
func (x *translation) granted(round int) {
	least, kernel := x.bounds.Network()
	if least == 0 && !kernel {
		return
	}
	r := fmt.Sprint(round)
	x.rule("up_"+r+"(P)", "process(P)", "not down_"+r+"(P)")
	x.rule("", "up_"+r+"(P)", fmt.Sprintf("#count{ Q : up_%s(Q), arrives_%s(Q,P) } < %d", r, r, least))
	if kernel {
		x.rule("apart_"+r+"(K)", "up_"+r+"(K)", "up_"+r+"(P)", "not arrives_"+r+"(K,P)")
		x.rule("apart_"+r+"(K)", "up_"+r+"(K)", "up_"+r+"(P)", "not arrives_"+r+"(P,K)")
		x.rule("kernel_"+r, "up_"+r+"(K)", "not apart_"+r+"(K)")
		x.rule("", "not kernel_"+r)
	}
}
