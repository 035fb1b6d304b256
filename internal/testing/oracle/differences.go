package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Execute executes a schedule, of the good program or the bad one.
type Execute func(rounds.Schedule) (*recording.Execution, error)

// Check reports the first statement of a difference that is not true of the executions of
// its schedules: each fact that is said to be missing is there in the good one and missing
// in the bad one, each message that is said to be lost by a fault is, and so on.
func CheckDifference(d *result.Difference, good, bad Execute) error {
	c := &differenceChecker{}
	var err error
	if c.good, err = load(good, d.Good.Schedule); err != nil {
		return err
	}
	if c.bad, err = load(bad, d.Bad.Schedule); err != nil {
		return err
	}
	if err := c.difference(d); err != nil {
		return err
	}
	if err := c.chains(d); err != nil {
		return fmt.Errorf("chains: %w", err)
	}
	if err := c.instead(d); err != nil {
		return fmt.Errorf("instead: %w", err)
	}
	if err := c.held(d); err != nil {
		return fmt.Errorf("held: %w", err)
	}
	for _, u := range d.Without {
		if err := c.without(d, u, bad); err != nil {
			return fmt.Errorf("without %s: %w", u.Fault, err)
		}
	}
	return nil
}

// differenceChecker looks things up in two executions.
type differenceChecker struct{ good, bad *execution }

// execution is one, with its facts by their text.
type execution struct {
	*recording.Execution
	facts map[string]bool
}

func load(execute Execute, s rounds.Schedule) (*execution, error) {
	e, err := execute(s)
	if err != nil {
		return nil, err
	}
	x := &execution{e, map[string]bool{}}
	for _, f := range e.Facts {
		x.facts[f.String()] = true
	}
	return x, nil
}

func (x *execution) has(f recording.Fact) bool { return x.facts[f.String()] }

func (x *execution) suffers(s rounds.Schedule) bool {
	return slices.ContainsFunc(x.Schedule.Faults, func(f rounds.Fault) bool { return slices.Contains(s.Faults, f) })
}

// difference checks changes, and that each of the chain follows from the one before.
func (c *differenceChecker) difference(d *result.Difference) error {
	if err := numbered(d, c.change); err != nil || d.Outcome == 0 {
		return err
	}
	for _, ch := range d.Changes {
		if first := d.Changes[d.Chain[0]-1]; ch.Fact.Round < first.Fact.Round && len(blamed(ch)) > 0 {
			return fmt.Errorf("%s is said to be the first, but %s is earlier", first.Fact, ch.Fact)
		}
	}
	if first := d.Changes[d.Chain[0]-1]; len(blamed(first)) == 0 {
		return fmt.Errorf("%s is said to be the first, and no fault is its cause", first.Fact)
	}
	return chained(d)
}

// numbered checks that the changes are in order, the outcome last and causes before what
// follows from them, and each of them by a function.
func numbered(d *result.Difference, change func(result.Change) error) error {
	if d.Outcome != len(d.Changes) {
		return fmt.Errorf("the outcome is change %d of %d", d.Outcome, len(d.Changes))
	}
	for i, ch := range d.Changes {
		if ch.Number != i+1 {
			return fmt.Errorf("change %d is the %d. one", ch.Number, i+1)
		}
		if err := change(ch); err != nil {
			return fmt.Errorf("%s: %w", ch.Fact, err)
		}
		for _, cause := range ch.Causes {
			if cause.Change >= ch.Number {
				return fmt.Errorf("%s: its cause comes later: change %d", ch.Fact, cause.Change)
			}
		}
	}
	return nil
}

// blamed are the causes of a change that are no other changes.
func blamed(ch result.Change) []result.Cause {
	return slices.DeleteFunc(slices.Clone(ch.Causes), func(c result.Cause) bool { return c.Change > 0 })
}

// change checks that a fact holds on one side only, in all its rounds, and why.
func (c *differenceChecker) change(ch result.Change) error {
	here, there := c.bad, c.good
	if ch.Missing {
		here, there = c.good, c.bad
	}
	f := ch.Fact
	for f.Round = ch.Fact.Round; f.Round <= ch.Until; f.Round++ {
		if !here.has(f) || there.has(f) {
			return fmt.Errorf("missing is %v: in round %d it holds where it is said to: %v, and in the other one: %v", ch.Missing, f.Round, here.has(f), there.has(f))
		}
	}
	if ch.Until < ch.Fact.Round {
		return fmt.Errorf("it ends in round %d", ch.Until)
	}
	if len(ch.Causes) == 0 {
		return fmt.Errorf("it has no cause")
	}
	for _, f := range ch.Shared {
		if !here.has(f) || !there.has(f) {
			return fmt.Errorf("%s is not shared", f)
		}
	}
	for _, cause := range blamed(ch) {
		if err := c.cause(ch, cause, here, there); err != nil {
			return fmt.Errorf("%s (%s): %w", cause.How, cause.Fault, err)
		}
	}
	return nil
}

// cause checks that a fault does to a change what it is said to do.
func (c *differenceChecker) cause(ch result.Change, cause result.Cause, here, there *execution) error {
	if len(cause.Fault.Faults) == 0 && c.good.Schedule.String() == c.bad.Schedule.String() {
		return nil // of which there are two (CheckVersions)
	}
	if len(cause.Fault.Faults) != 1 {
		return fmt.Errorf("one fault is to blame")
	}
	f := cause.Fault.Faults[0]
	if cause.From != "" && cause.How == causality.Stopped && (there.fate(ch, cause, arrives(ch)) || f.Process != cause.From) {
		return fmt.Errorf("it is sent")
	}
	if here.suffers(cause.Fault) == there.suffers(cause.Fault) {
		return fmt.Errorf("the fault is on both sides, or on none")
	}
	switch cause.How {
	case causality.Lost, causality.Late:
		if there.fate(ch, cause, func(m recording.Message) bool {
			return m.Cause == f && m.Lost || f.Kind == rounds.Delay && (m.Arrival == f.Round+f.By && cause.Arrival == m.Arrival || m.Lost && cause.Arrival == 0)
		}) && here.fate(ch, cause, arrives(ch)) {
			return nil
		}
		// A row of an aggregate that is there besides is lost on the other side.
		if here.fate(ch, cause, func(m recording.Message) bool { return m.Cause == f && m.Lost }) {
			return nil
		}
		return fmt.Errorf("there is no such message from %s to %s in round %d", cause.From, cause.To, cause.Round)
	case causality.Later:
		if !here.fate(ch, cause, func(m recording.Message) bool { return m.Arrival == cause.Arrival }) || there.fate(ch, cause, func(m recording.Message) bool { return m.Arrival == cause.Arrival }) {
			return fmt.Errorf("there is no such message")
		}
	case causality.Crashed: // which is known from the beginning
		if f.Kind != rounds.Crash {
			return fmt.Errorf("this is no crash")
		}
	case causality.Stopped, causality.Stays:
		if f.Kind != rounds.Crash || f.Round > ch.Fact.Round {
			return fmt.Errorf("this is no crash by then")
		}
	case causality.Back, causality.Forgot:
		if f.Kind != rounds.Restart || f.Round > ch.Fact.Round {
			return fmt.Errorf("this is no restart by then")
		}
	case causality.Chosen:
		if f.Kind != rounds.Choose {
			return fmt.Errorf("this is no choice")
		}
	default:
		return fmt.Errorf("how is that?")
	}
	return nil
}

// arrives tells whether a message arrives in time for a change.
func arrives(ch result.Change) func(recording.Message) bool {
	return func(m recording.Message) bool {
		return !m.Lost && cmp.Or(m.Arrival, m.Round) < ch.Fact.Round
	}
}

// fate tells whether a message of a cause meets a condition.
func (x *execution) fate(ch result.Change, cause result.Cause, meets func(recording.Message) bool) bool {
	return slices.ContainsFunc(x.Messages, func(m recording.Message) bool {
		return m.From == cause.From && m.To == cause.To && m.Round == cause.Round && m.Relation == ch.Fact.Relation && meets(m)
	})
}

// instead checks that nothing else than what is said was sent to bring the first fact,
// and that none of it did.
func (c *differenceChecker) instead(d *result.Difference) error {
	if d.Only == "" && len(d.Instead) == 0 {
		return nil
	}
	first := d.Changes[d.Chain[0]-1]
	by := blamed(first)[0]
	senders, said := map[string]bool{by.From: true}, 0
	for _, m := range c.bad.Messages {
		if m.To != by.To || m.From == "" || m.Relation != first.Fact.Relation || !slices.Equal(m.Args, first.Fact.Args) || m.Again || m.Round < first.Fact.Round-1 || m.Round >= first.Until {
			continue
		}
		senders[m.From] = true
		if m.From == by.From && m.Round == by.Round {
			continue
		}
		if !slices.ContainsFunc(d.Instead, func(i result.Cause) bool {
			became := i.How == causality.Late && m.Arrival == i.Arrival && !m.Lost || i.How == causality.Lost && m.Lost && slices.Equal(i.Fault.Faults, []rounds.Fault{m.Cause})
			return became && i.From == m.From && i.To == m.To && i.Round <= m.Round && m.Round <= max(i.Round, i.Until)
		}) {
			return fmt.Errorf("%s is not said", m)
		}
		said++
	}
	if n := 0; said > 0 || len(d.Instead) > 0 {
		for _, i := range d.Instead {
			n += max(i.Round, i.Until) - i.Round + 1
		}
		if n != said {
			return fmt.Errorf("%d messages are said, and there are %d", n, said)
		}
	}
	if (len(senders) == 1) != (d.Only == by.From) {
		return fmt.Errorf("%q is said to be the only sender of %d", d.Only, len(senders))
	}
	return nil
}

// held checks who had the first fact when somebody crashed: each process is asked for a
// fact of its own with the same values.
func (c *differenceChecker) held(d *result.Difference) error {
	if d.Held == nil {
		return nil
	}
	first, crash := d.Changes[d.Chain[0]-1], d.Held.Crash.Faults[0]
	if crash.Kind != rounds.Crash || !c.bad.suffers(d.Held.Crash) {
		return fmt.Errorf("there is no %s", crash)
	}
	for _, name := range c.bad.Bounds.Processes {
		has := false
		for _, own := range []specs.Value{specs.String(name), numeral(name)} {
			f := recording.Fact{Relation: first.Fact.Relation, Round: crash.Round, Args: append([]specs.Value{own}, first.Fact.Args[1:]...)}
			has = has || c.bad.has(f)
		}
		if said := name == crash.Process || slices.Contains(d.Held.Processes, name); said != has {
			return fmt.Errorf("%s has it: %v, and it is said: %v", name, has, said)
		}
	}
	return nil
}

// numeral is the number that is written so; the text if it is none.
func numeral(text string) specs.Value {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return specs.String(text)
	}
	return specs.Int(n)
}

// without checks what is said of the bad execution without one of its faults.
func (c *differenceChecker) without(d *result.Difference, u result.Without, bad Execute) error {
	rest := d.Bad.Schedule
	rest.Faults = slices.DeleteFunc(slices.Clone(rest.Faults), func(f rounds.Fault) bool { return slices.Contains(u.Fault.Faults, f) })
	undone, err := load(bad, rest)
	if err != nil {
		return err
	}
	alone := &differenceChecker{undone, c.bad}
	for i, ch := range u.Changes {
		if err := alone.change(ch); err != nil {
			return fmt.Errorf("%s: %w", ch.Fact, err)
		}
		if i == 0 && len(blamed(ch)) == 0 {
			return fmt.Errorf("%s is said to be nearest to the fault, which is no cause of it", ch.Fact)
		}
		for _, cause := range blamed(ch) {
			if !slices.Contains(u.Fault.Faults, cause.Fault.Faults[0]) {
				return fmt.Errorf("%s: nothing else than that differs, and %s is the cause", ch.Fact, cause.Fault)
			}
		}
	}
	if u.Mends && len(u.Changes) == 0 {
		return fmt.Errorf("it mends the promise, and nothing of it changes")
	}
	return nil
}
