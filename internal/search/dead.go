package search

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// excuses is how a property speaks of facts of processes that have crashed.
const excuses = "a property can look at crashes to excuse it (crashed in rules), or say that it counts (CrashedCounts, in rules # ldfi: crashed=counts)"

// dead says that a violation needs a report of a process that has crashed, and is down when
// the property is violated. It returns "" if the violation does not need it, or that is not
// known, and if the property reads crashes or says that this is meant.
func (t *Target) dead(ctx context.Context, e *recording.Execution, v result.Violation) (string, error) {
	i := slices.IndexFunc(t.Properties, func(p property.Property) bool { return p.Name == v.Property })
	if i < 0 {
		return "", nil
	}
	p := t.Properties[i]
	if counts, err := deadCount(p); counts || err != nil {
		return "", err
	}
	down := downBy(e, v)
	if len(down) == 0 {
		return "", nil
	}
	if p.Rules == nil && p.Func == nil {
		return t.deadElsewhere(ctx, e, v, down), nil
	}
	c, err := property.Compile(p)
	if err != nil {
		return "", err
	}
	if looksAtCrashes(c.Rules()) {
		return "", nil
	}
	return neededOf(c, e, v, down), nil
}

// deadCount tells whether a property says that facts of processes that have crashed count.
func deadCount(p property.Property) (bool, error) {
	if p.CrashedCounts || p.Rules == nil {
		return p.CrashedCounts, nil
	}
	return datalog.CrashedCounts(p.Name, p.Rules.Text)
}

// looksAtCrashes tells whether rules do; nil are none.
func looksAtCrashes(r *datalog.Evaluator) bool {
	return r != nil && (r.Read("crashed") || r.Read("crashed_at"))
}

// DeadCount warns once about properties whose rules for violation read reports of
// processes, and never read crashes, if the bounds allow crashes. Functions are not
// checked.
func (t *Target) DeadCount(b rounds.Bounds) ([]specs.Warning, error) {
	if b.Crashes == 0 || len(b.NeverCrash) == len(b.Processes) {
		return nil, nil
	}
	var names []string
	for _, p := range t.Properties {
		counts, err := deadCount(p)
		if err != nil {
			return nil, err
		}
		if counts || p.Rules == nil {
			continue
		}
		c, err := property.Compile(p)
		if err != nil {
			return nil, err
		}
		if r := c.Rules(); r.Derived("violation") && !looksAtCrashes(r) && slices.ContainsFunc(slices.Collect(maps.Keys(r.Reads)), reported) {
			names = append(names, strconv.Quote(p.Name))
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return []specs.Warning{{Position: specs.Position{File: t.Name}, Message: fmt.Sprintf("the rules of %s never look at crashes, so they also count facts of crashed processes; %s", text.List(names, "and"), excuses)}}, nil
}

// reported tells whether a relation of rules has facts that processes report by themselves,
// as in [reports].
func reported(relation string) bool {
	return datalog.Subject(relation) == datalog.Reports && relation != "request" && relation != "reply"
}

// downBy returns the processes that are down when a property is violated, and by which
// crashes: in the round that the violation names, or at the end if it names none.
func downBy(e *recording.Execution, v result.Violation) map[string]rounds.Fault {
	environment, err := schedules.NewEnvironment(e.Bounds, e.Schedule)
	if err != nil {
		return nil
	}
	round := e.Bounds.EOT
	if v.Fact.Round > 0 {
		round = v.Fact.Round
	}
	down := map[string]rounds.Fault{}
	for p, name := range e.Bounds.Processes {
		if by, is := environment.DownBy(p, round); is {
			down[name] = by
		}
	}
	return down
}

// neededOf names the first fact of processes that are down without whose reports the
// property is not violated. Reports of processes that were up when the property was
// violated first do not matter. A violation that cannot be judged needs none.
func neededOf(c *property.Checker, e *recording.Execution, v result.Violation, down map[string]rounds.Fault) string {
	violated := func(e *recording.Execution) bool {
		all, err := c.Check(e)
		return err != nil || violates(all, v)
	}
	var of []string
	for name, by := range down {
		if v.ByEnd || by.Round == 1 || !violated(UpTo(e, by.Round-1)) {
			of = append(of, name)
		}
	}
	var theirs []recording.Fact
	for _, f := range e.Facts {
		if reports(f, of) {
			theirs = append(theirs, f)
		}
	}
	with := func(n int) *recording.Execution { // with the first n of theirs
		some, i := *e, 0
		some.Facts = keep(e.Facts, func(f recording.Fact) bool {
			if !reports(f, of) {
				return true
			}
			i++
			return i <= n
		})
		return &some
	}
	if len(theirs) == 0 || !violated(e) || violated(with(0)) {
		return ""
	}
	f := theirs[sort.Search(len(theirs)-1, func(i int) bool { return violated(with(i + 1)) })]
	name := f.Args[0].Text()
	return fmt.Sprintf("%s@%d is a fact of %s, which has crashed (%s): %s", recording.Display(f, e.Bounds.Processes), f.Round, name, down[name], excuses)
}

// deadElsewhere is dead for a property that only another program can judge, which executes
// the schedule again. It returns "" if the execution fails.
func (t *Target) deadElsewhere(ctx context.Context, e *recording.Execution, v result.Violation, down map[string]rounds.Fault) string {
	if t.Without == nil {
		return ""
	}
	var names []string
	for _, name := range e.Bounds.Processes {
		by, is := down[name]
		if is && (v.ByEnd || by.Round == 1 || !t.violatedBy(ctx, e, v, by.Round-1)) && slices.ContainsFunc(e.Facts, func(f recording.Fact) bool { return reports(f, []string{name}) }) {
			names = append(names, name)
		}
	}
	needed := func(processes ...string) bool {
		all, err := t.Without(ctx, e.Schedule, e.Bounds.EOT, processes)
		return err == nil && !violates(all, v)
	}
	for _, name := range names {
		if needed(name) {
			return fmt.Sprintf("the violation needs facts of %s, which has crashed (%s): %s", name, down[name], excuses)
		}
	}
	if len(names) > 1 && needed(names...) {
		return fmt.Sprintf("the violation needs facts of %s, which have crashed: %s", text.List(names, "or"), excuses)
	}
	return ""
}

// violatedBy tells whether a property is violated by the end of a round already, if that
// can be judged.
func (t *Target) violatedBy(ctx context.Context, e *recording.Execution, v result.Violation, round int) (violated bool) {
	x, err := t.Open(e.Bounds.EOT, false)
	if err != nil {
		return false
	}
	err = x.Extents(ctx, e.Schedule, []int{round, e.Bounds.EOT}, func(n int, all []result.Violation) bool {
		violated = violates(all, v)
		return false
	})
	return err == nil && violated
}

// reports tells whether one of the processes reports a fact by itself. The fact that a
// client has sent a request, or has its reply, is a fact of the client as well.
func reports(f recording.Fact, processes []string) bool {
	return f.Relation != "request" && f.Relation != "reply" && len(f.Args) > 0 && slices.Contains(processes, f.Args[0].Text())
}

// keep returns some of the facts.
func keep(facts []recording.Fact, some func(recording.Fact) bool) []recording.Fact {
	var kept []recording.Fact
	for _, f := range facts {
		if some(f) {
			kept = append(kept, f)
		}
	}
	return kept
}
