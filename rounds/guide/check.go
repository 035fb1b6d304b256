package guide

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// checker finds what is wrong with a guide.
type checker struct {
	*Guide
	errors specs.Errors
}

// kind is what the values of a column are.
type kind int

const (
	unknown kind = iota // nothing says it yet
	anyhow              // different values
	message             // numbers of messages
	number
	words
)

func (k kind) String() string {
	return [...]string{"nothing", "anything", "a message", "a number", "a string"}[k]
}

// kinds of the columns that the environment and guides have, by their names; a process may
// be called by a number.
var kinds = map[string]kind{
	"Message": message, "Round": number, "Rounds": number, "N": number, "Kind": words, "Name": words, "State": words, "Point": words,
}

func (c *checker) report(at specs.Position, format string, args ...any) {
	e := &specs.Error{Position: at, Message: text.SafeLines(fmt.Sprintf(format, args...))}
	if at.Line > len(c.lines) {
		e.Position, e.Message = c.origin, "in the library: "+e.Message
	}
	if line := e.Position.Line; line >= 1 && line <= len(c.lines) {
		e.Excerpt = c.lines[line-1]
	}
	c.errors = append(c.errors, e)
}

func (c *checker) check() {
	c.unread()
	c.unknown()
	for _, r := range c.rules {
		c.bodies(r.source)
	}
	c.infer()
	for _, r := range c.compiled.Program.Rules {
		c.variables(r)
	}
	for _, r := range c.rules {
		if r.decides {
			c.head(r)
		}
	}
	c.ends()
	if len(c.errors) == 0 {
		c.future()
	}
	c.names()
}

// unread refuses rules whose head decides nothing, directly or by other rules.
func (c *checker) unread() {
	used := map[string]bool{}
	for before := -1; before < len(used); {
		before = len(used)
		for _, r := range c.compiled.Program.Rules {
			if head, _, _ := strings.Cut(r.Head.Relation, "?"); !used[r.Head.Relation] && !isHead(head) {
				continue
			}
			used[r.Head.Relation] = true
			for _, t := range r.Body {
				if t.Atom != nil {
					used[t.Atom.Relation] = true
				}
			}
		}
	}
	var heads []string
	for _, h := range language.Heads {
		heads = append(heads, h.Name)
	}
	told := map[string]bool{}
	for _, r := range c.rules {
		if !used[r.relation] && !told[r.relation] {
			told[r.relation] = true
			c.report(r.source.Position, "%s decides nothing, and no rule that does reads it%s", r.head, text.DidYouMean(r.head, heads))
		}
	}
}

// bodies refuses what bodies cannot read.
func (c *checker) bodies(r *syntax.Rule) {
	for _, t := range r.Body {
		if t.Atom == nil {
			continue
		}
		switch name, given := strings.CutSuffix(t.Atom.Relation, "?"); {
		case given && (name == "goto" || name == "good" || name == "bad"):
			c.report(t.Position, "a body cannot read %s: it reads in(State, Round)", name)
		}
	}
}

// infer finds the kinds of the columns of what the guide derives.
func (c *checker) infer() {
	c.types = map[string][]kind{}
	for relation, columns := range c.compiled.Reads {
		c.types[relation] = make([]kind, columns)
		for i := range c.types[relation] {
			c.types[relation][i] = anyhow
		}
		if columns > 0 && columnsOf(relation) == nil {
			c.types[relation][columns-1] = number
		}
	}
	for _, r := range c.compiled.Program.Rules {
		for _, t := range r.Body {
			if t.Atom == nil {
				continue
			}
			if given := columnsOf(t.Atom.Relation); given != nil {
				c.types[t.Atom.Relation] = kindsOf(given)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, r := range c.compiled.Program.Rules {
			have := c.types[r.Head.Relation]
			if have == nil {
				have = make([]kind, len(r.Head.Args))
				c.types[r.Head.Relation] = have
			}
			for i, e := range r.Head.Args {
				if k := join(have[i], c.kindOf(r, e)); k != have[i] {
					have[i], changed = k, true
				}
			}
		}
	}
}

func kindsOf(columns []string) []kind {
	all := make([]kind, len(columns))
	for i, name := range columns {
		if all[i] = kinds[name]; all[i] == unknown {
			all[i] = anyhow
		}
	}
	return all
}

// join returns what values of either kind are.
func join(a, b kind) kind {
	switch {
	case a == unknown || a == b:
		return b
	case b == unknown:
		return a
	}
	return anyhow
}

// kindOf returns the kind of an expression in a rule.
func (c *checker) kindOf(r *syntax.Rule, e syntax.Expr) kind {
	switch e := e.(type) {
	case *syntax.Constant:
		return constantKind(e)
	case *syntax.Variable:
		found := unknown
		for _, t := range r.Body {
			if t.Atom == nil || t.Negated {
				continue
			}
			for i, arg := range t.Atom.Args {
				v, ok := arg.(*syntax.Variable)
				if !ok || v.Name != e.Name || i >= len(c.types[t.Atom.Relation]) {
					continue
				}
				if k := c.types[t.Atom.Relation][i]; found == unknown || found == anyhow || k == message {
					found = k
				}
			}
		}
		return found
	case *syntax.Aggregate:
		if e.Func == "min" || e.Func == "max" {
			return c.kindOf(r, e.Variable)
		}
		return number
	default:
		return number
	}
}

func isConstant(e syntax.Expr) bool {
	_, is := e.(*syntax.Constant)
	return is
}

func constantKind(e *syntax.Constant) kind {
	if e.Value.IsInt() {
		return number
	}
	return words
}

// variables refuses values of a kind that a column never has.
func (c *checker) variables(r *syntax.Rule) {
	type use struct {
		kind
		at string
	}
	seen := map[string]use{}
	for _, t := range r.Body {
		if t.Atom == nil || slices.Contains([]string{"rows", "folded"}, strings.Split(t.Atom.Relation, "?")[0]) {
			continue
		}
		for i, arg := range t.Atom.Args {
			if i >= len(c.types[t.Atom.Relation]) {
				continue
			}
			k := c.types[t.Atom.Relation][i]
			name := strings.TrimSuffix(t.Atom.Relation, "?")
			switch arg := arg.(type) {
			case *syntax.Constant:
				if differ(k, constantKind(arg)) {
					c.report(t.Position, "column %d of %s is %s, and %s is none", i+1, name, k, arg)
				}
			case *syntax.Variable:
				before, known := seen[arg.Name]
				if at := fmt.Sprintf("column %d of %s", i+1, name); known && differ(before.kind, k) {
					c.report(t.Position, "%s is %s, in %s, and here it would be %s, in %s", arg.Name, before.kind, before.at, k, at)
				} else if !known || before.kind == anyhow {
					seen[arg.Name] = use{k, at}
				}
			}
		}
	}
}

// differ tells whether no value is of both kinds.
func differ(a, b kind) bool {
	numeric := func(k kind) bool { return k == number || k == message }
	return a > anyhow && b > anyhow && numeric(a) != numeric(b)
}

// head checks what a rule decides.
func (c *checker) head(r *rule) {
	at := r.source.Head.Position
	for i, column := range headOf(r.head).Columns {
		e := r.source.Head.Args[i]
		want, is := kindsOf([]string{column})[0], c.kindOf(r.source, e)
		switch {
		case want == message:
			if is != message {
				c.report(at, "%s is about a message, and %s is none: no atom of the body, such as message(%[2]s, From, To, Kind, Text, R), says so%s", r.head, e, c.meant(r))
			}
		case differ(want, is):
			c.report(at, "column %d of %s, %s, is %s, and %s is %s", i+1, r.head, column, want, e, is)
		}
	}
	constant := func(i int, what string) *syntax.Constant {
		e, ok := r.source.Head.Args[i].(*syntax.Constant)
		if !ok {
			c.report(at, "%s has a %s here, and not %s", r.head, what, r.source.Head.Args[i])
		}
		return e
	}
	switch r.head {
	case "goto":
		if from, to := constant(0, `state such as "start"`), constant(1, `state such as "done"`); from != nil && to != nil {
			r.from, r.to = from.Value.Text(), to.Value.Text()
		}
		if !slices.ContainsFunc(r.source.Body, func(t syntax.Term) bool { return t.Atom != nil && !t.Negated && t.Atom.Relation != datalog.Always }) {
			c.report(at, "the automaton moves when something happens, and no atom of this body without ! says what; round(R) happens in every round")
		}
	case "good", "bad":
		if e := constant(0, `state such as "done"`); e != nil {
			if len(r.source.Body) > 1 {
				c.report(at, "%s(%s) names an end of the automaton, and has no body", r.head, e)
			}
			if slices.Contains(c.good, e.Value.Text()) && r.head == "bad" || slices.Contains(c.bad, e.Value.Text()) && r.head == "good" {
				c.report(at, "the state %s is a good and a bad end", e)
			}
			if list := &c.good; r.head == "good" {
				*list = append(*list, e.Value.Text())
			} else {
				c.bad = append(c.bad, e.Value.Text())
			}
		}
	case "waypoint":
		if e := constant(0, "number such as 1"); e != nil {
			r.number = int(min(max(e.Value.Int(), 0), 1<<20))
			c.last = max(c.last, r.number)
		}
	case "tick":
		if e, ok := r.source.Head.Args[1].(*syntax.Constant); ok && (e.Value.Int() < 1 || e.Value.Int() > mostTicks) {
			c.report(at, "a process ticks at least once more, and at most %d times, and not %s times", mostTicks, e)
		}
	}
}

// meant says which relation of recordings another one in the body of a rule may be meant to be.
func (c *checker) meant(r *rule) string {
	for _, t := range r.source.Body {
		if t.Atom == nil || columnsOf(t.Atom.Relation) != nil {
			continue
		}
		if _, read := c.compiled.Reads[t.Atom.Relation]; read {
			if s := text.Suggest(t.Atom.Relation, []string{ofMessage.Name}); s != "" {
				return fmt.Sprintf("; %s is a relation of the system (did you mean %q?)", t.Atom.Relation, s)
			}
		}
	}
	return ""
}

// ends checks the states of the automaton and the numbers of the waypoints.
func (c *checker) ends() {
	reached := map[string]bool{"start": true}
	for before := 0; before < len(reached); {
		before = len(reached)
		for _, r := range c.rules {
			if r.head == "goto" && r.decides && reached[r.from] {
				reached[r.to] = true
			}
		}
	}
	entered := slices.Sorted(maps.Keys(reached))
	for _, r := range c.rules {
		at := r.source.Head.Position
		switch {
		case !r.decides:
		case r.head == "goto" && !reached[r.from] && r.from != "":
			c.report(at, "no goto leads to the state %q%s", r.from, text.DidYouMean(r.from, entered))
		case r.head == "good" || r.head == "bad":
			e, ok := r.source.Head.Args[0].(*syntax.Constant)
			if ok && !reached[e.Value.Text()] {
				c.report(at, "no goto leads to the state %s%s", e, text.DidYouMean(e.Value.Text(), entered))
			}
		case r.head == "waypoint" && r.number < 1 && isConstant(r.source.Head.Args[0]):
			c.report(at, "waypoints are numbered from 1")
		}
	}
	for n := 1; n < c.last && len(c.errors) == 0; n++ {
		if !slices.ContainsFunc(c.rules, func(r *rule) bool { return r.decides && r.head == "waypoint" && r.number == n }) {
			i := slices.IndexFunc(c.rules, func(r *rule) bool { return r.decides && r.head == "waypoint" && r.number > n })
			c.report(c.rules[i].source.Head.Position, "there is a waypoint %s, and no waypoint %d: they are numbered without a gap", c.rules[i].source.Head.Args[0], n)
		}
	}
	for _, r := range c.compiled.Program.Rules {
		for _, t := range r.Body {
			if t.Atom == nil || t.Atom.Relation != ofState.Name {
				continue
			}
			if e, ok := t.Atom.Args[0].(*syntax.Constant); ok && !reached[e.Value.Text()] {
				c.report(t.Position, "no goto leads to the state %s%s", e, text.DidYouMean(e.Value.Text(), entered))
			}
		}
	}
}

// names collects what the guide names.
func (c *checker) names() {
	c.reads = map[string]int{}
	add := func(of, name string, columns int, at specs.Position) {
		if at.Line > len(c.lines) {
			at = c.origin
		}
		if !slices.ContainsFunc(c.named, func(n Named) bool { return n.Of == of && n.Name == name }) {
			c.named = append(c.named, Named{of, name, columns, at})
		}
	}
	for _, r := range c.compiled.Program.Rules {
		atoms := []syntax.Term{}
		if name, _, _ := strings.Cut(r.Head.Relation, "?"); isHead(name) {
			atoms = append(atoms, syntax.Term{Atom: &syntax.Atom{Relation: name + "?", Args: r.Head.Args}, Position: r.Position})
		}
		for _, t := range append(atoms, r.Body...) {
			if t.Atom == nil {
				continue
			}
			name, columns := t.Atom.Relation, columnsOf(t.Atom.Relation)
			if _, read := c.compiled.Reads[name]; read && !slices.Contains(reserved, name) {
				c.reads[name] = len(t.Atom.Args)
				if datalog.Subject(name) == datalog.Reports {
					add("relation", name, len(t.Atom.Args), t.Position)
				}
			}
			for i, column := range columns {
				e, ok := t.Atom.Args[i].(*syntax.Constant)
				switch {
				case !ok:
				case column == "Kind":
					add("kind", e.Value.Text(), 0, t.Position)
				case column == "Process" || column == "From" || column == "To":
					add("process", e.Value.Text(), 0, t.Position)
				}
			}
		}
	}
}
