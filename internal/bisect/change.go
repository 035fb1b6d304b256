package bisect

import (
	"cmp"
	"context"
	"strings"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/rogpeppe/go-internal/diff"
)

// Change is what changed between two neighbours with different verdicts.
type Change struct {
	From   int    `json:"-"`     // a finding; what lies between it and the other is not known
	To     int    `json:"-"`     // a finding
	Before string `json:"from"`  // the earlier version
	After  string `json:"to"`    // the later version
	Input  string `json:"input"` // with which both were searched; "" where they say that themselves

	// Of a protocol, the facts that only one of the two states; of a system, the
	// requests that clients make of only one. They are what it is given to do, and
	// never counted as left or entered. None if they are the same.
	Inputs *InputChange `json:"inputs"`

	// What the good outcome rests on, without faults and under the schedule that
	// breaks one of the two, in one version and not in the other. Of a system it is
	// the kinds of facts and messages that are recorded.
	Left       result.List[Move]     `json:"left"`
	Entered    result.List[Move]     `json:"entered"`           // the same of what is in the later version alone
	Diff       string                `json:"diff"`              // unified, of the rules that the promise depends on; "" of a system
	Inexact    string                `json:"inexact,omitempty"` // why other executions may differ in another way than the two of Divergence
	Divergence *execution.Divergence `json:"divergence"`        // of a system, under that schedule; none if they do the same, or if it fits only one
	Reason     string                `json:"reason"`            // why there is nothing here

	Difference *result.Difference `json:"difference"`         // by what the broken version comes to break the promise under that schedule, as ldfi diff --with says; none if that is not known
	Unparted   string             `json:"unparted,omitempty"` // why it is not
	Command    string             `json:"command,omitempty"`  // of protocols in files, the command line that says the same

	sameRules bool             // of a protocol
	words     *causality.Words // of Difference
}

// Move is an element that entered or left.
type Move struct {
	subject.Element
	Faults  bool `json:"only_under_faults"` // the outcome rests on it only under the schedule, and not without faults
	Present bool `json:"in_both_programs"`  // the program without it in its support has it as well
}

// compare finds the changes between neighbours with different verdicts.
func (m *matrix) compare(ctx context.Context) {
	for _, h := range m.histories() {
		m.compareIn(ctx, h)
	}
}

func (m *matrix) compareIn(ctx context.Context, h history) {
	last := -1
	for i := h.first; i <= h.last; i++ {
		f := m.Findings[i]
		if !f.State.known() {
			continue
		}
		if last >= 0 && m.broken(last) != m.broken(i) {
			c := Change{From: last, To: i, Before: m.Findings[last].Version, After: f.Version, Input: f.Input}
			if err := m.explain(ctx, &c); err != nil {
				c.Reason = err.Error()
			}
			if ctx.Err() != nil {
				return
			}
			m.Changes = append(m.Changes, c)
		}
		last = i
	}
}

// explain compares the two versions of a change.
func (m *matrix) explain(ctx context.Context, c *Change) error {
	bad, good := c.To, c.From
	if m.broken(c.From) {
		bad, good = c.From, c.To
	}
	m.tell("comparing %s and %s", c.Before, c.After)
	schedule, bounds := m.Findings[bad].Schedule, m.Findings[bad].Scope.Bounds
	before, err := m.lineage(ctx, c.From, schedule, bounds)
	if err != nil {
		return err
	}
	after, err := m.lineage(ctx, c.To, schedule, bounds)
	if err != nil {
		return err
	}
	c.Left, c.Entered = before.without(after), after.without(before)
	if before.program != nil && after.program != nil {
		c.sameRules = before.program.sameRules(after.program)
		c.Inputs = inputsBetween(before.program, after.program)
		c.Diff = diffOf(c.Before, before.program.rules, c.After, after.program.rules)
	}
	c.Divergence = execution.FirstDivergence(before.recording, after.recording)
	if c.Divergence != nil {
		c.Inexact = cmp.Or(before.recording.Inexact, after.recording.Inexact)
	}
	if c.Inputs == nil {
		c.Inputs = requestsBetween(before.recording, after.recording)
	}
	m.part(ctx, c, bad, good, schedule, bounds)
	return nil
}

// chance says that the two executions compared may differ by chance; empty if they cannot.
func (c *Change) chance() string {
	if c.Inexact == "" {
		return ""
	}
	return " (in one execution of each" + result.InexactAdvice(c.Inexact) + ")"
}

// lineage has the support of the outcome of a version.
type lineage struct {
	support   []Move
	program   *program             // of a protocol
	recording *recording.Execution // of a system
}

func (m *matrix) lineage(ctx context.Context, i int, s rounds.Schedule, b rounds.Bounds) (*lineage, error) {
	v, err := m.openWithin(ctx, i, m.System, b)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	l, err := v.lineage(ctx, s)
	if err != nil {
		return nil, v.place.local(err)
	}
	l.program = m.programs[i]
	return l, nil
}

// lineage returns the support of the outcome of a version without faults, and under a
// schedule if the schedule fits.
func (v *asked) lineage(ctx context.Context, s rounds.Schedule) (*lineage, error) {
	l := &lineage{}
	seen := map[string]bool{}
	for i, schedule := range []rounds.Schedule{{Settings: s.Settings}, s} {
		elements, err := v.Support(ctx, schedule)
		if misfits(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range elements {
			if e.Kind == subject.FactElement && v.place.system == "" {
				continue // which is an input
			}
			if key := e.Kind + e.Key; !seen[key] {
				seen[key] = true
				e.File = v.place.localText(e.File)
				l.support = append(l.support, Move{Element: e, Faults: i > 0})
			}
		}
	}
	if v.place.system == "" {
		return l, nil // a protocol needs no recording: its rules are known
	}
	in, err := v.Replay(ctx, s)
	if err == nil {
		l.recording = in.Execution
	} else if !misfits(err) {
		return nil, err
	}
	return l, nil
}

// without returns the elements that support one version and not the other.
func (l *lineage) without(other *lineage) []Move {
	supports, present := map[string]bool{}, map[string]bool{}
	for _, e := range other.support {
		supports[e.Kind+e.Key] = true
	}
	if other.program != nil {
		for _, e := range other.program.rules {
			present[e.Kind+e.Key] = true
		}
	}
	var moves []Move
	for _, e := range l.support {
		if key := e.Kind + e.Key; !supports[key] {
			e.Present = present[key]
			moves = append(moves, e)
		}
	}
	return moves
}

// unchanged says that nothing entered or left the support; "" if something did.
func (c Change) unchanged() string {
	switch {
	case c.Inputs != nil && c.sameRules:
		return "the rules are the same: only the inputs changed"
	case len(c.Left)+len(c.Entered) == 0:
		return "nothing entered or left it"
	default:
		return ""
	}
}

// sameDiff returns the input with which the diff of a change was shown before, ""
// if it was not.
func (m *Matrix) sameDiff(i int) string {
	c := m.Changes[i]
	for _, earlier := range m.Changes[:i] {
		if c.Diff != "" && earlier.Diff == c.Diff {
			return earlier.Input
		}
	}
	return ""
}

// boundsDiffer tells whether the two versions were searched within different
// bounds, which can be all that changed.
func (c Change) boundsDiffer(m *Matrix) bool {
	return m.Findings[c.From].Scope.Text != m.Findings[c.To].Scope.Text
}

// diffOf returns the difference of two programs, restricted to the parts on which the
// promise depends. Rules that differ in the names of variables only do not differ. Names of
// versions make no lines of their own.
func diffOf(oldName string, old []subject.Element, newName string, changed []subject.Element) string {
	texts := map[string]string{}
	var before, after strings.Builder
	for _, e := range old {
		texts[e.Key] = e.Text
		before.WriteString(text.Safe(e.Text) + "\n")
	}
	for _, e := range changed {
		s := e.Text
		if known, ok := texts[e.Key]; ok {
			s = known
		}
		after.WriteString(text.Safe(s) + "\n")
	}
	text := string(diff.Diff(text.Safe(oldName), []byte(before.String()), text.Safe(newName), []byte(after.String())))
	_, text, _ = strings.Cut(text, "\n") // which names the command diff
	return text
}
