package strategies

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/lineage-driven/ldfi/specs/property"
)

// support is a support of an outcome, as an execution shows it.
type support struct {
	outcome string     // the outcome, a text
	stated  bool       // rules state the outcome: it is not only a fact that a property sees
	asked   solver.Lit // when pre certainly holds for the outcome; False if there is no pre
	enough  solver.Lit // when the outcome holds, as far as this execution shows
}

// witness finds the outcomes of a property in executions, and their supports.
type witness struct {
	property property.Property
	rules    *datalog.Evaluator // nil: there are none
	program  *dedalus.Program   // of pre and post; nil if there are none, or if only Mangle can evaluate them
	posts    bool               // the outcomes are post(..) where pre(..) holds
	lens     *search.Lens       // of the facts that are outcomes otherwise
}

func newWitness(p property.Property) (*witness, error) {
	w := &witness{property: p}
	if p.Rules != nil {
		c, err := property.Compile(p)
		if err != nil {
			return nil, err
		}
		w.rules = c.Rules()
		if w.rules.Program != nil {
			w.program = w.rules.Program.Slice("pre", "post")
		}
		w.posts = w.rules.Derived("post")
	}
	var err error
	if w.lens, err = search.NewLens([]property.Property{p}); err != nil || w.lens.All() {
		w.lens = search.Everything()
	}
	return w, nil
}

// supports returns the outcomes of an execution with their supports.
func (w *witness) supports(ctx context.Context, c *faultCircuit, p *pasts, e *recording.Execution) ([]support, error) {
	if w.rules == nil {
		return w.facts(c, p, e), nil
	}
	if err := w.rules.Run(e); err != nil {
		return nil, err
	}
	needs, err := w.needs(c)
	if err != nil {
		return nil, fmt.Errorf("property %q: %w", w.property.Name, err)
	}
	switch {
	case w.posts:
		return w.postsOf(ctx, c, p, e, needs)
	case len(needs) > 0:
		var all []support
		for _, n := range needs {
			all = append(all, support{w.text("", n.outcome), true, solver.False, n.enough})
		}
		return all, nil
	}
	return w.facts(c, p, e), nil
}

// text returns an outcome as a text.
func (w *witness) text(relation string, args []specs.Value) string {
	return w.property.Name + ": " + recording.Display(recording.Fact{Relation: relation, Args: args}, nil)
}

// facts returns the facts that the property sees, each supported by the messages that its
// process had received.
func (w *witness) facts(c *faultCircuit, p *pasts, e *recording.Execution) []support {
	var all []support
	number := map[string]int{}
	for _, f := range e.Facts {
		text, seen := w.lens.See(f)
		if !seen {
			continue
		}
		i, known := number[text]
		if !known {
			i = len(all)
			number[text] = i
			all = append(all, support{w.property.Name + ": " + text, false, solver.False, solver.False})
		}
		all[i].enough = c.Or(all[i].enough, c.reported(p.received, f.Args, f.Round))
	}
	return all
}

// reported is true when a fact is reported again, by one of the two readings of the past of
// its process.
func (c *faultCircuit) reported(past [][]solver.Lit, args []specs.Value, round int) solver.Lit {
	if round < 1 || round > c.bounds.EOT {
		return solver.True
	}
	if len(args) > 0 {
		if i := c.index(args[0].Text()); i >= 0 {
			return past[round][i]
		}
	}
	return c.Ands(past[round]...)
}

// postsOf returns the outcomes post(..) for which pre(..) holds. Their needs are stated by
// rules, or else follow from the facts that they are derived from. An execution in which
// pre does not hold shows nothing.
func (w *witness) postsOf(ctx context.Context, c *faultCircuit, p *pasts, e *recording.Execution, needs []need) ([]support, error) {
	pres, posts := w.rules.Rows("pre"), w.rules.Rows("post")
	var held [][]specs.Value
	for _, args := range posts {
		if slices.ContainsFunc(pres, func(pre []specs.Value) bool { return slices.Equal(pre, args) }) {
			held = append(held, args)
		}
	}
	if len(held) == 0 {
		return nil, nil
	}
	asked, enough, err := w.derivations(ctx, c, p, e, held)
	if err != nil {
		return nil, err
	}
	all := make([]support, len(held))
	for i, args := range held {
		all[i] = support{w.text("post", args), true, asked[i], enough[i]}
		for _, n := range needs {
			if slices.Equal(n.outcome, args) {
				all[i].enough = n.enough
			}
		}
	}
	return all, nil
}

// maxLineage limits the facts in the lineage of one execution.
const maxLineage = 100_000

// derivations returns functions that tell when pre(..) certainly holds, and when post(..)
// holds: it evaluates the rules over facts with conditions.
func (w *witness) derivations(ctx context.Context, c *faultCircuit, p *pasts, e *recording.Execution, held [][]specs.Value) (asked, enough []solver.Lit, err error) {
	everything := func() ([]solver.Lit, []solver.Lit, error) {
		return slices.Repeat([]solver.Lit{c.all(p.same)}, len(held)), slices.Repeat([]solver.Lit{c.all(p.received)}, len(held)), nil
	}
	if w.program == nil {
		return everything()
	}
	facts, err := w.rules.Table(e)
	if err != nil {
		return nil, nil, err
	}
	g, err := provenance.Evaluate(ctx, w.program, datalog.Scope, provenance.Options{
		Further: facts, MaxFacts: maxLineage, MaxGates: 10 * maxLineage,
	})
	var tooMany *limits.LimitError
	var tooLarge *solver.LimitError
	switch {
	case errors.As(err, &tooMany) || errors.As(err, &tooLarge):
		return everything()
	case err != nil:
		return nil, nil, fmt.Errorf("property %q: %w", w.property.Name, err)
	}
	same, received := make([]solver.Lit, len(facts)), make([]solver.Lit, len(facts))
	for i, f := range facts {
		same[i], received[i] = c.recorded(p.same, f), c.recorded(p.received, f)
	}
	pres, posts := make([]solver.Lit, len(held)), make([]solver.Lit, len(held))
	for i, args := range held {
		pres[i], posts[i] = conditionOf(g, "pre", args), conditionOf(g, "post", args)
	}
	return c.Graft(g.Circuit, same, pres...), c.Graft(g.Circuit, received, posts...), nil
}

func conditionOf(g *provenance.Graph, relation string, args []specs.Value) solver.Lit {
	if f := g.Find(relation, args, 1); f != nil {
		return f.Cond()
	}
	return solver.False
}

// recorded is true when the fact f, which rules read of an execution, holds again.
// Processes and rounds always do, and so do the faults of the execution, by assumption.
func (c *faultCircuit) recorded(past [][]solver.Lit, f recording.Fact) solver.Lit {
	about := datalog.Subject(f.Relation)
	if about == datalog.TableScope || about == datalog.Faults {
		return solver.True
	}
	round := int(f.Args[len(f.Args)-1].Int())
	if !about.Messages() {
		return c.reported(past, f.Args[:len(f.Args)-1], round)
	}
	from, to := c.index(f.Args[0].Text()), c.index(f.Args[1].Text())
	if from < 0 || to < 0 || round < 1 || round > c.bounds.EOT {
		return solver.True
	}
	sent := c.sends(past, from, round)
	class := 0
	if len(c.classes.kinds) > 0 {
		class = c.classes.class(f.Args[2].Text(), textOf(f.Args[3:]))
	}
	switch about {
	case datalog.Arrival:
		return c.And(sent, c.deliversOf(class, from, to, round))
	case datalog.Loss:
		return c.And(sent, c.deliversOf(class, from, to, round).Not())
	}
	return sent
}
