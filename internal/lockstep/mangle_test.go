package lockstep_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/mangle/analysis"
	"github.com/google/mangle/ast"
	"github.com/google/mangle/engine"
	"github.com/google/mangle/factstore"
	"github.com/google/mangle/functional"
	"github.com/google/mangle/parse"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// byMangle executes a program round by round with Mangle: it evaluates the
// deductive rules stratum by stratum, then the others; only the faults and the
// passing of a round are left to byMangle itself.
type byMangle struct {
	p         *dedalus.Program
	processes []specs.Value
	strata    []*unit // the deductive rules
	after     *unit   // the others
	codes     codes
	fixed     []node // what the program reads with @N
}

// unit is a Mangle program for some rules.
type unit struct {
	rules   []*syntax.Rule // whose heads it computes
	program *analysis.ProgramInfo
}

// newOracle translates a program; the error is an unsupported where Mangle
// cannot say the same.
func newOracle(p *dedalus.Program, b rounds.Bounds) (*byMangle, error) {
	o := &byMangle{p: p}
	for _, name := range b.Processes {
		o.processes = append(o.processes, p.ProcessValue(name))
	}
	o.codes = newCodes(p, o.processes)
	var after []*syntax.Rule
	left := map[string][]*syntax.Rule{} // deductive rules by head
	for _, r := range p.Rules {
		if r.Kind == syntax.Deductive {
			left[r.Head.Relation] = append(left[r.Head.Relation], r)
		} else {
			after = append(after, r)
		}
		for _, t := range r.Body {
			if t.At > 0 {
				o.fixed = append(o.fixed, node{t.Atom.Relation, t.At})
			}
		}
	}
	below := depend(left)
	for len(left) > 0 {
		stratum, err := nextStratum(left, below)
		if err != nil {
			return nil, err
		}
		u, err := o.unit(stratum, true)
		if err != nil {
			return nil, err
		}
		o.strata = append(o.strata, u)
	}
	var err error
	o.after, err = o.unit(after, false)
	return o, err
}

// depend returns, for each head of deductive rules, what it depends on.
func depend(left map[string][]*syntax.Rule) map[string]map[string]bool {
	below := map[string]map[string]bool{}
	for relation := range left {
		below[relation] = map[string]bool{}
		todo := []string{relation}
		for len(todo) > 0 {
			for _, r := range left[todo[0]] {
				for _, t := range r.Body {
					if t.Atom != nil && t.At == 0 && !below[relation][t.Atom.Relation] {
						below[relation][t.Atom.Relation] = true
						todo = append(todo, t.Atom.Relation)
					}
				}
			}
			todo = todo[1:]
		}
	}
	return below
}

// nextStratum takes the rules of the next relations that depend on no other
// ones left.
func nextStratum(left map[string][]*syntax.Rule, below map[string]map[string]bool) ([]*syntax.Rule, error) {
	for _, relation := range slices.Sorted(maps.Keys(left)) {
		var rules []*syntax.Rule
		var same []string
		ready := true
		for _, other := range slices.Sorted(maps.Keys(left)) {
			if other == relation || below[relation][other] && below[other][relation] {
				same = append(same, other)
				rules = append(rules, left[other]...)
			} else if below[relation][other] {
				ready = false
			}
		}
		if !ready {
			continue
		}
		for _, r := range rules {
			for _, t := range r.Body {
				if t.Atom == nil || t.At != 0 || !slices.Contains(same, t.Atom.Relation) || !below[relation][relation] {
					continue
				}
				if t.Negated || slices.ContainsFunc(r.Head.Args, func(e syntax.Expr) bool { _, ok := e.(*syntax.Aggregate); return ok }) {
					return nil, unsupported("recursion through a negation or an aggregate")
				}
			}
		}
		for _, other := range same {
			delete(left, other)
		}
		return rules, nil
	}
	return nil, errors.New("there is no next stratum")
}

// unit translates rules. If they are deductive their heads go to their
// relations.
func (o *byMangle) unit(rules []*syntax.Rule, deductive bool) (*unit, error) {
	arities := map[string]int{"proc": 1, "always": 0}
	defined := map[string]bool{}
	var clauses []string
	for _, r := range rules {
		for _, t := range r.Body {
			if t.Atom != nil {
				arities[predicate(t.Atom.Relation, t.At)] = len(t.Atom.Args)
			}
		}
		some, err := translate(r, r.Index, o.processes, o.codes)
		if err != nil {
			return nil, err
		}
		clauses = append(clauses, some...)
		if deductive && len(some) > 0 {
			var columns []string
			for i := range r.Head.Args {
				columns = append(columns, fmt.Sprintf("X%d", i))
			}
			args := "(" + strings.Join(columns, ", ") + ")"
			defined[predicate(r.Head.Relation, 0)] = true
			clauses = append(clauses, predicate(r.Head.Relation, 0)+args+" :- "+resultOf(r.Index)+args+".")
		}
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(arities)) {
		if !defined[name] {
			var columns []string
			for i := range arities[name] {
				columns = append(columns, fmt.Sprintf("X%d", i))
			}
			fmt.Fprintf(&text, "Decl %s(%s).\n", name, strings.Join(columns, ", "))
		}
	}
	text.WriteString(strings.Join(clauses, "\n"))
	source, err := parse.Unit(strings.NewReader(text.String()))
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text.String())
	}
	program, err := analysis.AnalyzeOneUnit(source, nil)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text.String())
	}
	return &unit{rules, program}, nil
}

// evaluate runs a unit until nothing more comes of it, since one evaluation of
// a recursive stratum may lose facts.
func (u *unit) evaluate(store factstore.FactStore) error {
	for {
		before := store.EstimateFactCount()
		if err := engine.EvalProgram(u.program, store, engine.WithCreatedFactLimit(20_000)); err != nil {
			return err
		}
		if store.EstimateFactCount() == before {
			return nil
		}
	}
}

// atom returns a fact for Mangle.
func (o *byMangle) atom(name string, args row) ast.Atom {
	terms := make([]ast.BaseTerm, len(args))
	for i, v := range args {
		terms[i] = ast.Number(o.codes.number(v))
	}
	return ast.NewAtom(name, terms...)
}

// rows returns the facts of a predicate.
func (o *byMangle) rows(store factstore.FactStore, name string, arity int) ([]row, error) {
	var found []row
	err := store.GetFacts(ast.NewQuery(ast.PredicateSym{Symbol: name, Arity: arity}), func(a ast.Atom) error {
		r := make(row, len(a.Args))
		for i, term := range a.Args {
			n, err := term.(ast.Constant).NumberValue()
			if err != nil {
				return err
			}
			r[i] = o.codes.value(n)
		}
		found = append(found, r)
		return nil
	})
	return found, err
}

// run returns all facts under a schedule. What the program reads of some fixed
// round, which may be a later one, comes from the execution that is looked at.
func (o *byMangle) run(b rounds.Bounds, s rounds.Schedule, executed []recording.Fact) (set, error) {
	ref := newReference(o.p, b, s)
	facts := ref.facts // what is given
	for round := 1; round <= b.EOT; round++ {
		store := factstore.NewMultiIndexedArrayInMemoryStore()
		store.Add(o.atom("always", nil))
		for _, p := range o.processes {
			store.Add(o.atom("proc", row{p}))
		}
		for n, rows := range facts {
			for _, r := range rows {
				if n.round == round {
					store.Add(o.atom(predicate(n.relation, 0), r))
				}
			}
		}
		for _, f := range executed {
			if slices.Contains(o.fixed, node{f.Relation, f.Round}) {
				store.Add(o.atom(predicate(f.Relation, f.Round), f.Args))
			}
		}
		for _, u := range o.strata {
			if err := u.evaluate(store); err != nil {
				return nil, err
			}
			for _, r := range u.rules {
				if err := o.keep(store, facts, r, round, ref); err != nil {
					return nil, err
				}
			}
		}
		if err := o.after.evaluate(store); err != nil {
			return nil, err
		}
		for _, r := range o.after.rules {
			if err := o.keep(store, facts, r, round, ref); err != nil {
				return nil, err
			}
		}
	}
	return facts, nil
}

// keep adds the heads of a rule that arrive to the facts.
func (o *byMangle) keep(store factstore.FactStore, facts set, r *syntax.Rule, round int, ref *reference) error {
	arity, to := len(r.Head.Args), round
	if r.Kind == syntax.Async {
		arity++
	}
	if r.Kind != syntax.Deductive {
		to++
	}
	heads, err := o.rows(store, resultOf(r.Index), arity)
	if err != nil {
		return err
	}
	for _, h := range heads {
		if r.Kind == syntax.Async {
			sender := ref.values[h[0]]
			for late := range ref.b.EOT - round {
				if ref.arrives(r.Head.Relation, sender, h[1:], round, late) {
					facts.add(node{r.Head.Relation, to + late}, h[1:])
				}
			}
			continue
		}
		if to > ref.b.EOT {
			continue
		}
		facts.add(node{r.Head.Relation, to}, h)
	}
	return nil
}

// mangles compares executions of a case with Mangle's.
func mangles(schedules int) oracle.Check {
	return func(ctx context.Context, c oracle.Case) (string, error) {
		c.Bounds.CrashStop, c.Bounds.Restarts, c.Bounds.Joins = false, 0, nil // stopping is nothing that rules say
		o, err := newOracle(c.Program, c.Bounds)
		if u := unsupported(""); errors.As(err, &u) {
			return "not for Mangle: " + string(u), nil
		}
		if err != nil {
			return "", err
		}
		m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: 10_000})
		if err != nil {
			return "", err
		}
		outcome := agreed
		for _, s := range c.Schedules(schedules) {
			how, err := o.compare(ctx, c.Bounds, m, s)
			if err != nil {
				return "", fmt.Errorf("under %q: %w", s, err)
			}
			if how != agreed {
				outcome = how
			}
		}
		return outcome, nil
	}
}

// large tells whether a fact has an integer that Mangle's arithmetic may wrap,
// or that comes near the codes of strings.
func large(f recording.Fact) bool {
	return slices.ContainsFunc(f.Args, func(v specs.Value) bool { return v.Int() > 1<<30 || v.Int() < -1<<30 })
}

// compare executes a program under a schedule both ways.
func (o *byMangle) compare(ctx context.Context, b rounds.Bounds, m *lockstep.Machine, s rounds.Schedule) (string, error) {
	e, err := m.Execute(ctx, s)
	var undecided *limits.UndefinedError
	var runaway *limits.RunawayError
	var limit *limits.LimitError
	if errors.As(err, &undecided) || errors.As(err, &runaway) || errors.As(err, &limit) {
		return "no execution", nil
	}
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(e.Facts, large) {
		return "numbers that Mangle may wrap", nil
	}
	facts, err := o.run(b, s, e.Facts)
	if errors.Is(err, functional.ErrDivisionByZero) {
		return "Mangle stopped at a division by zero", nil
	}
	if err != nil {
		return "", fmt.Errorf("mangle: %w", err)
	}
	var want []recording.Fact
	for n, rows := range facts {
		for _, args := range rows {
			want = append(want, recording.Fact{Relation: n.relation, Args: args, Round: n.round})
		}
	}
	if d := difference(factTexts(e.Facts, false), factTexts(want, false)); d != "" {
		return "", errors.New(d)
	}
	return agreed, nil
}

func TestRandomProgramsAgreeWithMangle(t *testing.T) {
	campaign.Run(t, 50, mangles(3))
}

func TestProtocolsAgreeWithMangle(t *testing.T) {
	check := mangles(2)
	for _, c := range oracle.Quick(t) {
		t.Run(c.Name, func(t *testing.T) {
			outcome, err := check(t.Context(), c)
			require.NoError(t, err)
			if outcome != agreed {
				t.Skip(outcome)
			}
		})
	}
}
