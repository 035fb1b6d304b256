package guide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// SteeringOf returns a steering of executions of a program within bounds. The errors are those of Fits.
func (g *Guide) SteeringOf(p *dedalus.Program, b rounds.Bounds) (*Steering, error) {
	if err := g.Fits(p, b); err != nil {
		return nil, err
	}
	run, err := g.NewRun(b, p.ProcessValue)
	if err != nil {
		return nil, err
	}
	s, err := g.NewSteering(b, false)
	if err != nil {
		return nil, err
	}
	s.run, s.program = run, true
	return s, nil
}

// Text returns the text of the guide.
func (g *Guide) Text() string { return strings.Join(g.lines, "\n") }

// Without returns a guide in which some rules, by their index, decide nothing.
func (g *Guide) Without(rules ...int) *Guide {
	less := *g
	less.rules = slices.Clone(g.rules)
	for i, r := range less.rules {
		own := *r
		own.decides = own.decides && !slices.Contains(rules, i)
		less.rules[i] = &own
	}
	less.compile()
	return &less
}

// Core returns the rules, of those that fired in some execution, that leave no schedule, each of them needed for that, and
// names them. Some tells whether a guide in which only some of them decide allows one.
func (g *Guide) Core(fired func(rule int) bool, some func(less *Guide) (bool, error)) (rules []int, names string, err error) {
	for i, r := range g.rules[:g.own] {
		if r.decides && fired(i) {
			rules = append(rules, i)
		}
	}
	for i := 0; i < len(rules); {
		less := slices.Delete(slices.Clone(rules), i, i+1)
		allowed, err := some(g.by(less))
		switch {
		case err != nil:
			return nil, "", err
		case allowed:
			i++
		default:
			rules = less
		}
	}
	var all []string
	for _, i := range rules {
		all = append(all, fmt.Sprintf("%s of %s", g.rules[i].head, g.rules[i].source.Position))
	}
	return rules, text.List(all, "and"), nil
}

// by returns a guide in which only some rules decide.
func (g *Guide) by(rules []int) *Guide {
	var others []int
	for i := range g.rules {
		if !slices.Contains(rules, i) {
			others = append(others, i)
		}
	}
	return g.Without(others...)
}

// Waypoint rules alone can be evaluated over facts that hold under conditions: they decide nothing, and read
// what processes report. OnlyWaypoints returns the program that derives them, and by waypoint the relations whose rows
// have its number and the round; false if the guide says more than that.
func (g *Guide) OnlyWaypoints() (p *dedalus.Program, heads [][]string, only bool) {
	if g.last == 0 || slices.ContainsFunc(g.rules, func(r *rule) bool { return r.decides && r.head != "waypoint" }) {
		return nil, nil, false
	}
	return g.WaypointRules()
}

// WaypointRules returns the program that derives waypoints, and by waypoint the relations whose rows have its number and the
// round; false if it reads more than what processes report.
func (g *Guide) WaypointRules() (p *dedalus.Program, heads [][]string, reports bool) {
	heads = make([][]string, g.last)
	for _, r := range g.rules {
		if r.decides && r.head == "waypoint" {
			heads[r.number-1] = append(heads[r.number-1], r.relation)
		}
	}
	derived := map[string]bool{datalog.Always: true}
	for _, r := range g.waypoints.program.Rules {
		derived[r.Head.Relation] = true
	}
	for _, r := range g.waypoints.program.Rules {
		for _, t := range r.Body {
			if t.Atom == nil || derived[t.Atom.Relation] {
				continue
			}
			name := t.Atom.Relation
			about := datalog.Subject(name)
			if columnsOf(name) != nil && about != datalog.TableScope || about != datalog.TableScope && about != datalog.Reports {
				return nil, nil, false
			}
		}
	}
	return g.waypoints.program, heads, true
}

// Rows makes rows of the facts of executions of a program, as the rules of a guide read them. It is for one goroutine.
type Rows struct {
	table  datalog.Tabulator
	scope  []recording.Fact
	rounds bool
}

// NewRows returns what makes rows for a guide. The function returns what names a process in facts.
func (g *Guide) NewRows(b rounds.Bounds, value func(process string) specs.Value) (*Rows, error) {
	run, err := g.NewRun(b, value)
	if err != nil {
		return nil, err
	}
	scope, err := run.scope()
	if err != nil {
		return nil, err
	}
	_, round := g.reads["round"]
	rows := &Rows{table: g.tabulator(value), rounds: round}
	for _, f := range scope {
		rows.scope = append(rows.scope, recording.Fact{Relation: f.Relation, Args: slices.Clone(f.Args), Round: 1})
	}
	return rows, nil
}

// Row returns the row of a fact; false if no rule reads it.
func (r *Rows) Row(f recording.Fact) (recording.Fact, bool, error) {
	table, err := r.table.Table(&recording.Execution{Facts: []recording.Fact{f}})
	if err != nil || len(table) == 0 {
		return f, false, err
	}
	return recording.Fact{Relation: table[0].Relation, Args: slices.Clone(table[0].Args), Round: 1}, true, nil
}

// Known returns what is known in a round whatever happens.
func (r *Rows) Known(round int) []recording.Fact {
	all := slices.Clone(r.scope)
	for n := 1; n <= round && r.rounds; n++ {
		all = append(all, recording.Fact{Relation: "round", Args: []specs.Value{specs.Int(int64(n))}, Round: 1})
	}
	return all
}
