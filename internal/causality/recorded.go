package causality

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Recorded compares two executions of a system, whose rules are not known. It begins with
// the facts that differ and by which the outcome is judged. For each fact it finds the last
// message that the process received before and that it did not receive in the other
// execution, and continues with the sender of that message. A process behaves differently
// because of a message, or of a fault that struck it, in that round or before; the last one
// is the nearest, and not surely the cause. If the sides are versions, a difference without
// such a cause comes from the versions.
func Recorded(d *result.Difference, good, bad *recording.Execution, outcome recording.Fact, missing bool, read func(relation string) bool) {
	c := &comparing{Difference: d, good: newTraffic(good), bad: newTraffic(bad), at: map[turn][]int{}}
	var causes []result.Cause
	for _, f := range differing(good, bad, read) {
		causes = append(causes, result.Cause{Change: c.fact(f)})
	}
	if p := processOf(outcome); len(causes) == 0 && p != "" {
		causes = c.diverges(p, outcome.Round)
	}
	d.Outcome = c.add(result.Change{Fact: outcome, Until: outcome.Round, Missing: missing, Causes: causes})
	d.Chain = c.chain()
}

// comparing is one call of Recorded.
type comparing struct {
	*result.Difference
	good, bad *traffic
	at        map[turn][]int // the messages that a process got in a round in one execution only
}

// turn is a process in a round.
type turn struct {
	process string
	round   int
}

// traffic has the messages that arrive in an execution.
type traffic struct {
	*recording.Execution
	got map[string][]recording.Message // by process, by their rounds
}

func newTraffic(e *recording.Execution) *traffic {
	t := &traffic{e, map[string][]recording.Message{}}
	for _, m := range e.Messages {
		if !m.Lost {
			t.got[m.To] = append(t.got[m.To], m)
		}
	}
	return t
}

// arrival is the round in which a message arrives.
func arrival(m recording.Message) int { return cmp.Or(m.Arrival, m.Round) }

func alike(m, n recording.Message) bool {
	return m.From == n.From && m.To == n.To && m.Round == n.Round && arrival(m) == arrival(n) && m.Relation == n.Relation && slices.Equal(m.Args, n.Args)
}

// but returns the members of all that are not among others.
func but[T any](all, others []T, same func(T, T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool {
		return slices.ContainsFunc(others, func(y T) bool { return same(x, y) })
	})
}

// changed is a fact that one execution has and the other has not.
type changed struct {
	recording.Fact
	missing bool
}

// differing returns the facts of some relations in which two executions differ, those of
// earlier rounds first; if they do not differ in these relations, those of all relations.
func differing(good, bad *recording.Execution, read func(string) bool) []changed {
	var all []changed
	for _, side := range []struct {
		has, lacks *recording.Execution
		missing    bool
	}{{good, bad, true}, {bad, good, false}} {
		for _, f := range side.has.Facts {
			if !slices.ContainsFunc(side.lacks.Facts, func(g recording.Fact) bool { return f.Compare(g) == 0 }) {
				all = append(all, changed{f, side.missing})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b changed) int { return a.Round - b.Round })
	if those := slices.DeleteFunc(slices.Clone(all), func(f changed) bool { return !read(f.Relation) }); len(those) > 0 {
		return those
	}
	return all
}

// add adds a change, and returns its number.
func (c *comparing) add(ch result.Change) int {
	ch.Number = len(c.Changes) + 1
	if len(ch.Causes) == 0 && c.Good.Version != "" { // nothing that came before differs
		ch.Causes = []result.Cause{{How: Program}}
	}
	ch.Shared = []recording.Fact{}
	c.Changes = append(c.Changes, ch)
	return ch.Number
}

// fact adds a change of a fact, and the reason why its process differs.
func (c *comparing) fact(f changed) int {
	var causes []result.Cause
	if p := processOf(f.Fact); p != "" {
		causes = c.diverges(p, f.Round)
	}
	return c.add(result.Change{Fact: f.Fact, Until: f.Round, Missing: f.missing, Causes: causes})
}

func processOf(f recording.Fact) string {
	if len(f.Args) == 0 {
		return ""
	}
	return f.Args[0].Text()
}

// diverges returns why a process differs in a round: the last message that it did not get
// in the other execution, or a later fault that struck it.
func (c *comparing) diverges(p string, round int) []result.Cause {
	missing, more := but(c.good.got[p], c.bad.got[p], alike), but(c.bad.got[p], c.good.got[p], alike)
	last := 0
	for _, m := range slices.Concat(missing, more) {
		if at := arrival(m); at <= round {
			last = max(last, at)
		}
	}
	if f, ok := c.struck(p, round); ok && (f.Round >= last || f.Kind == rounds.Crash) {
		return []result.Cause{strike(f)}
	}
	if last == 0 {
		return nil
	}
	k := turn{p, last}
	if _, known := c.at[k]; !known {
		for i, list := range [][]recording.Message{missing, more} {
			for _, m := range list {
				if arrival(m) == last {
					c.at[k] = append(c.at[k], c.message(m, i == 0))
				}
			}
		}
	}
	var causes []result.Cause
	for _, n := range c.at[k] {
		causes = append(causes, result.Cause{Change: n})
	}
	return causes
}

// message records a message that arrives in one execution only.
func (c *comparing) message(m recording.Message, missing bool) int {
	other := c.good
	if missing {
		other = c.bad
	}
	fact := recording.Fact{Relation: m.Relation, Args: m.Args, Round: arrival(m)}
	causes := c.why(m, other)
	if len(causes) == 0 && c.Good.Version != "" {
		causes = []result.Cause{{How: Program, From: m.From, To: m.To, Round: m.Round}}
	}
	return c.add(result.Change{Fact: fact, Until: fact.Round, Missing: missing, Causes: causes})
}

// why returns why a message does not arrive in the other execution as it does in this one.
func (c *comparing) why(m recording.Message, other *traffic) []result.Cause {
	cause := result.Cause{From: m.From, To: m.To, Round: m.Round}
	for _, n := range other.Messages {
		if n.From != m.From || n.To != m.To || n.Round != m.Round || n.Relation != m.Relation || !slices.Equal(n.Args, m.Args) || n.Again != m.Again {
			continue
		}
		if n.Lost {
			cause.How, cause.Fault.Faults = Lost, []rounds.Fault{n.Cause}
			return []result.Cause{cause}
		}
		if f, ok := lateBy(slices.Concat(other.Schedule.Faults, c.good.Schedule.Faults, c.bad.Schedule.Faults), m); ok && arrival(n) != arrival(m) {
			cause.How, cause.Arrival, cause.Fault.Faults = Late, arrival(n), []rounds.Fault{f}
			return []result.Cause{cause}
		}
	}
	if f, ok := lateBy(slices.Concat(c.good.Schedule.Faults, c.bad.Schedule.Faults), m); ok && (m.Again || arrival(m) != m.Round) {
		cause.How, cause.Arrival, cause.Fault.Faults = Later, arrival(m), []rounds.Fault{f}
		return []result.Cause{cause}
	}
	if causes := c.diverges(m.From, m.Round-1); len(causes) > 0 {
		return causes
	}
	if f, ok := c.struck(m.From, m.Round); ok {
		by := strike(f)
		by.From, by.To, by.Round = m.From, m.To, m.Round
		return []result.Cause{by}
	}
	return nil
}

// lateBy returns the fault by which a message comes later, or once more.
func lateBy(all []rounds.Fault, m recording.Message) (rounds.Fault, bool) {
	i := slices.IndexFunc(all, func(f rounds.Fault) bool {
		switch f.Kind {
		case rounds.Delay, rounds.Duplicate:
			return f.Process == m.From && f.To == m.To && f.Round == m.Round && f.Hits(m.Relation)
		case rounds.Pause:
			return f.Process == m.To && f.Round <= m.Round && m.Round <= f.Until
		}
		return false
	})
	if i < 0 {
		return rounds.Fault{}, false
	}
	return all[i], true
}

// struck returns the last fault of one of the two schedules that strikes a process itself,
// up to a round.
func (c *comparing) struck(p string, round int) (last rounds.Fault, ok bool) {
	good, bad := c.good.Schedule.Faults, c.bad.Schedule.Faults
	equal := func(f, g rounds.Fault) bool { return f == g }
	for _, f := range slices.Concat(but(bad, good, equal), but(good, bad, equal)) {
		switch f.Kind {
		case rounds.Omit, rounds.Isolate, rounds.Partition, rounds.Cut, rounds.Delay, rounds.Duplicate:
			continue
		}
		if f.Process == p && f.Round <= round && (!ok || f.Round > last.Round) {
			last, ok = f, true
		}
	}
	return last, ok
}

// strike is the cause that a process is struck by a fault.
func strike(f rounds.Fault) result.Cause {
	cause := result.Cause{How: Struck, Round: f.Round, Fault: rounds.Schedule{Faults: []rounds.Fault{f}}}
	switch f.Kind {
	case rounds.Crash:
		cause.How = Stopped
	case rounds.Choose:
		cause.How = Chosen
	}
	return cause
}

// chain returns the changes that lead to the outcome. It goes back from the outcome, each
// time to the earliest change that is a cause. For the step before the outcome it prefers a
// change that, like the outcome, is missing or is not.
func (c *comparing) chain() []int {
	var chain []int
	for n := c.Outcome; n > 0; {
		chain = append(chain, n)
		next := 0
		for _, cause := range c.Changes[n-1].Causes {
			if cause.Change > 0 && !slices.Contains(chain, cause.Change) && (next == 0 || c.before(c.Changes[cause.Change-1], c.Changes[next-1], c.Changes[n-1])) {
				next = cause.Change
			}
		}
		n = next
	}
	slices.Reverse(chain)
	return chain
}

// before tells which of two causes of a change the chain goes to.
func (c *comparing) before(a, b, effect result.Change) bool {
	if effect.Number == c.Outcome && a.Missing != b.Missing {
		return a.Missing == effect.Missing
	}
	return a.Fact.Round < b.Fact.Round
}

// Restored returns the changes of d that are not in the execution undone, in which a fault
// is left out: facts that are back in it, or gone.
func Restored(d *result.Difference, undone *recording.Execution) []result.Change {
	var all []result.Change
	for _, cause := range d.Changes[d.Outcome-1].Causes {
		if cause.Change == 0 {
			continue
		}
		ch := d.Changes[cause.Change-1]
		holds := slices.ContainsFunc(undone.Facts, func(f recording.Fact) bool { return f.Compare(ch.Fact) == 0 })
		if holds == ch.Missing {
			ch.Number = len(all) + 1
			ch.Causes = slices.DeleteFunc(slices.Clone(ch.Causes), func(c result.Cause) bool { return c.Change > 0 }) // which are other changes here
			all = append(all, ch)
		}
	}
	return all
}

// Comparable returns an error if executions of two versions cannot be compared, because
// they differ in their processes or their number of rounds.
func Comparable(name string, b rounds.Bounds, other string, c rounds.Bounds) error {
	one, two := slices.Sorted(slices.Values(b.Processes)), slices.Sorted(slices.Values(c.Processes))
	if !slices.Equal(one, two) {
		return fmt.Errorf("%s has the processes %s, and %s %s: only versions with the same processes can be compared", name, strings.Join(one, ", "), other, strings.Join(two, ", "))
	}
	if b.EOT != c.EOT {
		return fmt.Errorf("%s has %d rounds, and %s %d: only versions with the same number of rounds can be compared (--eot says how many)", name, b.EOT, other, c.EOT)
	}
	return nil
}
