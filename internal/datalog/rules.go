package datalog

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Rules are the rules of a property, not compiled yet.
type Rules struct {
	Text    string                    // in the language of Mangle
	Compile func() (*Compiled, error) // the error has everything that is wrong with them
}

// Mangle reads rules in the language of Mangle. It is nil in programs that do not
// import package specs/property/rules, which sets it.
var Mangle func(name, text string) *Rules

// Language is what rules can speak of besides the relations of a recording.
type Language struct {
	Given []Relation // read by rules, and derived by none
	Heads []Relation // derived by rules: each rule by itself, as [Head] names it; read as given
}

// InLanguage reads rules in the language of Mangle that have a program. It is nil in
// programs that do not import package specs/property/rules, which sets it.
var InLanguage func(name, text string, l *Language) (*Compiled, error)

// Head returns the name of the relation that a rule of a Language derives, and Given the
// name of the one that rules read.
func Head(name string, rule int) string { return fmt.Sprintf("%s?%d", name, rule) }

// Given returns what a program calls the relation that rules read where they can also be
// derived.
func Given(name string) string { return name + "?" }

// New returns rules in the language of Mangle. In a program that cannot read
// them they do not compile.
func New(name, text string) *Rules {
	if Mangle != nil {
		return Mangle(name, text)
	}
	return &Rules{Text: text, Compile: func() (*Compiled, error) { return nil, errors.New(name + ": " + unlinked) }}
}

const unlinked = `this program cannot evaluate rules: import _ "github.com/lineage-driven/ldfi/specs/property/rules" in it`

// Compiled are rules that have been read and checked. They are not changed, and
// may be shared.
type Compiled struct {
	Name    string           // for messages
	Program *dedalus.Program // nil if there is none
	Derives map[string]int   // the columns of each relation that the rules derive
	Reads   map[string]int   // the columns of each relation of the recording that they read

	NoProgram error  // why there is none
	Engine    Engine // evaluates the rules then
}

// Derived tells whether the rules derive a relation.
func (c *Compiled) Derived(relation string) bool { _, ok := c.Derives[relation]; return ok }

// Read tells whether the rules read a relation that none of them derives.
func (c *Compiled) Read(relation string) bool { _, ok := c.Reads[relation]; return ok }

// Engine evaluates rules over a table. It returns the sorted rows of every
// relation that they derive, and may be used by several goroutines.
type Engine interface {
	Run(ctx context.Context, table []recording.Fact) (map[string][][]specs.Value, error)
}

// Always is the relation without columns that is in the body of every rule of a
// program, which states it.
const Always = "always?"

// The relations that say what an outcome needs.
const (
	Needs     = "needs"
	NeedsSome = "needs_some"
)

// MaxFacts is the most facts that rules may derive from one execution.
const MaxFacts = 1_000_000

// Scope is what a program is evaluated in: one round, at no process.
var Scope = rounds.Bounds{Processes: []string{"rules"}, EOT: 1}

// Evaluator returns an evaluator of the rules.
func (c *Compiled) Evaluator() (*Evaluator, error) {
	v := &Evaluator{Compiled: c, recorded: Tabulator{Reads: c.Reads, Derives: c.Derives}}
	if c.Program == nil {
		return v, nil
	}
	var err error
	v.machine, err = lockstep.Compile(c.Program, Scope, lockstep.Options{MaxFacts: MaxFacts})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	return v, nil
}

// mangle turns the Dedalus rules of this project into the language of Mangle, as
// far as they need it.
var mangle = strings.NewReplacer(";", ".", "notin ", "!", "I - 1", "fn:minus(I, 1)")

// Dedalus returns rules that are written in Dedalus, without Always.
func Dedalus(name, text string) *Rules {
	c := &Compiled{Name: name, Derives: map[string]int{}, Reads: map[string]int{}}
	p, err := dedalus.ParseText(name, text)
	if err != nil {
		return &Rules{Compile: func() (*Compiled, error) { return nil, err }}
	}
	rules := &Rules{Text: mangle.Replace(text), Compile: func() (*Compiled, error) { return c, nil }}
	c.Program = p
	p.Facts = append(p.Facts, &syntax.Fact{Relation: Always, Round: 1})
	for _, r := range p.Rules {
		c.Derives[r.Head.Relation] = len(r.Head.Args)
	}
	for _, r := range p.Rules {
		for _, t := range r.Body {
			if t.Atom == nil {
				continue
			}
			if _, derived := c.Derives[t.Atom.Relation]; !derived {
				c.Reads[t.Atom.Relation] = len(t.Atom.Args)
			}
		}
		r.Body = append([]syntax.Term{{Atom: &syntax.Atom{Relation: Always}}}, r.Body...)
	}
	return rules
}
