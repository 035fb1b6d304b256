package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

var (
	explainPrograms = flag.Int("explain-programs", 20, "random programs whose facts TestExplainRandom explains")
	explainSeed     = flag.Uint64("explain-seed", 1, "the first of them")
)

// TestExplainRandom explains every fact of some executions of random programs,
// and every fact that they lack, and checks each explanation against the
// concrete executor.
func TestExplainRandom(t *testing.T) {
	explained := 0
	for seed := *explainSeed; seed < *explainSeed+uint64(*explainPrograms); seed++ {
		c := generate.Random(seed)
		explained += explainCase(t, seed, c)
	}
	require.Positive(t, explained)
	t.Logf("%d explanations", explained)
}

func explainCase(t *testing.T, seed uint64, c generate.Case) int {
	b, _, err := rounds.BoundsOf(c.Program, nil)
	require.NoError(t, err)
	g, err := provenance.Evaluate(context.Background(), c.Program, b, provenance.Options{})
	if err != nil {
		return 0
	}
	machine, err := lockstep.Compile(c.Program, b, lockstep.Options{})
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(seed, 0))
	explained := 0
	for i := range 3 {
		var s rounds.Schedule
		if i > 0 {
			s = g.Universe.Random(random)
		}
		run, err := machine.Run(context.Background(), s)
		if err != nil {
			continue
		}
		world, err := g.Under(s)
		require.NoError(t, err)
		check := &explanationCheck{run: run, explainer: New(world), where: fmt.Sprintf("seed %d under %q\n%s", seed, s, c.Text)}
		explained += check.all(t)
	}
	return explained
}

// explanationCheck checks explanations of one world against the execution.
type explanationCheck struct {
	run       *lockstep.Run
	explainer *Explainer
	where     string
	count     int
}

func (c *explanationCheck) all(t *testing.T) int {
	n := 0
	for _, relation := range c.explainer.Graph.Program.Relations() {
		for round := 1; round <= c.explainer.Graph.Bounds.EOT; round++ {
			for _, args := range c.run.Facts(relation.Name, round) {
				n++
				c.fact(t, c.explainer.patternOf(relation.Name, args, round))
			}
			for _, f := range c.explainer.Graph.Facts(relation.Name, round) {
				if !c.explainer.Holds(f) {
					n++
					c.absence(t, c.explainer.patternOf(relation.Name, f.Args(), round))
				}
			}
			open := Pattern{Relation: relation.Name, First: round, Last: round, Columns: make([]Column, relation.Arity)}
			for i := range open.Columns {
				open.Columns[i].Open = true
			}
			if !c.holds(open) {
				n++
				c.absence(t, open)
			}
		}
	}
	return n
}

// fact checks the explanation of a fact that the execution has.
func (c *explanationCheck) fact(t *testing.T, p Pattern) {
	e := c.explainer.explain(p, Limits{Facts: 100000})
	require.True(t, e.Holds, "%s is not explained\n%s", p.String(), c.where)
	require.Len(t, e.Roots, 1, c.where)
	c.wellFounded(t, e.Roots[0].Node, map[*Node]int{})
	c.parts(t, p.String(), e.Roots)
	c.writers(t, e)
	c.asked(t, p)
	require.NotEmpty(t, c.explainer.Reason(Question{Fact: recording.Fact{Relation: p.Relation, Args: p.values(), Round: p.Last}}), "%s\n%s", p.String(), c.where)
}

// values are the columns of a pattern that has no open ones.
func (p Pattern) values() []specs.Value {
	var all []specs.Value
	for _, col := range p.Columns {
		all = append(all, col.Value)
	}
	return all
}

// wellFounded checks that no fact is explained by itself.
func (c *explanationCheck) wellFounded(t *testing.T, n *Node, state map[*Node]int) {
	require.NotEqual(t, 1, state[n], "%s is explained by itself\n%s", n.String(), c.where)
	if state[n] == 2 {
		return
	}
	state[n] = 1
	require.True(t, n.Given != nil || n.Note != "" || len(n.Steps) == 1, "%s has no explanation\n%s", n.String(), c.where)
	require.NotEqual(t, notShown, n.Note)
	for _, s := range n.Steps {
		for _, row := range append([]*Step{s}, s.Rows...) {
			for _, p := range row.Parts {
				if row.Fired && p.Node != nil && !p.Negated {
					c.wellFounded(t, p.Node, state)
				}
			}
		}
	}
	state[n] = 2
}

// absence checks the explanation of why a fact is not there.
func (c *explanationCheck) absence(t *testing.T, p Pattern) {
	e := c.explainer.explain(p, Limits{})
	require.False(t, e.Holds, "%s holds for the circuit only\n%s", p.String(), c.where)
	root := e.Roots[0].Node
	require.True(t, len(root.Steps) > 0 || root.Note != "", "%s is not explained\n%s", p.String(), c.where)
	c.parts(t, p.String(), e.Roots)
	c.writers(t, e)
	c.asked(t, p)
	if !p.open() {
		require.NotEmpty(t, c.explainer.Reason(Question{Fact: recording.Fact{Relation: p.Relation, Args: p.values(), Round: p.Last}}), "%s\n%s", p.String(), c.where)
	}
}

// asked asks as a user does, and checks what is left of the explanation.
func (c *explanationCheck) asked(t *testing.T, p Pattern) {
	q := syntax.Query{Relation: p.Relation, Round: p.Last}
	for _, col := range p.Columns {
		q.Args = append(q.Args, syntax.QueryArg{Wildcard: col.Open, Value: col.Value})
	}
	e, err := c.explainer.Explain(q, Limits{})
	require.NoError(t, err)
	c.parts(t, p.String(), e.Roots)
	c.writers(t, e)
	q.Round = 0
	e, err = c.explainer.Explain(q, Limits{All: c.count%2 == 0})
	require.NoError(t, err)
	require.NotEmpty(t, e.Roots)
}

// open tells whether some column is open.
func (p Pattern) open() bool {
	return slices.ContainsFunc(p.Columns, func(c Column) bool { return c.Open })
}

// parts checks everything that is said anywhere in an explanation.
func (c *explanationCheck) parts(t *testing.T, about string, roots []*Part) {
	seen := map[*Node]bool{}
	queue := roots
	for i := 0; i < len(queue); i++ {
		p := queue[i]
		c.part(t, about, p)
		if p.Kept != nil {
			queue = append(queue, p.Kept.Absent...)
		}
		if p.Node == nil || seen[p.Node] {
			continue
		}
		seen[p.Node] = true
		require.Equal(t, p.Node.Holds, c.holds(p.Node.Pattern), "explaining %s: %s\n%s", about, p.Node.String(), c.where)
		for _, s := range p.Node.Steps {
			require.Equal(t, p.Node.Holds, s.Fired, "explaining %s: %s by %s\n%s", about, p.Node.String(), s.Rule, c.where)
			queue = append(queue, s.Parts...)
			c.fired(t, about, s)
			for _, row := range s.Rows {
				queue = append(queue, row.Parts...)
				c.fired(t, about, row)
			}
		}
	}
}

// fired checks that a step took place if it lacked nothing.
func (c *explanationCheck) fired(t *testing.T, about string, s *Step) {
	lacks := false
	for _, p := range s.Parts {
		lacks = lacks || !p.Met || p.Instead
	}
	if len(s.Rows) == 0 {
		require.Equal(t, s.Fired, !lacks, "explaining %s: %s\n%s", about, s.Rule, c.where)
	}
}

// part checks one statement.
func (c *explanationCheck) part(t *testing.T, about string, p *Part) {
	switch {
	case p.Atom != nil:
		require.Equal(t, p.Met != p.Negated, c.holds(*p.Atom), "explaining %s: %s\n%s", about, p.Atom.String(), c.where)
	case p.Message != nil:
		from, to := c.explainer.index(p.Message.From), c.explainer.index(p.Message.To)
		for round := p.Message.First; round <= p.Message.Last; round++ {
			require.Equal(t, p.Met, c.explainer.Environment.Delivers(from, to, round), "explaining %s: %s\n%s", about, p.Message.text(), c.where)
		}
		require.Equal(t, p.Met, len(p.Message.Losses) == 0)
	default:
		require.NotEmpty(t, p.Text)
		require.False(t, p.Met)
	}
	if p.Kept != nil && p.Kept.From != nil {
		require.True(t, c.holds(*p.Kept.From), "explaining %s: from %s\n%s", about, p.Kept.From.String(), c.where)
	}
	if p.Kept != nil && p.Kept.From == nil {
		for round := p.Kept.Since; round <= p.Atom.Last; round++ {
			require.True(t, c.holds(p.Atom.during(round, round)), "explaining %s: %s since %d\n%s", about, p.Atom.String(), p.Kept.Since, c.where)
		}
	}
}

// holds tells whether a fact of a pattern holds in the last of its rounds, and
// that none does in the others if not.
func (c *explanationCheck) holds(p Pattern) bool {
	in := func(round int) bool {
		for _, args := range c.run.Facts(p.Relation, round) {
			if p.matches(args) {
				return true
			}
		}
		return false
	}
	if in(p.Last) {
		return true
	}
	for round := p.First; round < p.Last; round++ {
		if in(round) {
			return true
		}
	}
	return false
}

// writers checks, now and then, that everything can be written, and is not too long.
func (c *explanationCheck) writers(t *testing.T, e *Explanation) {
	if c.count++; c.count%16 != 1 {
		return
	}
	var text, dot, object bytes.Buffer
	require.NoError(t, e.WriteText(&text))
	require.Less(t, strings.Count(text.String(), "\n"), 5000, c.where)
	require.NoError(t, e.WriteDOT(&dot))
	require.NoError(t, e.WriteJSON(&object))
	require.True(t, json.Valid(object.Bytes()))
}
