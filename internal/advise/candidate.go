package advise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// The kinds of repairs, those first that change least. With the next to last ones the
// protocol does less, and the last one changes what is promised.
const (
	resend      = "resend"      // again and again until it is acknowledged
	relay       = "relay"       // by whoever has it as well
	everybody   = "everybody"   // to all processes, so that others act on it too
	through     = "copy"        // through others as well
	remember    = "remember"    // what has been there stays
	durable     = "durable"     // over a restart
	threshold   = "threshold"   // more of something is asked for
	constant    = "constant"    // another number in a rule
	without     = "without"     // a rule is left out
	acknowledge = "acknowledge" // what is promised waits for acknowledgements
)

var kinds = []string{resend, relay, everybody, through, remember, durable, threshold, constant, without, acknowledge}

// part is one thing to add to a program.
type part struct {
	kind    string
	text    string         // what it does
	rules   []string       // to be added
	instead []*syntax.Rule // that these replace
	durable string         // a relation that is to be durable
	less    string         // a relation of which there may be less
	probe   *probe         // what has to be possible all the same
	spare   *spare         // what there has to be without faults
}

// candidate is what may be a suggestion: some parts together.
type candidate []part

// rules returns the rules of all parts, each once.
func (c candidate) rules() []string {
	var all []string
	for _, p := range c {
		for _, rule := range p.rules {
			if !slices.Contains(all, rule) {
				all = append(all, rule)
			}
		}
	}
	return all
}

// text says what the parts do.
func (c candidate) text() string {
	texts := make([]string, len(c))
	for i, p := range c {
		texts[i] = p.text
	}
	return strings.Join(texts, "; ")
}

// durable returns the relations that are to be durable.
func (c candidate) durable() (names []string) {
	for _, p := range c {
		if p.durable != "" {
			names = append(names, p.durable)
		}
	}
	return names
}

// less returns the relations of which there may be less.
func (c candidate) less() (names []string) {
	for _, p := range c {
		if p.less != "" {
			names = append(names, p.less)
		}
	}
	return names
}

// program returns the text of a program with a candidate.
func (c candidate) program(p *dedalus.Program) string {
	with := *p
	with.Rules = slices.DeleteFunc(slices.Clone(p.Rules), func(r *syntax.Rule) bool {
		return slices.ContainsFunc(c, func(part part) bool { return slices.Contains(part.instead, r) })
	})
	return with.String() + strings.Join(c.rules(), "\n") + "\n"
}

// writer writes rules for one program.
type writer struct{ program *dedalus.Program }

// fresh returns the name of a relation that the program does not have.
func (w *writer) fresh(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(w.program.Relations(), func(r dedalus.Relation) bool { return r.Name == name })
	}
	free := name
	for n := 2; taken(free); n++ {
		free = fmt.Sprint(name, n)
	}
	return free
}

// numbered returns a fresh name for what belongs to a rule: the relation of its head is
// part of it, and a number if there are several such rules.
func (w *writer) numbered(prefix string, r *syntax.Rule) string {
	number := 1
	for _, other := range w.program.Rules {
		if other == r {
			break
		}
		if other.Head.Relation == r.Head.Relation && other.Kind == syntax.Async {
			number++
		}
	}
	if number == 1 {
		return w.fresh(prefix + r.Head.Relation)
	}
	return w.fresh(fmt.Sprint(prefix, r.Head.Relation, "_", number))
}

// variable returns the first of some names that is none of those taken.
func variable(taken []string, names ...string) string {
	for n := 1; ; n++ {
		for _, name := range names {
			if n > 1 {
				name = fmt.Sprint(name, n)
			}
			if !slices.Contains(taken, name) {
				return name
			}
		}
	}
}

// body is the body of a rule as it is written.
func body(r *syntax.Rule) string {
	terms := make([]string, len(r.Body))
	for i, t := range r.Body {
		terms[i] = t.String()
	}
	return strings.Join(terms, ", ")
}

// atom is a relation with columns as it is written.
func atom(relation string, columns ...string) string {
	return relation + "(" + strings.Join(columns, ", ") + ")"
}

func rule(head, kind string, body ...string) string {
	return head + kind + " :- " + strings.Join(body, ", ") + ";"
}

// variableColumns are the head of a rule apart from its body: each column as it is written in the
// body of another rule.
type variableColumns struct {
	names []string // of all columns of the head: variables, or constants
	made  []string // expressions that the body gives, by the column; the name if it is no other
	free  bool     // the first one is bound by nothing: it goes to all processes
}

// columnsOf takes the head of a rule that sends messages apart; false if that cannot be
// done, because it aggregates or what it sends to whom depends on what there is not.
func columnsOf(r *syntax.Rule) (variableColumns, bool) {
	c := variableColumns{free: r.Destination() != nil}
	taken := r.Variables()
	for i, e := range r.Head.Args {
		switch e := e.(type) {
		case *syntax.Variable:
			if i == 0 && c.free && reads(r, e.Name) {
				return c, false
			}
			c.names = append(c.names, e.Name)
		case *syntax.Constant:
			c.names = append(c.names, e.String())
		case *syntax.Binary:
			name := variable(taken, "V")
			taken = append(taken, name)
			c.names = append(c.names, name)
		default:
			return c, false
		}
		c.made = append(c.made, e.String())
	}
	return c, len(c.names) > 0
}

// reads tells whether the body of a rule has a variable.
func reads(r *syntax.Rule, name string) bool {
	found := false
	see := func(v *syntax.Variable) { found = found || v.Name == name }
	for _, t := range r.Body {
		if t.Atom == nil {
			syntax.EachVariable(t.Test, see)
			continue
		}
		for _, e := range t.Atom.Args {
			syntax.EachVariable(e, see)
		}
	}
	return found
}

// generic names so many columns, by the variables of a head where it has some.
func generic(head *syntax.Atom) []string {
	var names []string
	for i, e := range head.Args {
		v, ok := e.(*syntax.Variable)
		switch {
		case ok && !slices.Contains(names, v.Name):
			names = append(names, v.Name)
		case i == 0:
			names = append(names, variable(names, "P"))
		default:
			names = append(names, variable(names, fmt.Sprint("V", i)))
		}
	}
	return names
}
