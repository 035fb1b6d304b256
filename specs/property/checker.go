package property

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// maxFacts is the most facts that rules may derive from one execution.
const maxFacts = 1_000_000

// Checker is a property made ready to check many executions. It is for one
// goroutine; Clone gives another.
type Checker struct {
	property  Property
	evaluator *evaluator // nil for a function
}

// Compile makes a property ready. The error has everything that is wrong with
// its rules, with line and column.
func Compile(p Property) (*Checker, error) {
	switch {
	case (p.Rules == "") == (p.Func == nil):
		return nil, fmt.Errorf("property %q: it needs either rules or a function", p.Name)
	case p.Func != nil:
		return &Checker{property: p}, nil
	}
	r, err := parseRules(p.source(), p.Rules)
	if err != nil {
		return nil, err
	}
	if pre, post := has(r.defined, "pre"), has(r.defined, "post"); pre != post || !pre && !has(r.defined, "violation") {
		return nil, r.fail(place{}, "the rules of a property derive violation(..), or both pre(..) and post(..)")
	}
	v, err := newEvaluator(r)
	if err != nil {
		return nil, err
	}
	return &Checker{p, v}, nil
}

// source is what messages call the text of the rules.
func (p Property) source() string {
	if p.Name == "" {
		return "rules"
	}
	return p.Name
}

// Check returns how an execution violates the property, in a fixed order. To
// check many executions, Compile the property once.
func (p Property) Check(e *recording.Execution) ([]result.Violation, error) {
	c, err := Compile(p)
	if err != nil {
		return nil, err
	}
	return c.Check(e)
}

// Clone returns a checker of the same property for another goroutine.
func (c *Checker) Clone() *Checker {
	clone := &Checker{property: c.property}
	if c.evaluator != nil {
		clone.evaluator = c.evaluator.clone()
	}
	return clone
}

// Property returns what is checked.
func (c *Checker) Property() Property { return c.property }

// FactsOnly tells whether the property does not look at messages.
func (c *Checker) FactsOnly() bool {
	if c.evaluator == nil {
		return c.property.FactsOnly
	}
	return !c.Reads("sent") && !c.Reads("delivered") && !c.Reads("lost")
}

// Check returns how an execution violates the property, in a fixed order: every
// violation(..), and every pre(x) without post(x).
func (c *Checker) Check(e *recording.Execution) ([]result.Violation, error) {
	if c.evaluator == nil {
		return c.call(e)
	}
	if err := c.evaluator.run(e); err != nil {
		return nil, err
	}
	var found []result.Violation
	for _, args := range c.evaluator.rows("violation") {
		fact := recording.Fact{Relation: "violation", Args: args}
		found = append(found, result.Violation{Property: c.property.Name, Fact: fact, Text: recording.Display(fact, e.Bounds.Processes)})
	}
	post := c.evaluator.rows("post")
	for _, args := range c.evaluator.rows("pre") {
		if _, holds := slices.BinarySearchFunc(post, args, compareRows); holds {
			continue
		}
		fact := recording.Fact{Relation: "pre", Args: args}
		missing := recording.Fact{Relation: "post", Args: args}
		found = append(found, result.Violation{Property: c.property.Name, Fact: fact, Text: fmt.Sprintf("%s, but no %s by the end of round %d",
			recording.Display(fact, e.Bounds.Processes), recording.Display(missing, e.Bounds.Processes), e.Bounds.EOT)})
	}
	return found, nil
}

// Reads tells whether rules read a relation that none of them derives; false for
// a function.
func (c *Checker) Reads(relation string) bool {
	return c.evaluator != nil && has(c.evaluator.reads, relation)
}

// Derives tells whether there are rules that derive a relation.
func (c *Checker) Derives(relation string) bool {
	return c.evaluator != nil && has(c.evaluator.defined, relation)
}

// Derived returns the arguments of the facts of a relation that the rules
// derived in the last Check, sorted; nil for a function.
func (c *Checker) Derived(relation string) [][]specs.Value {
	if c.evaluator == nil {
		return nil
	}
	return c.evaluator.rows(relation)
}

// Facts returns what the rules read of an execution, as the [Program] of the
// rules has it: in round 1, with the round of the recording as the last column.
// It is valid until the next call of a method.
func (c *Checker) Facts(e *recording.Execution) ([]recording.Fact, error) {
	if c.evaluator == nil {
		return nil, nil
	}
	return c.evaluator.table(e)
}

// call calls the function of a property, and returns its panic as an error.
func (c *Checker) call(e *recording.Execution) (found []result.Violation, err error) {
	defer func() {
		if r := recover(); r != nil {
			found, err = nil, fmt.Errorf("property %q: its function panics: %v", c.property.Name, r)
		}
	}()
	found = c.property.Func(e)
	for i := range found {
		if found[i].Property == "" {
			found[i].Property = c.property.Name
		}
	}
	return found, nil
}

func compareRows(a, b []specs.Value) int {
	return slices.CompareFunc(a, b, specs.Value.Compare)
}

// evaluator evaluates rules over executions: as a Dedalus program where there
// is one, and with Mangle otherwise.
type evaluator struct {
	*rules
	recorded recording.Tabulator
	machine  *lockstep.Machine
	result   *lockstep.Run
	engine   *engine
	derived  map[string][][]specs.Value // by the engine
}

// scope is what the rules are evaluated in: one round, at no process.
var scope = rounds.Bounds{Processes: []string{"rules"}, EOT: 1}

func newEvaluator(r *rules) (*evaluator, error) {
	v := &evaluator{rules: r, recorded: r.tabulator()}
	program, refused := r.program()
	if refused != nil {
		r.errors = nil
		var err error
		v.engine, err = newEngine(r)
		return v, err
	}
	machine, err := lockstep.Compile(program, scope, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	v.machine = machine
	return v, nil
}

func (v *evaluator) clone() *evaluator {
	clone := &evaluator{rules: v.rules, recorded: v.tabulator(), engine: v.engine}
	if v.machine != nil {
		clone.machine = v.machine.Clone()
	}
	return clone
}

// run evaluates the rules over an execution.
func (v *evaluator) run(e *recording.Execution) error {
	facts, err := v.table(e)
	if err != nil {
		return err
	}
	return v.evaluate(facts)
}

// evaluate evaluates the rules over a table.
func (v *evaluator) evaluate(facts []recording.Fact) (err error) {
	if v.machine != nil {
		v.result, err = v.machine.RunWith(context.Background(), rounds.Schedule{}, facts)
	} else {
		v.derived, err = v.engine.run(facts)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", v.name, err)
	}
	return nil
}

// table returns what the rules read of an execution, as their program has it.
func (v *evaluator) table(e *recording.Execution) ([]recording.Fact, error) {
	facts, err := v.recorded.Table(e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.name, err)
	}
	if has(v.reads, "crash") {
		for i := range facts {
			facts[i].Relation = relationName(facts[i].Relation)
		}
	}
	return facts, nil
}

// rows returns the arguments of what the rules derived, sorted.
func (v *evaluator) rows(relation string) [][]specs.Value {
	if v.machine != nil {
		return v.result.Facts(relationName(relation), 1)
	}
	return v.derived[relation]
}
