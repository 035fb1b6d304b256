package guide

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// naive is the definition of what a guide means (see the package comment), word by word: it
// computes everything anew whenever something happens.
type naive struct {
	g       *Guide
	events  []event // in their order
	state   string
	held    map[int64]bool
	moves   []Move
	fired   []bool
	reached []int
	last    model // of all events so far; nil: there are none
}

// event is a row that is known from some time on.
type event struct {
	relation string
	row      []specs.Value
}

func key(relation string, row []specs.Value) string {
	texts := make([]string, len(row))
	for i, v := range row {
		texts[i] = v.String()
	}
	return relation + "(" + strings.Join(texts, ", ") + ")"
}

// model is all that holds: rows by relation and key.
type model map[string]map[string][]specs.Value

func (m model) add(relation string, row []specs.Value) bool {
	if m[relation] == nil {
		m[relation] = map[string][]specs.Value{}
	}
	k := key(relation, row)
	_, known := m[relation][k]
	m[relation][k] = row
	return !known
}

// model derives all that follows from events.
func (n *naive) model(events []event) model {
	m := model{}
	m.add("always?", nil)
	for _, e := range events {
		m.add(e.relation, e.row)
	}
	for _, level := range levels(n.g.compiled.Program.Rules) {
		for changed := true; changed; {
			changed = false
			for _, r := range n.g.compiled.Program.Rules {
				if slices.Contains(level, r.Head.Relation) {
					for _, row := range m.rows(r) {
						changed = m.add(r.Head.Relation, row) || changed
					}
				}
			}
		}
	}
	return m
}

// levels returns the derived relations, each behind those that it reads or together with them.
func levels(rules []*syntax.Rule) [][]string {
	reads := map[string]map[string]bool{}
	for _, r := range rules {
		if reads[r.Head.Relation] == nil {
			reads[r.Head.Relation] = map[string]bool{}
		}
		for _, t := range r.Body {
			if t.Atom != nil {
				reads[r.Head.Relation][t.Atom.Relation] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, below := range reads {
			for b := range maps.Clone(below) {
				for c := range reads[b] {
					if !below[c] {
						below[c], changed = true, true
					}
				}
			}
		}
	}
	var all [][]string
	done := map[string]bool{}
	for len(done) < len(reads) {
		for _, relation := range slices.Sorted(maps.Keys(reads)) {
			level, ready := []string{relation}, !done[relation]
			for b := range reads[relation] {
				switch {
				case reads[b] == nil || done[b] || b == relation:
				case reads[b][relation]:
					level = append(level, b)
				default:
					ready = false
				}
			}
			for _, other := range level {
				for b := range reads[other] {
					ready = ready && (reads[b] == nil || done[b] || slices.Contains(level, b))
				}
			}
			if ready {
				all = append(all, level)
				for _, other := range level {
					done[other] = true
				}
			}
		}
	}
	return all
}

// rows returns the rows that a rule derives.
func (m model) rows(r *syntax.Rule) [][]specs.Value {
	var found [][]specs.Value
	groups := map[string][]map[string]specs.Value{}
	for _, b := range m.bindings(r) {
		row, ok, folds := headRow(r, b)
		switch {
		case !ok:
		case folds:
			groups[key("", row)] = append(groups[key("", row)], b)
		default:
			found = append(found, row)
		}
	}
	for _, group := range groups {
		if row, ok := foldRow(r, group); ok {
			found = append(found, row)
		}
	}
	return found
}

func headRow(r *syntax.Rule, b map[string]specs.Value) (row []specs.Value, ok, folds bool) {
	for _, e := range r.Head.Args {
		if _, is := e.(*syntax.Aggregate); is {
			folds = true
			continue
		}
		v, has := value(e, b)
		if !has {
			return nil, false, false
		}
		row = append(row, v)
	}
	return row, true, folds
}

func foldRow(r *syntax.Rule, group []map[string]specs.Value) (row []specs.Value, ok bool) {
	for _, e := range r.Head.Args {
		a, is := e.(*syntax.Aggregate)
		if !is {
			v, _ := value(e, group[0])
			row = append(row, v)
			continue
		}
		distinct := map[string]specs.Value{}
		for _, b := range group {
			of := []specs.Value{b[a.Variable.Name]}
			for _, v := range a.Per {
				of = append(of, b[v.Name])
			}
			distinct[key("", of)] = of[0]
		}
		values := slices.SortedFunc(maps.Values(distinct), specs.Value.Compare)
		switch a.Func {
		case "count":
			row = append(row, specs.Int(int64(len(values))))
		case "min":
			row = append(row, values[0])
		case "max":
			row = append(row, values[len(values)-1])
		case "sum":
			total := int64(0)
			for _, v := range values {
				if !v.IsInt() {
					return nil, false
				}
				total += v.Int()
			}
			row = append(row, specs.Int(total))
		}
	}
	return row, true
}

// bindings returns all values of variables for which the body of a rule holds.
func (m model) bindings(r *syntax.Rule) []map[string]specs.Value {
	all := []map[string]specs.Value{{}}
	var later []syntax.Term
	for _, t := range r.Body {
		if t.Atom == nil || t.Negated {
			later = append(later, t)
			continue
		}
		var next []map[string]specs.Value
		for _, b := range all {
			for _, row := range m[t.Atom.Relation] {
				if with, ok := unify(t.Atom, row, b); ok {
					next = append(next, with)
				}
			}
		}
		all = next
	}
	return slices.DeleteFunc(all, func(b map[string]specs.Value) bool {
		return slices.ContainsFunc(later, func(t syntax.Term) bool { return !m.holds(t, b) }) || !fits(r, b)
	})
}

// unify extends a binding by a row; expressions are compared at the end, by fits.
func unify(a *syntax.Atom, row []specs.Value, b map[string]specs.Value) (map[string]specs.Value, bool) {
	with := maps.Clone(b)
	for i, e := range a.Args {
		switch e := e.(type) {
		case *syntax.Wildcard:
		case *syntax.Constant:
			if e.Value != row[i] {
				return nil, false
			}
		case *syntax.Variable:
			if have, ok := with[e.Name]; ok && have != row[i] {
				return nil, false
			}
			with[e.Name] = row[i]
		default:
			name := "= " + e.String()
			if have, ok := with[name]; ok && have != row[i] {
				return nil, false
			}
			with[name] = row[i]
		}
	}
	return with, true
}

// fits tells whether the expressions in atoms have the values of the rows.
func fits(r *syntax.Rule, b map[string]specs.Value) bool {
	for _, t := range r.Body {
		if t.Atom == nil || t.Negated {
			continue
		}
		for _, e := range t.Atom.Args {
			if _, computed := e.(*syntax.Binary); computed {
				if v, ok := value(e, b); !ok || v != b["= "+e.String()] {
					return false
				}
			}
		}
	}
	return true
}

func (m model) holds(t syntax.Term, b map[string]specs.Value) bool {
	if t.Atom != nil {
		for _, row := range m[t.Atom.Relation] {
			same := true
			for i, e := range t.Atom.Args {
				if _, wild := e.(*syntax.Wildcard); !wild {
					v, ok := value(e, b)
					if !ok {
						return false
					}
					same = same && v == row[i]
				}
			}
			if same {
				return false
			}
		}
		for _, e := range t.Atom.Args {
			if _, wild := e.(*syntax.Wildcard); !wild {
				if _, ok := value(e, b); !ok {
					return false
				}
			}
		}
		return true
	}
	test := t.Test.(*syntax.Binary)
	x, ok := value(test.Left, b)
	y, also := value(test.Right, b)
	if !ok || !also {
		return false
	}
	switch c := x.Compare(y); test.Op {
	case "==":
		return c == 0
	case "!=":
		return c != 0
	case "<":
		return c < 0 && x.IsInt() == y.IsInt()
	case "<=":
		return c <= 0 && x.IsInt() == y.IsInt()
	case ">":
		return c > 0 && x.IsInt() == y.IsInt()
	case ">=":
		return c >= 0 && x.IsInt() == y.IsInt()
	case syntax.Contains:
		return !x.IsInt() && !y.IsInt() && strings.Contains(x.Text(), y.Text())
	}
	panic("naive: " + test.Op)
}

func value(e syntax.Expr, b map[string]specs.Value) (specs.Value, bool) {
	switch e := e.(type) {
	case *syntax.Constant:
		return e.Value, true
	case *syntax.Variable:
		v, ok := b[e.Name]
		return v, ok
	case *syntax.Binary:
		x, ok := value(e.Left, b)
		y, also := value(e.Right, b)
		if !ok || !also || !x.IsInt() || !y.IsInt() {
			return specs.Value{}, false
		}
		switch e.Op {
		case "+":
			return specs.Int(x.Int() + y.Int()), true
		case "-":
			return specs.Int(x.Int() - y.Int()), true
		}
	}
	panic("naive: " + e.String())
}

// happens adds an event and moves the automaton.
func (n *naive) happens(relation string, round int, row ...specs.Value) {
	before := n.last
	if before == nil {
		before = n.model(n.events)
	}
	e := event{relation, row}
	n.events = append(n.events, e)
	now := n.model(n.events)
	n.last = now
	n.helpers(now, "goto")
	for _, r := range n.g.rules {
		if r.head != "goto" || !r.decides || r.from != n.state {
			continue
		}
		for _, b := range now.bindings(r.source) {
			if now.fresh(before, r.source, b) {
				n.state, n.fired[r.index] = r.to, true
				n.moves = append(n.moves, Move{To: r.to, Round: max(round, 1), Rule: r.index})
				return
			}
		}
	}
}

// fresh tells whether a positive atom of a rule holds by a row that was not there before.
func (m model) fresh(before model, r *syntax.Rule, b map[string]specs.Value) bool {
	for _, t := range r.Body {
		if t.Atom == nil || t.Negated {
			continue
		}
		for k, row := range m[t.Atom.Relation] {
			if _, was := before[t.Atom.Relation][k]; was || len(row) == 0 {
				continue
			}
			if _, ok := unify(t.Atom, row, b); ok {
				return true
			}
		}
	}
	return false
}

// decided is what the naive interpreter decides in a round: "drop 3", "crash a".
func (n *naive) decide(round, first, last int) []string {
	m := n.model(n.events)
	n.helpers(m, "")
	fate, lie := map[int64]string{}, map[int64]string{}
	released := map[int64]bool{}
	var acts []string
	now := specs.Int(int64(round))
	for _, r := range n.g.rules {
		if !r.decides {
			continue
		}
		rows := map[string][]specs.Value{}
		for _, row := range m.rows(r.source) {
			rows[key("", row)] = row
		}
		sorted := slices.SortedFunc(maps.Values(rows), func(a, b []specs.Value) int { return slices.CompareFunc(a, b, specs.Value.Compare) })
		for _, row := range sorted {
			id := row[0].Int()
			switch r.head {
			case "goto", "good", "bad", "waypoint":
				continue
			case "drop", "deliver", "hold", "lie":
				if id < int64(first) || id > int64(last) {
					continue
				}
				n.fired[r.index] = true
				if r.head == "lie" {
					if fate[id] != "drop" && lie[id] == "" {
						lie[id] = row[1].Text()
					}
				} else if fate[id] == "" && (r.head != "drop" || lie[id] == "") {
					fate[id] = r.head
				}
			default:
				if row[len(row)-1] != now {
					continue
				}
				n.fired[r.index] = true
				if r.head == "release" {
					released[id] = true
					continue
				}
				if r.head == "part" && row[0] == row[1] || r.head == "tick" && row[1].Int() < 1 {
					continue
				}
				var texts []string
				for _, v := range row[:len(row)-1] {
					texts = append(texts, v.Text())
				}
				if text := r.head + " " + strings.Join(texts, " "); !slices.Contains(acts, text) {
					acts = append(acts, text)
				}
			}
		}
	}
	var all []string
	for id := int64(first); id <= int64(last); id++ {
		if fate[id] == "hold" && released[id] {
			delete(fate, id)
		}
		if fate[id] != "" || lie[id] != "" {
			all = append(all, fmt.Sprintf("%d %s %s", id, fate[id], lie[id]))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(released)) {
		if n.held[id] {
			all = append(all, fmt.Sprintf("release %d", id))
			delete(n.held, id)
		}
	}
	for id, f := range fate {
		if f == "hold" {
			n.held[id] = true
		}
	}
	return append(all, acts...)
}

func decided(d Decisions) []string {
	var all []string
	for _, f := range d.Fates {
		all = append(all, fmt.Sprintf("%d %s %s", f.Message, f.Do, f.Lie))
	}
	for _, m := range d.Releases {
		all = append(all, fmt.Sprintf("release %d", m))
	}
	for _, a := range d.Acts {
		text := a.Do + " " + a.Process
		switch a.Do {
		case "part":
			text += " " + a.Other
		case "tick":
			text += fmt.Sprintf(" %d", a.N)
		case "ask":
			text += " " + a.Payload
		}
		all = append(all, text)
	}
	return all
}

// after adds what was recorded and decided in a round, and the state at its end; it returns
// whether waypoints hold.
func (n *naive) after(round int, rows []recording.Fact, d Decisions) (holds []int) {
	for _, f := range rows {
		n.happens(f.Relation, round, f.Args...)
	}
	r := specs.Int(int64(round))
	if round > 0 {
		for _, f := range d.Fates {
			m := specs.Int(int64(f.Message))
			if f.Do != "" {
				n.happens(f.Do+"?", round, m)
			}
			if f.Lie != "" {
				n.happens("lie?", round, m, specs.String(f.Lie))
			}
		}
		for _, m := range d.Releases {
			n.happens("release?", round, specs.Int(int64(m)), r)
		}
		for _, a := range d.Acts {
			row := []specs.Value{specs.String(a.Process)}
			switch a.Do {
			case "part":
				row = append(row, specs.String(a.Other))
			case "tick":
				row = append(row, specs.Int(int64(a.N)))
			case "ask":
				row = append(row, specs.String(a.Payload))
			}
			n.happens(a.Do+"?", round, append(row, r)...)
		}
		n.happens("in", round, specs.String(n.state), r)
	}
	m := n.model(n.events)
	if round > 0 {
		n.helpers(m, "waypoint")
	}
	for _, of := range n.g.rules {
		if of.head != "waypoint" || !of.decides {
			continue
		}
		for _, row := range m.rows(of.source) {
			if row[1] == r && round > 0 {
				holds, n.fired[of.index] = append(holds, of.number), true
			}
		}
	}
	return holds
}

// helpers notes which rules hold that decide nothing, of those that some kind of head needs:
// "goto", "waypoint", or "" for the others.
func (n *naive) helpers(m model, kind string) {
	needed := map[string]bool{}
	for before := -1; before < len(needed); {
		before = len(needed)
		for _, r := range n.g.compiled.Program.Rules {
			head, _, _ := strings.Cut(r.Head.Relation, "?")
			wanted := isHead(head) && (head == kind || kind == "" && head != "goto" && head != "waypoint")
			if wanted || needed[r.Head.Relation] {
				for _, t := range r.Body {
					if t.Atom != nil {
						needed[t.Atom.Relation] = true
					}
				}
			}
		}
	}
	for _, r := range n.g.rules {
		if needed[r.relation] && !r.decides && len(m.bindings(r.source)) > 0 {
			n.fired[r.index] = true
		}
	}
}
