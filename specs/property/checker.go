package property

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Checker is a compiled property that checks many executions. A Checker is for one
// goroutine; Clone returns another.
type Checker struct {
	property Property
	rules    *datalog.Evaluator // nil for a function
	awaits   bool               // pre without post is a violation by the end
}

// Compile returns a checker of the property p. Its error has all mistakes in the rules,
// with line and column.
func Compile(p Property) (*Checker, error) {
	switch {
	case (p.Rules == nil) == (p.Func == nil):
		return nil, fmt.Errorf("property %q: it needs either rules or a function", p.Name)
	case p.Func != nil:
		return &Checker{property: p}, nil
	}
	if _, err := datalog.CrashedCounts(p.Name, p.Rules.Text); err != nil {
		return nil, err
	}
	compiled, err := p.Rules.Compile()
	if err != nil {
		return nil, err
	}
	if pre, post := compiled.Derived("pre"), compiled.Derived("post"); pre != post || !pre && !compiled.Derived("violation") {
		return nil, fmt.Errorf("%s: the rules of a property derive violation(..), or both pre(..) and post(..)", compiled.Name)
	}
	rules, err := compiled.Evaluator()
	if err != nil {
		return nil, err
	}
	return &Checker{p, rules, p.ByEnd || !compiled.Read("eot")}, nil
}

// Clone returns a checker of the same property for another goroutine.
func (c *Checker) Clone() *Checker {
	clone := &Checker{property: c.property, awaits: c.awaits}
	if c.rules != nil {
		clone.rules = c.rules.Clone()
	}
	return clone
}

// Rules returns the evaluator of the rules, which has after Check the facts that they
// derived; nil if the property is a function.
func (c *Checker) Rules() *datalog.Evaluator { return c.rules }

// FactsOnly tells whether the property does not look at messages.
func (c *Checker) FactsOnly() bool {
	if c.rules == nil {
		return c.property.FactsOnly
	}
	return !slices.ContainsFunc(datalog.Environment, func(r datalog.Relation) bool { return r.About.Messages() && c.rules.Read(r.Name) })
}

// Check returns the violations of the property in the execution e, in a fixed order:
// every violation(..), and every pre(x) without post(x).
func (c *Checker) Check(e *recording.Execution) ([]result.Violation, error) {
	if c.rules == nil {
		return c.call(e)
	}
	if err := c.rules.Run(e); err != nil {
		return nil, err
	}
	var found []result.Violation
	for _, args := range c.rules.Rows("violation") {
		fact := recording.Fact{Relation: "violation", Args: args}
		found = append(found, result.Violation{Property: c.property.Name, Fact: fact, Text: recording.Display(fact, e.Bounds.Processes), ByEnd: c.property.ByEnd})
	}
	post := c.rules.Rows("post")
	for _, args := range c.rules.Rows("pre") {
		if _, holds := slices.BinarySearchFunc(post, args, compareRows); holds {
			continue
		}
		fact := recording.Fact{Relation: "pre", Args: args}
		missing := recording.Fact{Relation: "post", Args: args}
		found = append(found, result.Violation{Property: c.property.Name, Fact: fact, ByEnd: c.awaits, Text: fmt.Sprintf("%s, but no %s by the end of round %d",
			recording.Display(fact, e.Bounds.Processes), recording.Display(missing, e.Bounds.Processes), e.Bounds.EOT)})
	}
	return found, nil
}

// call calls the function of a property, and returns its panic as an error. A panic
// with a *limits.UnjudgedError says that it takes too long to judge.
func (c *Checker) call(e *recording.Execution) (found []result.Violation, err error) {
	defer func() {
		r := recover()
		if late, ok := r.(*limits.UnjudgedError); ok {
			late.Property, late.Schedule = c.property.Name, e.Schedule
			found, err = nil, late
		} else if r != nil {
			found, err = nil, fmt.Errorf("property %q: its function panics: %v", c.property.Name, r)
		}
	}()
	found = c.property.Func(e)
	for i := range found {
		if found[i].Property == "" {
			found[i].Property = c.property.Name
		}
		found[i].ByEnd = found[i].ByEnd || c.property.ByEnd
	}
	return found, nil
}

func compareRows(a, b []specs.Value) int {
	return slices.CompareFunc(a, b, specs.Value.Compare)
}
