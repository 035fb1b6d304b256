package provenance

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Clock is a column whose numbers grow with the rounds.
type Clock struct {
	Relation       string
	Column         int    // from 0
	Most           int64  // numbers are counted up to this one: no rule tells larger ones apart; 0: some rule does
	Why            string // how, if one does
	Crashes        bool   // numbers are compared with the rounds of crashes as well: they stay as they are
	specs.Position        // of the rule that counts

	relations []string // with columns that have these numbers
}

// In tells whether a relation has such numbers.
func (c *Clock) In(relation string) bool {
	name, _, _ := strings.Cut(relation, "+") // or its messages that are under way
	return slices.Contains(c.relations, name)
}

// Saturated returns a program that counts clocks only as far as some rule tells their numbers
// apart, and the clocks of p. A rule does so where it compares a number with one that does not grow, or hands
// it to another column that does.
func Saturated(p *dedalus.Program) (*dedalus.Program, []Clock) {
	f := newFlow(p)
	var clocks []Clock
	changed := *p
	most := map[place]int64{}
	for _, r := range p.Rules {
		for i, e := range r.Head.Args {
			at := place{r.Head.Relation, i}
			if !f.grows(r, at, e) {
				continue
			}
			root := f.root(at)
			if _, known := most[root]; known {
				continue
			}
			c := Clock{Relation: r.Head.Relation, Column: i, Position: r.Head.Position}
			c.Most, c.Crashes, c.Why = f.largest(root)
			for column := range f.most {
				if f.root(column) == root {
					c.relations = append(c.relations, column.relation)
				}
			}
			if most[root] = c.Most; c.Crashes {
				most[root] = 0
			}
			clocks = append(clocks, c)
		}
	}
	changed.Rules = nil
	for _, r := range p.Rules {
		changed.Rules = append(changed.Rules, f.saturated(r, most)...)
	}
	for i, r := range changed.Rules {
		if r.Index != i {
			own := *r
			own.Index = i
			changed.Rules[i] = &own
		}
	}
	return &changed, clocks
}

// The relations of a promise: a tuple of pre is looked for in post.
const (
	preRelation       = "pre"
	postRelation      = "post"
	violationRelation = "violation"
)

// place is a column of a relation.
type place struct {
	relation string
	number   int
}

// flow is where values of columns go.
type flow struct {
	program *dedalus.Program
	most    map[place]int64 // the largest number of a column; unlimited if it may grow; missing if it has none
	group   map[place]place // union-find of the columns that may grow: its parent
}

const (
	unlimited = math.MaxInt64
	nothing   = math.MinInt64
)

func newFlow(p *dedalus.Program) *flow {
	f := &flow{program: p, most: map[place]int64{}, group: map[place]place{}}
	f.bound()
	f.unite()
	return f
}

// mostTurns is how often the largest numbers of columns are raised by rules before those that
// still become larger are taken to grow without an end.
const mostTurns = 300

// bound finds the largest number of each column.
func (f *flow) bound() {
	raise := func(c place, to int64) bool {
		if to <= f.largestOf(c) {
			return false
		}
		f.most[c] = to
		return true
	}
	for i := range 3 { // the relations that are built in
		raise(place{syntax.Crash, i}, unlimited)
	}
	raise(place{syntax.Booted, 0}, unlimited)
	for _, fact := range f.program.Facts {
		for i, v := range fact.Args {
			if v.IsInt() {
				raise(place{fact.Relation, i}, v.Int())
			}
		}
	}
	for _, c := range f.program.Choices {
		for i, o := range c.Columns {
			if o.Word != "" {
				raise(place{c.Relation, i}, unlimited)
			}
			for _, r := range o.Ranges {
				if r.Last.IsInt() {
					raise(place{c.Relation, i}, r.Last.Int())
				}
			}
		}
	}
	for turn, raised := 0, true; raised; turn++ {
		raised = false
		for _, r := range f.program.Rules {
			for i, e := range r.Head.Args {
				c := place{r.Head.Relation, i}
				to := f.above(r, e)
				if turn >= mostTurns && to > f.largestOf(c) {
					to = unlimited
				}
				raised = raise(c, to) || raised
			}
		}
	}
}

// largestOf is the largest number of a column, as far as it is known; nothing if it has none.
func (f *flow) largestOf(c place) int64 {
	if n, ok := f.most[c]; ok {
		return n
	}
	return nothing
}

// above is the largest number that an expression has in a rule.
func (f *flow) above(r *syntax.Rule, e syntax.Expr) int64 {
	switch e := e.(type) {
	case *syntax.Constant:
		if e.Value.IsInt() {
			return e.Value.Int()
		}
		return nothing
	case *syntax.Variable:
		return f.limit(r, e.Name)
	case *syntax.Aggregate:
		if e.Func == "min" || e.Func == "max" || e.Func == "avg" {
			return f.limit(r, e.Variable.Name)
		}
		return unlimited
	case *syntax.Binary:
		if v, by, ok := syntax.Offset(e); ok {
			return shifted(f.limit(r, v), by)
		}
		n, isConstant := e.Right.(*syntax.Constant)
		left, right := f.above(r, e.Left), f.above(r, e.Right)
		switch {
		case left == nothing || right == nothing:
			return nothing
		case e.IsComparison():
			return 1
		case e.Op == "+" && left != unlimited && right != unlimited:
			return shifted(left, right)
		case e.Op == "%" && isConstant && n.Value.IsInt() && n.Value.Int() > 0:
			return n.Value.Int() - 1
		case e.Op == "/" && isConstant && n.Value.IsInt() && n.Value.Int() > 0 && left != unlimited:
			return max(left/n.Value.Int(), 0)
		case e.Op == "*" && isConstant && n.Value.IsInt() && n.Value.Int() >= 0 && left < 1<<31 && n.Value.Int() < 1<<31:
			return max(left*n.Value.Int(), 0)
		}
	}
	return unlimited
}

// shifted adds to a largest number.
func shifted(n, by int64) int64 {
	switch {
	case n == unlimited || n == nothing:
		return n
	case n > 1<<62 || by > 1<<62 || by < -1<<62 || n < -1<<62:
		return unlimited
	}
	return n + by
}

// limit is the largest number that a variable has in a rule: in all columns in which it stands, and
// by the tests.
func (f *flow) limit(r *syntax.Rule, variable string) int64 {
	limit := f.inColumns(r, variable)
	for _, t := range r.Body {
		b, ok := t.Test.(*syntax.Binary)
		if !ok {
			continue
		}
		for _, side := range []struct {
			op          string
			this, other syntax.Expr
		}{{b.Op, b.Left, b.Right}, {turned[b.Op], b.Right, b.Left}} {
			v, by, ok := syntax.Offset(side.this)
			if !ok || v != variable {
				continue
			}
			other := int64(unlimited)
			if w, more, ok := syntax.Offset(side.other); ok && w != variable {
				other = shifted(f.inColumns(r, w), more)
			} else if c, ok := side.other.(*syntax.Constant); ok && c.Value.IsInt() {
				other = c.Value.Int()
			}
			if other == unlimited || other == nothing {
				continue
			}
			switch side.op {
			case "<":
				limit = min(limit, shifted(other, -by-1))
			case "<=", "==":
				limit = min(limit, shifted(other, -by))
			}
		}
	}
	return limit
}

// turned is what a comparison is if its sides change places.
var turned = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}

// inColumns is the largest number that a variable has by the columns in which it stands.
func (f *flow) inColumns(r *syntax.Rule, variable string) int64 {
	limit := int64(unlimited)
	for _, c := range f.columnsOf(r, variable, false) {
		limit = min(limit, f.largestOf(c))
	}
	return limit
}

// grows tells whether a rule makes numbers of a column from smaller ones of the same column, without an end.
func (f *flow) grows(r *syntax.Rule, at place, e syntax.Expr) bool {
	if f.most[at] != unlimited || f.above(r, e) != unlimited {
		return false
	}
	b, ok := e.(*syntax.Binary)
	if _, by, plain := syntax.Offset(e); !ok || plain && by <= 0 {
		return false
	}
	return slices.ContainsFunc(r.Variables(), func(v string) bool {
		return syntax.Mentions(b, v) && slices.ContainsFunc(f.columnsOf(r, v, false), func(c place) bool { return f.root(c) == f.root(at) })
	})
}

func (f *flow) root(c place) place {
	for {
		up, ok := f.group[c]
		if !ok || up == c {
			return c
		}
		c = up
	}
}

// unite joins the columns between which rules pass values on that may grow, as they are or computed.
func (f *flow) unite() {
	for _, r := range f.program.Rules {
		for _, name := range r.Variables() {
			if f.limit(r, name) != unlimited {
				continue
			}
			columns := f.columnsOf(r, name, true)
			for i, e := range r.Head.Args {
				if a, ok := e.(*syntax.Aggregate); ok && (a.Func == "min" || a.Func == "max") && a.Variable.Name == name || !ok && syntax.Mentions(e, name) {
					columns = append(columns, place{r.Head.Relation, i})
				}
			}
			f.join(slices.DeleteFunc(columns, func(c place) bool { return f.most[c] != unlimited }))
		}
	}
}

func (f *flow) join(columns []place) {
	for _, c := range columns {
		f.group[f.root(c)] = f.root(columns[0])
	}
}

// columnsOf are the columns of the body in which a variable stands by itself; negated ones too, or not.
func (f *flow) columnsOf(r *syntax.Rule, variable string, negated bool) (all []place) {
	for _, t := range r.Body {
		if t.Atom == nil || t.Negated && !negated {
			continue
		}
		for i, e := range t.Atom.Args {
			if v, ok := e.(*syntax.Variable); ok && v.Name == variable {
				all = append(all, place{t.Atom.Relation, i})
			}
		}
	}
	return all
}

// largest returns the largest number that rules tell apart from the others of a group, and whether they also tell before
// or after which crashes a number is; or 0, and how a rule tells all of them apart.
func (f *flow) largest(group place) (most int64, crashes bool, why string) {
	in := func(c place) bool { return f.most[c] == unlimited && f.root(c) == group }
	note := func(n int64) {
		if n != nothing {
			most = max(most, n)
		}
	}
	if in(place{syntax.Crash, 2}) {
		return 0, false, "rounds of crashes are among them"
	}
	for _, fact := range f.program.Facts {
		for i, v := range fact.Args {
			if in(place{fact.Relation, i}) && v.IsInt() {
				note(v.Int())
			}
		}
	}
	for _, c := range f.program.Choices {
		for i := range c.Columns {
			if in(place{c.Relation, i}) {
				return 0, false, fmt.Sprintf("%s is chosen", c.Relation)
			}
		}
	}
	for i := range arityOf(f.program, preRelation) { // a tuple of pre is looked for among those of post
		switch pre, post := (place{preRelation, i}), (place{postRelation, i}); {
		case in(pre) && f.most[post] == unlimited || in(post) && f.most[pre] == unlimited:
			return 0, false, fmt.Sprintf("it is in %s and in %s", preRelation, postRelation)
		case in(pre):
			note(f.largestOf(post))
		case in(post):
			note(f.largestOf(pre))
		}
	}
	for _, r := range f.program.Rules {
		for i, e := range r.Head.Args {
			if !in(place{r.Head.Relation, i}) {
				continue
			}
			if n := f.above(r, e); n != unlimited {
				note(n)
				continue
			}
			if _, by, ok := syntax.Offset(e); ok && by >= 0 {
				continue
			}
			if a, ok := e.(*syntax.Aggregate); !ok || a.Func != "min" && a.Func != "max" {
				return 0, false, fmt.Sprintf("%s is computed (%s)", e, r.Head.Position)
			}
		}
		for _, t := range r.Body {
			if t.Atom == nil {
				continue
			}
			for i, e := range t.Atom.Args {
				if !in(place{t.Atom.Relation, i}) {
					continue
				}
				switch e.(type) {
				case *syntax.Wildcard, *syntax.Variable:
				default:
					n := f.above(r, e)
					if n == unlimited {
						return 0, false, fmt.Sprintf("%s is computed (%s)", e, t.Atom.Position)
					}
					note(n)
				}
			}
		}
		for _, name := range r.Variables() {
			if !slices.ContainsFunc(f.columnsOf(r, name, true), in) {
				continue
			}
			if n := f.limit(r, name); n != unlimited {
				note(n)
				continue
			}
			of, why := f.tells(r, name, note)
			if why != "" {
				return 0, false, why
			}
			crashes = crashes || of
		}
	}
	return most + 1, crashes, ""
}

// tells says how a rule tells large numbers of a variable apart; "" if it does not, but for those before and after
// crashes.
func (f *flow) tells(r *syntax.Rule, variable string, note func(int64)) (crashes bool, why string) {
	follows := f.guarded(r, variable)
	if d := r.Destination(); d != nil && d.Name == variable {
		return false, fmt.Sprintf("%s is a destination (%s)", variable, r.Position)
	}
	if slices.ContainsFunc(f.columnsOf(r, variable, true), func(c place) bool { return c.number == 0 }) {
		return false, fmt.Sprintf("%s is the place of a fact (%s)", variable, r.Position)
	}
	if len(f.columnsOf(r, variable, false)) > 1 && !follows {
		return false, fmt.Sprintf("%s has to be equal in two places (%s)", variable, r.Position)
	}
	for _, e := range r.Head.Args {
		a, ok := e.(*syntax.Aggregate)
		_, by, plain := syntax.Offset(e)
		switch {
		case !ok && syntax.Mentions(e, variable) && (!plain || by < 0):
			return false, fmt.Sprintf("%s is computed (%s)", e, r.Head.Position)
		case ok && a.Variable.Name == variable && a.Func != "min" && a.Func != "max",
			ok && slices.ContainsFunc(a.Per, func(v *syntax.Variable) bool { return v.Name == variable }):
			return false, fmt.Sprintf("%s is summarised (%s)", variable, r.Head.Position)
		case !ok && summarises(r) && syntax.Mentions(e, variable):
			return false, fmt.Sprintf("there is a summary for each %s (%s)", variable, r.Head.Position)
		}
	}
	for _, t := range r.Body {
		if t.Atom != nil {
			for i, e := range t.Atom.Args {
				if !syntax.Mentions(e, variable) {
					continue
				}
				_, by, plain := syntax.Offset(e)
				_, itself := e.(*syntax.Variable)
				most := f.largestOf(place{t.Atom.Relation, i})
				switch {
				case itself && !t.Negated, itself && most == unlimited && follows:
				case plain && most != unlimited:
					note(shifted(most, -by))
				case t.Negated:
					return false, fmt.Sprintf("%s stands in a negation (%s)", variable, t.Position)
				default:
					return false, fmt.Sprintf("%s is computed (%s)", e, t.Position)
				}
			}
		}
		if t.Test == nil || !syntax.Mentions(t.Test, variable) {
			continue
		}
		b, ok := t.Test.(*syntax.Binary)
		if !ok || !b.IsComparison() {
			return false, fmt.Sprintf("%s is computed (%s)", t.Test, t.Position)
		}
		side, other := b.Left, b.Right
		if !syntax.Mentions(side, variable) {
			side, other = other, side
		}
		_, by, ok := syntax.Offset(side)
		most := f.above(r, other)
		if ok && by == 0 && f.ofCrash(r, other) {
			crashes = true
			continue
		}
		if !ok || most == unlimited {
			return false, fmt.Sprintf("%s is compared with what may grow as well (%s)", variable, t.Position)
		}
		note(shifted(most, -by))
	}
	return crashes, ""
}

// saturated is a rule that counts no further than is told apart, as two rules: below, and from there on.
func (f *flow) saturated(r *syntax.Rule, most map[place]int64) []*syntax.Rule {
	for i, e := range r.Head.Args {
		at := place{r.Head.Relation, i}
		limit := most[f.root(at)]
		if _, by, ok := syntax.Offset(e); !ok || by <= 0 || limit == 0 || f.most[at] != unlimited {
			continue
		}
		bound := &syntax.Constant{Value: specs.Int(limit), Position: e.Pos()}
		test := func(op string) syntax.Term {
			return syntax.Term{Test: &syntax.Binary{Op: op, Left: e, Right: bound, Position: e.Pos()}, Position: e.Pos()}
		}
		below, above := *r, *r
		below.Body = append(slices.Clone(r.Body), test("<="))
		above.Body = append(slices.Clone(r.Body), test(">"))
		above.Head.Args = slices.Clone(r.Head.Args)
		above.Head.Args[i] = bound
		return append([]*syntax.Rule{&below}, f.saturated(&above, most)...)
	}
	return []*syntax.Rule{r}
}
