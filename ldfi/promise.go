package ldfi

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// The relations that state the promise of a program.
const (
	preRelation       = "pre"
	postRelation      = "post"
	goodRelation      = "good"
	violationRelation = "violation"
)

// promise is the promise of a program, and the round in which it is judged; or a wanted
// fact in its place.
type promise struct {
	wanted *wanted // in place of all promises; nil: none

	prePost, good, violation bool // which of the relations the program defines
	witnessed                bool // pre and post count only for tuples in expected
	eot                      int

	// What the run without faults has at EOT, set by expect: whether pre has a
	// fact, and the tuples of post, or of good, sorted.
	asked    bool
	expected [][]specs.Value
}

// promised returns the promise of the program.
func (m *Model) promised() (*promise, error) {
	return promiseOf(m.program, m.options.Goals, m.bounds.EOT)
}

// promiseOf reads off which promises a program makes.
func promiseOf(p *dedalus.Program, goals string, eot int) (*promise, error) {
	if goals != every && goals != witnessed {
		return nil, fmt.Errorf("goals are %q or %q, not %q", every, witnessed, goals)
	}
	arity := definedArities(p)
	pre, hasPre := arity[preRelation]
	post, hasPost := arity[postRelation]
	if hasPre && hasPost && pre != post {
		return nil, fmt.Errorf("pre has %d columns and post has %d: post(x) is what pre(x) asks for, so give them as many", pre, post)
	}
	_, hasGood := arity[goodRelation]
	_, hasViolation := arity[violationRelation]
	w := &promise{
		prePost:   hasPre || hasPost,
		good:      hasGood && !hasPre && !hasPost,
		violation: hasViolation,
		witnessed: goals == witnessed,
		eot:       eot,
	}
	if !w.prePost && !w.good && !w.violation {
		return nil, &NoPromiseError{File: firstFile(p)}
	}
	return w, nil
}

// definedArities returns the arity of each relation that has a rule or a fact.
func definedArities(p *dedalus.Program) map[string]int {
	arity := map[string]int{}
	for _, r := range p.Rules {
		arity[r.Head.Relation] = len(r.Head.Args)
	}
	for _, f := range p.Facts {
		arity[f.Relation] = len(f.Args)
	}
	for _, c := range p.Choices {
		arity[c.Relation] = len(c.Columns)
	}
	return arity
}

func firstFile(p *dedalus.Program) string {
	if len(p.Files) == 0 {
		return "program"
	}
	return p.Files[0]
}

// relations returns the relations that are looked at.
func (w *promise) relations() []string {
	if w.wanted != nil {
		return w.wanted.relations()
	}
	var names []string
	if w.prePost {
		names = append(names, preRelation, postRelation)
	}
	if w.good {
		names = append(names, goodRelation)
	}
	if w.violation {
		names = append(names, violationRelation)
	}
	return names
}

// last returns the relations that are looked at in the last round only.
func (w *promise) last() []string {
	switch {
	case w.wanted == nil:
		return []string{preRelation, postRelation, goodRelation}
	case w.wanted.first == w.eot && len(w.wanted.through) == 0:
		return w.relations()
	}
	return nil
}

// outcome is the part of an execution on which a promise depends.
type outcome interface {
	Has(relation string, args []specs.Value, round int) bool
	Facts(relation string, round int) [][]specs.Value // sorted
}

// expect sets the expectations of the promise from the run without faults.
func (w *promise) expect(faultless outcome) {
	if w.wanted != nil {
		w.wanted.expect(faultless)
	}
	w.asked = w.prePost && len(faultless.Facts(preRelation, w.eot)) > 0
	w.expected = w.expectedOf(faultless)
}

func cloneTuples(tuples [][]specs.Value) [][]specs.Value {
	clones := make([][]specs.Value, len(tuples))
	for i, t := range tuples {
		clones[i] = slices.Clone(t)
	}
	return clones
}

func compareTuples(a, b []specs.Value) int {
	return slices.CompareFunc(a, b, specs.Value.Compare)
}

// asksFor tells whether pre(args) asks for post(args), where some are expected.
func (w *promise) asksFor(args []specs.Value, expected [][]specs.Value) bool {
	if !w.witnessed {
		return true
	}
	_, found := slices.BinarySearchFunc(expected, args, compareTuples)
	return found
}

// judge returns all violations of an execution: missing posts, missing goods of the
// expected ones, then violations by their rounds.
func (w *promise) judge(o outcome, expected [][]specs.Value) []result.Violation {
	if w.wanted != nil {
		return w.wanted.judge(o)
	}
	var broken []result.Violation
	if w.prePost {
		for _, args := range o.Facts(preRelation, w.eot) {
			if w.asksFor(args, expected) && !o.Has(postRelation, args, w.eot) {
				broken = append(broken, missingPost(slices.Clone(args), w.eot))
			}
		}
	}
	if w.good {
		for _, args := range expected {
			if !o.Has(goodRelation, args, w.eot) {
				broken = append(broken, result.Violation{Fact: recording.Fact{Relation: goodRelation, Args: args, Round: w.eot}, Missing: true})
			}
		}
	}
	if w.violation {
		for round := 1; round <= w.eot; round++ {
			for _, args := range o.Facts(violationRelation, round) {
				fact := recording.Fact{Relation: violationRelation, Args: slices.Clone(args), Round: round}
				broken = append(broken, result.Violation{Fact: fact})
			}
		}
	}
	return broken
}

func missingPost(args []specs.Value, round int) result.Violation {
	return result.Violation{
		Fact:    recording.Fact{Relation: postRelation, Args: args, Round: round},
		Missing: true,
		While:   &recording.Fact{Relation: preRelation, Args: args, Round: round},
	}
}
