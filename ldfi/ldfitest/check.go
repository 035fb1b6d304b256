package ldfitest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/calm"
	"github.com/lineage-driven/ldfi/internal/kept"
	"github.com/lineage-driven/ldfi/internal/minimality"
	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// check looks for violations of properties.
type check struct {
	system  *system.System
	options search.Options

	decide   bool          // what is not decided fails
	hide     []string      // what diagrams leave out
	patience time.Duration // how long a call of a process may take at first
}

// outcome is what became of a property.
type outcome struct {
	logs      []string // what was done
	broken    *broken  // nil: nothing was found
	undecided string   // why the test fails though nothing was found; "": it does not
	execution *recording.Execution
	plain     *plain // nil: not known, or not asked for
	hide      []string
}

// broken is a violation and where it came from.
type broken struct {
	violation result.Violation
	schedule  rounds.Schedule
	size      string // how small it is, in words; empty if that is not known
	found     string // how
	file      string // where it is kept
	because   []string
	continued *calm.Continued
	often     string // it breaks, if executions may differ
}

// property executes what is kept for a property, and searches if none of that
// violates it. command repeats the test.
func (c *check) property(ctx context.Context, p property.Property, dir, command string) (*outcome, error) {
	o := &outcome{hide: c.hide}
	files, next, err := kept.Files(dir, p.Name)
	if err != nil {
		return nil, err
	}
	t, err := engine.NewTarget(c.system, []property.Property{p})
	if err != nil {
		return nil, err
	}
	if err := c.look(ctx, t, p, files, next, command, o); err != nil {
		return o, err
	}
	if o.broken != nil && keepsArtifacts() {
		o.plain = c.withoutFaults(ctx, t, o.broken.schedule)
	}
	return o, nil
}

// look executes what is kept in files, and searches if none of that violates the property.
func (c *check) look(ctx context.Context, t *engine.Target, p property.Property, files []string, next, command string, o *outcome) error {
	for _, file := range files {
		schedule, err := readKept(file)
		if err != nil {
			return err
		}
		if err := c.replay(ctx, t, file, schedule, o); err != nil || o.broken != nil {
			return err
		}
	}
	return c.search(ctx, p, next, command, o)
}

// replay executes a schedule that is kept; and once more if it violates the
// property, or often if executions may differ.
func (c *check) replay(ctx context.Context, t *engine.Target, file string, schedule rounds.Schedule, o *outcome) error {
	if err := universe.KeptOfSystem(schedule, t.DefaultBounds(c.options.Bounds)); err != nil {
		return doesNotFit(file, err)
	}
	r, err := t.Replay(ctx, schedule, c.options.Bounds.EOT)
	switch failed := (*engine.ExecutionError)(nil); {
	case errors.As(err, &failed) && ctx.Err() == nil:
		return doesNotFit(file, failed.Err)
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	case len(r.Standing) == 0:
		o.logs = append(o.logs, file+" "+holds(r))
		return nil
	}
	o.execution = r.Execution
	o.broken = &broken{violation: r.Standing[0], schedule: schedule, found: "by the schedule that is kept", file: file, continued: r.Continued}
	if r.Repeats != nil {
		o.broken.often = r.Repeats.Replayed()
		return nil
	}
	o.broken.because, err = t.Because(ctx, nil, r.Execution, r.Standing[0], c.options.Bounds.EOT)
	return err
}

// holds says what became of a schedule that is kept and violates nothing.
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

// search searches a schedule, and keeps the one that it finds.
func (c *check) search(ctx context.Context, p property.Property, file, command string, o *outcome) error {
	options := c.options
	options.Properties = []property.Property{p}
	a, err := search.Run(ctx, c.system, options)
	if err != nil {
		return err
	}
	o.logs = append(o.logs, "strategy: "+a.Search.Why, "scope: "+a.Scope.Text)
	found := a.First()
	if found == nil {
		o.logs = append(o.logs, a.Summary())
		if a.Limit != nil && len(a.Limit.Advice) > 0 {
			o.logs = append(o.logs, "try "+strings.Join(a.Limit.Advice, "; or "))
		}
		if c.decide && a.Verdict != result.Holds {
			o.undecided = p.Name + " is not decided, and MustDecide asks for that: a certificate needs a strategy that goes through all schedules, fewer faults or rounds, or more executions"
		}
		o.logs = append(o.logs, vacuous(a)...)
		return nil
	}
	o.execution = found.Execution
	o.broken = &broken{
		violation: found.Violations[0], schedule: found.Schedule, size: minimality.Text(found), file: file, continued: found.Continued, because: found.Because,
		found: fmt.Sprintf("by %s, in execution %d, with seed %d", a.Search.Strategy, a.Search.Executions, a.Search.Seed),
	}
	comments := []string{fmt.Sprintf("%s breaks its property %s:", c.system.Name, o.broken.violation.Property), o.broken.violation.Text}
	if found.Repeats != nil {
		comments = append(comments, found.Repeats.Found())
	}
	err = kept.Write(file, found.Schedule, append(comments, command)...)
	if err != nil {
		return errors.Join(fmt.Errorf("the schedule %q violates %s, but could not be kept", found.Schedule, o.broken.violation), err)
	}
	return nil
}

// vacuous says what the rules of a property speak about and never came about.
func vacuous(a *result.Answer) []string {
	var logs []string
	if a.Vacuity != "" {
		logs = append(logs, "vacuous: "+a.Vacuity)
	}
	for _, w := range a.Warnings {
		logs = append(logs, "warning: "+w.Message)
	}
	return logs
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
