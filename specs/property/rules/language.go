package rules

import (
	"slices"

	"github.com/google/mangle/ast"
	"github.com/lineage-driven/ldfi/internal/datalog"
)

func init() { datalog.InLanguage = compileIn }

// surroundings are the relations that rules have around them.
type surroundings struct {
	environment map[string]int    // how many columns each that is given has
	signatures  map[string]string // all of them
	heads       map[string]bool   // those that rules can derive all the same
	wider       bool              // rules compare texts, and aggregate over the variables that have names
}

var ofRecordings = around(&datalog.Language{})

func around(l *datalog.Language) *surroundings {
	s := &surroundings{environment: map[string]int{}, signatures: map[string]string{}, heads: map[string]bool{}}
	for _, r := range slices.Concat(datalog.Environment, l.Given, l.Heads) {
		s.environment[r.Name], s.signatures[r.Name] = len(r.Columns), r.String()
	}
	for _, r := range l.Heads {
		s.heads[r.Name] = true
	}
	return s
}

// compileIn reads rules in a language, which have a program.
func compileIn(name, text string, l *datalog.Language) (*datalog.Compiled, error) {
	s := around(l)
	s.wider = true
	r, err := parseIn(name, text, s)
	if err != nil {
		return nil, err
	}
	for _, c := range r.clauses {
		for i, st := range c.steps {
			c.steps[i].Term = s.given(st.Term)
		}
	}
	p, err := r.program()
	if err != nil {
		return nil, err
	}
	return &datalog.Compiled{Name: name, Program: p, Derives: r.defined, Reads: r.reads}, nil
}

// given renames what rules read and can derive.
func (s *surroundings) given(t ast.Term) ast.Term {
	switch t := t.(type) {
	case ast.Atom:
		if s.heads[t.Predicate.Symbol] {
			t.Predicate.Symbol = datalog.Given(t.Predicate.Symbol)
		}
		return t
	case ast.NegAtom:
		t.Atom = s.given(t.Atom).(ast.Atom)
		return t
	}
	return t
}
