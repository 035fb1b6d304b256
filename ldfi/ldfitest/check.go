package ldfitest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/schedules"
	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// check looks for violations of properties.
type check struct {
	system  *system.System
	options search.Options

	decide   bool          // an undecided property fails
	guide    string        // the file of a guide, or its rules; "": there is none
	known    []string      // files with schedules of known violations
	hide     []string      // names that diagrams leave out
	patience time.Duration // how long a call of a process may take at first
	overlay  string        // what it may be needed for, and how to run the test with it; "": for nothing
	listener *listener     // nil: nobody listens
}

// outcome is the result of a property.
type outcome struct {
	logs      []string       // the work done
	answer    *result.Answer // of the search; nil: there was none
	bounds    rounds.Bounds
	kept      []messages.Replayed
	newKept   []string
	broken    *broken   // nil: nothing was found
	exits     []*broken // the ends of programs that the search went on past
	unguided  []string  // what is not as the guide wants it
	undecided string    // why the test fails though nothing was found; "": it does not
	plain     *plain    // nil: not known, or not wanted
	hide      []string
}

// broken is a violation and where it came from.
type broken struct {
	violation result.Violation
	others    []result.Violation // of the same execution
	schedule  rounds.Schedule
	execution *recording.Execution
	size      string // how small it is, in words; empty if that is not known
	found     string // how
	file      string // where it is kept
	because   []string
	continued *result.Continued
	often     string // it breaks, if executions may differ
	repeats   *result.Repeats
}

// property executes the kept schedules of a property, and searches if none of them violates
// it. command repeats the test.
func (c *check) property(ctx context.Context, p property.Property, dir, command string) (*outcome, error) {
	o := &outcome{hide: c.hide}
	files, err := keptFor(dir, p.Name)
	if err != nil {
		return nil, err
	}
	t, err := engine.NewTarget(c.system, []property.Property{p})
	if err != nil {
		return nil, err
	}
	o.bounds = t.DefaultBounds(c.options.Bounds)
	if err := c.replayKnown(ctx, o); err != nil {
		return o, err
	}
	if err := c.look(ctx, t, p, files, dir, command, o); err != nil {
		return o, err
	}
	if o.broken != nil && keepsArtifacts() {
		o.plain = c.withoutFaults(ctx, t, o.broken.schedule)
	}
	return o, nil
}

// replayKnown executes the known violations, so that the search ignores them.
func (c *check) replayKnown(ctx context.Context, o *outcome) error {
	t, err := engine.NewTarget(c.system, nil)
	if err != nil {
		return err
	}
	for _, file := range c.known {
		schedule, err := schedules.ReadKept(file)
		if err != nil {
			return fmt.Errorf("ldfitest.Known: %w", err)
		}
		all, alone := &outcome{}, *c
		alone.options.Known = nil
		if err := alone.replay(ctx, t, file, schedule, all); err != nil {
			return err
		}
		if all.broken == nil {
			return fmt.Errorf("%s is in ldfitest.Known, but %s: take it out", file, strings.TrimPrefix(all.logs[0], file+" "))
		}
		o.logs = append(o.logs, fmt.Sprintf("known: %s: %s", file, all.broken.violation))
		c.options.Known = append(append(c.options.Known, all.broken.violation), all.broken.others...)
	}
	return nil
}

// look executes the kept schedules in files, and searches if none of them violates the
// property. It continues past a process that ends its program.
func (c *check) look(ctx context.Context, t *engine.Target, p property.Property, files []string, dir, command string, o *outcome) error {
	past := *c
	defer o.settle()
	for _, file := range files {
		schedule, err := readKept(file)
		if err != nil {
			return err
		}
		if err := past.replay(ctx, t.Beyond(past.options.Known), file, schedule, o); err != nil {
			return err
		}
		if o.broken == nil {
			continue
		}
		if !o.broken.exits() {
			return nil
		}
		past.options.Known = append(slices.Clip(past.options.Known), o.broken.violation)
		o.exits, o.broken = append(o.exits, o.broken), nil
	}
	return past.search(ctx, p, dir, command, o)
}

// settle reports the end of a program if there is no other violation.
func (o *outcome) settle() {
	if last := len(o.exits) - 1; o.broken == nil && last >= 0 {
		o.exits, o.broken = o.exits[:last], o.exits[last]
	}
}

// exits tells whether it is a process that ends its program, and the others go on.
func (b *broken) exits() bool {
	return engine.Exits(&result.Counterexample{Violations: []result.Violation{b.violation}})
}

// replay executes a schedule that is kept; and once more if it violates the
// property, or often if executions may differ.
func (c *check) replay(ctx context.Context, t *engine.Target, file string, schedule rounds.Schedule, o *outcome) error {
	if err := schedules.KeptOfSystem(schedule, t.DefaultBounds(c.options.Bounds)); err != nil {
		return doesNotFit(file, err)
	}
	r, err := t.Replay(ctx, schedule, c.options.Bounds.EOT)
	switch failed := (*engine.ExecutionError)(nil); {
	case errors.As(err, &failed) && ctx.Err() == nil:
		return doesNotFit(file, failed.Err)
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	case len(r.Left) == 0:
		text := holds(r)
		if len(c.options.Known) > 0 {
			text = "violates nothing new"
		}
		o.logs = append(o.logs, file+" "+text)
		o.kept = append(o.kept, messages.Replayed{File: file, Schedule: schedule, Reason: text})
		return nil
	}
	o.kept = append(o.kept, messages.Replayed{File: file, Schedule: schedule, Broken: true})
	o.broken = &broken{violation: r.Left[0], others: r.Left[1:], schedule: schedule, execution: r.Execution, found: "by the schedule that is kept", file: file, continued: r.Continued}
	if r.Repeats != nil {
		o.broken.often, o.broken.repeats = r.Repeats.Replayed(), r.Repeats
		return nil
	}
	o.broken.because, err = t.Because(ctx, nil, r.Execution, r.Left[0], c.options.Bounds.EOT)
	return err
}

// holds describes a kept schedule that violates nothing.
func holds(r *engine.Replayed) string {
	text := "violates nothing any more"
	if len(r.Awaited) > 0 {
		text = "violates nothing: " + r.Late.Of(r.Awaited[0].String())
	}
	if r.Repeats != nil {
		text += ": it " + r.Repeats.Replayed()
	}
	return text
}

// search searches a schedule, and keeps the one that it finds. It continues past a process
// that ends its program.
func (c *check) search(ctx context.Context, p property.Property, dir, command string, o *outcome) error {
	test := ctx
	ctx, cancel := c.listener.within(ctx)
	defer cancel()
	options := c.options
	options.Properties = []property.Property{p}
	if c.listener != nil {
		options.Progress = c.listener.progress
	}
	a, err := search.Run(ctx, c.system, options)
	if err != nil {
		return err
	}
	engine.PastExits(a, options.Known, func(known []result.Violation) (*result.Answer, error) {
		past := options
		past.Known = known
		return search.Run(ctx, c.system, past)
	})
	c.listener.ended(a, test, ctx)
	o.answer = a
	o.unguided = guidance(a)
	o.logs = append(o.logs, "strategy: "+a.Search.Why, "scope: "+a.Scope.Text)
	for _, text := range a.Search.Past {
		o.logs = append(o.logs, "past "+text)
	}
	if a.First() == nil {
		o.logs = append(o.logs, a.Summary())
		if a.Limit != nil && len(a.Limit.Advice) > 0 {
			o.logs = append(o.logs, "try "+advice(strings.Join(a.Limit.Advice, "; or ")))
		}
		if c.decide && a.Verdict != result.Holds {
			o.undecided = p.Name + " is not decided, and MustDecide asks for that: allow fewer faults or rounds, or more executions, or use a strategy that goes through all schedules"
		}
		o.logs = append(o.logs, vacuous(a)...)
		return nil
	}
	o.logs = append(o.logs, warnings(a)...)
	for i := range a.Counterexamples {
		if i > 0 {
			o.exits, o.broken = append(o.exits, o.broken), nil
		}
		if err := c.keep(a, &a.Counterexamples[i], dir, command, o); err != nil {
			return err
		}
	}
	return nil
}

// keep keeps the schedule that a search has found, under the property that it violates: a
// panic and the end of a program do not belong to the property of the search.
func (c *check) keep(a *result.Answer, found *result.Counterexample, dir, command string, o *outcome) error {
	if g := a.Guidance; g != nil && found.Violations[0].Property == g.File {
		o.broken = &broken{
			violation: found.Violations[0], schedule: found.Schedule, execution: found.Execution, size: found.Minimality(), file: "not: the guide finds it again", because: found.Because,
			found: fmt.Sprintf("by %s, in execution %d, with seed %d", a.Search.Strategy, a.Search.Executions, a.Search.Seed),
		}
		return nil
	}
	_, file, err := schedules.KeptFiles(dir, found.Violations[0].Property)
	if err != nil {
		return err
	}
	o.broken = &broken{
		violation: found.Violations[0], schedule: found.Schedule, execution: found.Execution, size: found.Minimality(), file: file, continued: found.Continued, because: found.Because,
		found: fmt.Sprintf("by %s, in execution %d, with seed %d", a.Search.Strategy, a.Search.Executions, a.Search.Seed),
	}
	comments := []string{fmt.Sprintf("%s breaks its property %s:", c.system.Name, o.broken.violation.Property), o.broken.violation.Text}
	if found.Repeats != nil {
		comments = append(comments, found.Repeats.Found())
	}
	if err := schedules.WriteKept(file, found.Schedule, append(comments, command)...); err != nil {
		o.broken.file = "not: " + err.Error()
		return nil
	}
	o.newKept = append(o.newKept, file)
	return nil
}

// read reads the guide, if there is one.
func (c *check) read() error {
	if c.guide == "" {
		return nil
	}
	name, rules := c.guide, []byte(c.guide)
	var err error
	if strings.HasSuffix(name, ".mg") && !strings.Contains(name, "\n") {
		if rules, err = files.Read(name, files.Text); err != nil {
			return fmt.Errorf("ldfitest.Guide: %w", err)
		}
	} else {
		name = "guide.mg"
	}
	c.options.Guide, err = guide.Parse(name, string(rules))
	if err != nil {
		return fmt.Errorf("ldfitest.Guide: %w", err)
	}
	return nil
}

// guidance says what is not as the guide of a search wants it, a sentence each.
func guidance(a *result.Answer) (wrong []string) {
	g := a.Guidance
	if g == nil || a.First() != nil {
		return nil
	}
	ended := a.Limit == nil || a.Limit.Kind == result.LimitExecutions
	switch {
	case g.Executions == g.Prevented:
		wrong = append(wrong, fmt.Sprintf("%s allows none of %s: allow other faults, or take away a deliver", g.File, text.Plural(g.Executions, "execution")))
	case g.Missed():
		missed := fmt.Sprintf("%s of %s: %s; every execution has to reach it", g.Target.Name, g.File, g.Of())
		wrong = append(wrong, strings.Join(append([]string{missed}, g.Nearest...), "\n  "))
	}
	if !ended { // what is to come may be what is missing
		return wrong
	}
	for _, w := range g.Vacuous {
		wrong = append(wrong, fmt.Sprintf("vacuous: %s: %s; end the rule with # may never if that is meant", w.Position, w.Message))
	}
	return wrong
}

// vacuous lists the facts in the rules of a property that never came about.
func vacuous(a *result.Answer) []string {
	var logs []string
	if a.Vacuity != "" {
		logs = append(logs, "vacuous: "+a.Vacuity)
	}
	return append(logs, warnings(a)...)
}

// warnings are those of an answer, such as what is not meant about a system.
func warnings(a *result.Answer) (logs []string) {
	if g := a.Guidance; g != nil {
		logs = append(logs, fmt.Sprintf("guided by %s: %s, fired %s", g.File, text.Plural(g.Rules, "rule"), text.Plural(g.Fired, "time")))
		for _, w := range g.Findings {
			logs = append(logs, fmt.Sprintf("warning: %s: %s", w.Position, w.Message))
		}
	}
	for _, w := range a.Warnings {
		logs = append(logs, "warning: "+advice(w.Message))
	}
	return logs
}

// advice writes advice in terms of this package.
func advice(text string) string {
	return engine.Advice(text, `ldfitest.Strategy("$1") with ldfitest.Executions($2)`, "ldfitest.Crashes($1, $2)", "ldfitest.Rounds($1)")
}

func (b *broken) faults() string {
	switch {
	case b.schedule.String() == "" && b.often != "":
		return "none"
	case b.schedule.String() == "":
		return "none: " + cmp.Or(b.size, "it fails without faults")
	case b.size != "":
		return fmt.Sprintf("%s   (%s)", b.schedule, b.size)
	default:
		return b.schedule.String()
	}
}
