package guide

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// Tally is what came of a guide in several executions.
type Tally struct {
	Executions int
	Fired      []int          // by rule: how often it decided; for others in how many executions it derived something
	Entered    map[string]int // by state: in how many executions
	Reached    []int          // by waypoint, from the first: in how many executions
	Findings   []Finding

	guide  *Guide
	misses []missed
	last   map[string]int // by what was reached last: in how many executions
}

// missed is a miss, in some executions.
type missed struct {
	Miss
	depth int // of what was reached
	times int
}

// NewTally returns a tally of no executions.
func (g *Guide) NewTally() *Tally {
	return &Tally{guide: g, Fired: make([]int, len(g.rules)), Entered: map[string]int{}, Reached: make([]int, g.last), last: map[string]int{}}
}

// Add adds what came of the guide in an execution.
func (t *Tally) Add(o Outcome) {
	g := t.guide
	t.Executions++
	for i, n := range o.Fired {
		t.Fired[i] += n
	}
	entered := map[string]bool{"start": true}
	for _, m := range o.Moves {
		entered[m.To] = true
	}
	for state := range entered {
		t.Entered[state]++
	}
	for i := range o.Reached {
		t.Reached[i]++
	}
	t.find(o.Findings)
	depth := g.depths()
	last := map[string]bool{}
	for _, m := range o.Misses {
		d := len(o.Reached)
		if g.rules[m.Rule].head == "goto" {
			d = depth[o.State()]
		}
		last[m.Reached] = true
		if i := slices.IndexFunc(t.misses, func(have missed) bool { return have.Miss == m }); i >= 0 {
			t.misses[i].times++
		} else {
			t.misses = append(t.misses, missed{m, d, 1})
		}
	}
	for reached := range last {
		t.last[reached]++
	}
}

// find adds findings of an execution.
func (t *Tally) find(findings []Finding) {
	for _, f := range findings {
		i := slices.IndexFunc(t.Findings, func(have Finding) bool { return have.Warning == f.Warning })
		if i < 0 {
			t.Findings = append(t.Findings, f)
		} else {
			t.Findings[i].Times += f.Times
		}
	}
}

// depths returns how many moves each state is from the start at least.
func (g *Guide) depths() map[string]int {
	depth := map[string]int{"start": 0}
	for changed := true; changed; {
		changed = false
		for _, r := range g.moves.heads {
			from, known := depth[r.from]
			if to, is := depth[r.to]; known && (!is || to > from+1) {
				depth[r.to], changed = from+1, true
			}
		}
	}
	return depth
}

// nearest says, of the automaton and of waypoints, what was reached last, in how many
// executions, and what the next rule lacked most often; nil if nothing is left to be reached.
func (t *Tally) nearest() []string {
	sorted := slices.Clone(t.misses)
	bad := func(m missed) int { // 1 of what leads to a bad state
		r := t.guide.rules[m.Rule]
		if r.head == "goto" && slices.Contains(t.guide.bad, r.to) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(sorted, func(a, b missed) int {
		return cmp.Or(cmp.Compare(bad(a), bad(b)), cmp.Compare(b.depth, a.depth), cmp.Compare(b.times, a.times), cmp.Compare(b.At.Line, a.At.Line), cmp.Compare(b.At.Column, a.At.Column))
	})
	var lines []string
	for _, head := range []string{"goto", "waypoint"} {
		i := slices.IndexFunc(sorted, func(m missed) bool { return t.guide.rules[m.Rule].head == head })
		if i < 0 {
			continue
		}
		m := sorted[i]
		lacked := "needed something new"
		if m.Lacked != "" {
			lacked = "lacked " + m.Lacked
		}
		last := m.Reached + " was reached last"
		if m.Reached == nowhere {
			last = nowhere + " was reached"
		}
		lines = append(lines, text.Safe(fmt.Sprintf("%s, in %d of %s; the rule for %s %s (%s)", last, t.last[m.Reached], text.Plural(t.Executions, "execution"), m.Next, lacked, m.At)))
	}
	return lines
}

// Vacuous returns what never happened: rules that never fired, states that were never
// entered, and waypoints that were never reached, unless they may never. Bad states may.
func (t *Tally) Vacuous() []specs.Warning {
	g := t.guide
	var all []specs.Warning
	warn := func(r *rule, format string, args ...any) {
		at := r.source.Position
		all = append(all, specs.Warning{Position: at, Message: text.SafeLines(fmt.Sprintf(format, args...)), Excerpt: g.lines[at.Line-1]})
	}
	said := map[string]bool{}
	for i, r := range g.rules {
		switch {
		case r.never:
		case g.twin(r) < i:
			warn(r, "this rule stands in line %d already", g.rules[g.twin(r)].source.Position.Line)
		case r.decides && (r.head == "good" || r.head == "bad"):
		case r.decides && r.head == "goto" && t.Fired[i] == 0 && slices.Contains(g.bad, r.to):
		case r.decides && r.head == "goto" && t.Entered[r.to] == 0 && !said[r.to]:
			said[r.to] = true
			warn(r, "the state %q is never entered", r.to)
		case r.decides && r.head == "waypoint" && t.Reached[r.number-1] == 0:
			warn(r, "waypoint %d is never reached", r.number)
		case t.Fired[i] == 0:
			warn(r, "this rule never fires")
		}
	}
	return all
}

// twin returns the first rule that says what another one does.
func (g *Guide) twin(r *rule) int {
	says := func(r *rule) string { return r.head + strings.TrimPrefix(r.source.String(), r.relation) }
	said := says(r)
	return slices.IndexFunc(g.rules, func(o *rule) bool { return says(o) == said })
}
