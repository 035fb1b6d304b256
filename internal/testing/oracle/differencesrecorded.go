package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// CheckRecorded reports the first statement of a difference of executions of a system, or of
// two versions of one, that is not true of them: each fact that is said to be missing is
// reported, or a message of it arrives, more often in the good one, each message that is said
// to be lost by a fault is, nothing differs before what is said to come from the version, and
// so on. Broken tells whether an execution of the bad side breaks the promise.
func CheckRecorded(d *result.Difference, good, bad Execute, broken func(*recording.Execution) (bool, error)) error {
	c := &recorded{differenceChecker: &differenceChecker{}}
	var err error
	if c.good, err = load(good, d.Good.Schedule); err != nil {
		return err
	}
	if c.bad, err = load(bad, d.Bad.Schedule); err != nil {
		return err
	}
	if err := numbered(d, func(ch result.Change) error { return c.change(d, ch) }); err != nil || d.Outcome == 0 {
		return err
	}
	if err := chained(d); err != nil {
		return err
	}
	for _, u := range d.Without {
		if err := c.without(d, u, bad, broken); err != nil {
			return fmt.Errorf("without %s: %w", u.Fault, err)
		}
	}
	return nil
}

// chained checks that each change of the chain is a cause of the next one, up to the outcome.
func chained(d *result.Difference) error {
	if last := d.Chain[len(d.Chain)-1]; last != d.Outcome {
		return fmt.Errorf("the chain ends with change %d", last)
	}
	for i, number := range d.Chain[1:] {
		if !slices.ContainsFunc(d.Changes[number-1].Causes, func(cause result.Cause) bool { return cause.Change == d.Chain[i] }) {
			return fmt.Errorf("change %d is in the chain before %d, and no cause of it", d.Chain[i], number)
		}
	}
	return nil
}

// recorded looks things up in two executions of systems.
type recorded struct{ *differenceChecker }

// change checks that something is reported, or arrives, on one side more often, and why.
func (c *recorded) change(d *result.Difference, ch result.Change) error {
	here, there := c.bad, c.good
	if ch.Missing {
		here, there = there, here
	}
	if ch.Number != d.Outcome && here.often(ch.Fact) <= there.often(ch.Fact) {
		return fmt.Errorf("missing is %v: it is there %d times where it is said to be, and %d times in the other one", ch.Missing, here.often(ch.Fact), there.often(ch.Fact))
	}
	for _, cause := range ch.Causes {
		if cause.Change >= ch.Number || cause.Change > 0 && d.Changes[cause.Change-1].Fact.Round > ch.Fact.Round {
			return fmt.Errorf("its cause, change %d, comes later", cause.Change)
		}
		if cause.Change > 0 {
			continue
		}
		if err := c.cause(d, ch, cause, here, there); err != nil {
			return fmt.Errorf("%s (%s): %w", cause.How, cause.Fault, err)
		}
	}
	return nil
}

// often is how often a fact is reported, or messages like it arrive.
func (x *execution) often(f recording.Fact) (n int) {
	for _, g := range x.Facts {
		if f.Compare(g) == 0 {
			n++
		}
	}
	for _, m := range x.Messages {
		if !m.Lost && cmp.Or(m.Arrival, m.Round) == f.Round && m.Relation == f.Relation && slices.Equal(m.Args, f.Args) {
			n++
		}
	}
	return n
}

// cause checks what is said to be behind a change, which is no other change.
func (c *recorded) cause(d *result.Difference, ch result.Change, cause result.Cause, here, there *execution) error {
	if cause.How == causality.Program {
		return c.program(ch, cause)
	}
	if len(cause.Fault.Faults) != 1 || c.good.suffers(cause.Fault) == c.bad.suffers(cause.Fault) {
		return fmt.Errorf("one fault of one side is to blame")
	}
	f := cause.Fault.Faults[0]
	sent := func(x *execution, meets func(recording.Message) bool) bool {
		return slices.ContainsFunc(x.Messages, func(m recording.Message) bool {
			return m.From == cause.From && m.To == cause.To && m.Round == cause.Round && m.Relation == ch.Fact.Relation && slices.Equal(m.Args, ch.Fact.Args) && meets(m)
		})
	}
	arrivesAt := func(round int) func(recording.Message) bool {
		return func(m recording.Message) bool { return !m.Lost && cmp.Or(m.Arrival, m.Round) == round }
	}
	ok := true
	switch cause.How {
	case causality.Lost:
		ok = sent(there, func(m recording.Message) bool { return m.Lost && m.Cause == f }) && sent(here, arrivesAt(ch.Fact.Round))
	case causality.Late:
		ok = sent(there, arrivesAt(cause.Arrival)) && sent(here, arrivesAt(ch.Fact.Round)) && cause.Arrival != ch.Fact.Round
	case causality.Later:
		ok = sent(here, arrivesAt(cause.Arrival)) && cause.Arrival == ch.Fact.Round
	case causality.Stopped:
		ok = f.Kind == rounds.Crash && f.Round <= ch.Fact.Round && there.silent(cause, ch.Fact)
	case causality.Chosen:
		ok = f.Kind == rounds.Choose && f.Round <= ch.Fact.Round
	case causality.Struck:
		ok = f.Round <= ch.Fact.Round
	default:
		ok = false
	}
	if !ok {
		return fmt.Errorf("it does not do that")
	}
	return nil
}

// silent tells whether a message that a process is said not to send is not sent.
func (x *execution) silent(cause result.Cause, f recording.Fact) bool {
	return cause.From == "" || !slices.ContainsFunc(x.Messages, func(m recording.Message) bool {
		return m.From == cause.From && m.To == cause.To && m.Round == cause.Round && m.Relation == f.Relation && slices.Equal(m.Args, f.Args)
	})
}

// program checks that a process got the same in both versions before it did something
// else in one of them.
func (c *recorded) program(ch result.Change, cause result.Cause) error {
	if c.good.Schedule.String() != c.bad.Schedule.String() {
		return fmt.Errorf("there is one version")
	}
	p, until := cause.From, cause.Round-1
	if p == "" && len(ch.Fact.Args) > 0 {
		p, until = ch.Fact.Args[0].Text(), ch.Fact.Round
	}
	got := func(x *execution) (texts []string) {
		for _, m := range x.Messages {
			if m.To == p && !m.Lost && cmp.Or(m.Arrival, m.Round) <= until {
				texts = append(texts, fmt.Sprintf("%s>%s@%d %s%v at %d", m.From, m.To, m.Round, m.Relation, m.Args, m.Arrival))
			}
		}
		slices.Sort(texts)
		return texts
	}
	if one, other := got(c.good), got(c.bad); !slices.Equal(one, other) {
		return fmt.Errorf("%s got %q in one version up to round %d, and %q in the other", p, one, until, other)
	}
	return nil
}

// without checks what is said of the bad execution without one of its faults: whether it
// keeps the promise, and that what is said to come back, or to be gone, is as in the good
// one.
func (c *recorded) without(d *result.Difference, u result.Without, bad Execute, broken func(*recording.Execution) (bool, error)) error {
	rest := d.Bad.Schedule
	rest.Faults = slices.DeleteFunc(slices.Clone(rest.Faults), func(f rounds.Fault) bool { return slices.Contains(u.Fault.Faults, f) })
	undone, err := load(bad, rest)
	if err != nil {
		return err
	}
	breaks, err := broken(undone.Execution)
	if err != nil {
		return err
	}
	if breaks == u.Mends {
		return fmt.Errorf("the promise is broken: %v, and it is said to be mended: %v", breaks, u.Mends)
	}
	for _, ch := range u.Changes {
		if undone.has(ch.Fact) != ch.Missing || c.bad.has(ch.Fact) == ch.Missing {
			return fmt.Errorf("%s is there: %v, before %v, and it was said to be missing: %v", ch.Fact, undone.has(ch.Fact), c.bad.has(ch.Fact), ch.Missing)
		}
	}
	return nil
}
