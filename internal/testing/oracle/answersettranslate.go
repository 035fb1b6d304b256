package oracle

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

//go:embed functions.lua
var functions string

// Unread says that a program, or its bounds, have something that is not translated.
type Unread struct{ What string }

func (e *Unread) Error() string { return "not read: " + e.What }

// Problem is a program within bounds as an answer-set program. Its answer sets are
// the schedules within the bounds and what happens under them: on(n) for each unit
// of fault and choice, by its number, and broken where the promise is.
type Problem struct {
	Text   string
	Units  []rounds.Fault // in the canonical order, faults before choices
	Faults int            // how many of the units are faults

	// Recursive says that some facts depend on the absence of others of their round
	// which depend on them. Doubled is then the program whose answer sets have
	// undefined if, and only if, some fact depends on its own absence.
	Recursive bool
	Doubled   string
}

// translation is a program in the making.
type translation struct {
	program *dedalus.Program
	bounds  rounds.Bounds
	text    strings.Builder
	units   []rounds.Fault
	faults  int

	names     map[string]int // of the relations that the promise depends on
	processes []string       // their terms
	witnessed bool
	good      bool // the promise is about good
	calm      bool // the rules being written are those of the execution without faults
	doubling  bool // relations in cycles through negations have a twin of what is possible
	cyclic    map[node]bool
	next      int // the number of the next auxiliary relation
}

// Translate returns a program as an answer-set program.
func Translate(p *dedalus.Program, b rounds.Bounds, goals string) (*Problem, error) {
	x := &translation{program: p, bounds: b.Normal(), witnessed: goals == "witnessed"}
	if err := x.readable(); err != nil {
		return nil, err
	}
	x.write()
	made := &Problem{Text: x.text.String(), Units: x.units, Faults: x.faults, Recursive: len(x.cyclic) > 0}
	if made.Recursive {
		x.doubling, x.units, x.next = true, nil, 0
		x.text.Reset()
		x.write()
		made.Doubled = x.text.String()
	}
	return made, nil
}

// readable prepares the translation, and says what cannot be read.
func (x *translation) readable() error {
	for _, name := range x.bounds.Processes {
		x.processes = append(x.processes, term(x.program.ProcessValue(name)))
	}
	x.slice()
	return x.cycles()
}

func (x *translation) write() {
	x.text.WriteString("#script (lua)\n" + functions + "#end.\n")
	x.environment()
	x.execution()
	if (x.good || x.witnessed) && !x.doubling {
		x.calm = true
		x.execution()
		x.calm = false
	}
	if x.doubling {
		x.undefined()
	} else {
		x.promise()
	}
	x.text.WriteString("#show on/1.\n")
}

// slice numbers the relations that the promise depends on.
func (x *translation) slice() {
	var todo []string
	defined := x.defined()
	for _, name := range []string{"pre", "post", "violation", "good"} {
		x.good = name == "good" && defined[name] && !defined["pre"] && !defined["post"]
		if defined[name] && (name != "good" || x.good) {
			todo = append(todo, name)
		}
	}
	x.witnessed = x.witnessed && (defined["pre"] || defined["post"])
	x.names = map[string]int{}
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if _, done := x.names[name]; done {
			continue
		}
		x.names[name] = len(x.names)
		for _, r := range x.program.Rules {
			for _, t := range r.Body {
				if r.Head.Relation == name && t.Atom != nil {
					todo = append(todo, t.Atom.Relation)
				}
			}
		}
	}
}

// defined are the relations that have facts, choices or rules.
func (x *translation) defined() map[string]bool {
	defined := map[string]bool{}
	for _, f := range x.program.Facts {
		defined[f.Relation] = true
	}
	for _, c := range x.program.Choices {
		defined[c.Relation] = true
	}
	for _, r := range x.program.Rules {
		defined[r.Head.Relation] = true
	}
	return defined
}

// rules are those of the relations that count.
func (x *translation) rules() (rules []*syntax.Rule) {
	for _, r := range x.program.Rules {
		if _, ok := x.names[r.Head.Relation]; ok {
			rules = append(rules, r)
		}
	}
	return rules
}

// relation returns the name of a relation in a round.
func (x *translation) relation(name string, round int) string {
	if name == syntax.Crash {
		return x.copied("crash")
	}
	return x.copied(fmt.Sprintf("r%d_%d", x.names[name], round))
}

// copied returns a name in the execution that is being written.
func (x *translation) copied(name string) string {
	if x.calm {
		return "calm_" + name
	}
	return name
}

// auxiliary returns a new name.
func (x *translation) auxiliary() string {
	x.next++
	return x.copied(fmt.Sprintf("x%d", x.next))
}

// promise writes when the promise is broken.
func (x *translation) promise() {
	args := x.variables("post")
	if args == nil {
		args = x.variables("pre")
	}
	eot := x.bounds.EOT
	if _, ok := x.names["pre"]; ok {
		body := []string{atom(x.relation("pre", eot), args...), "not " + atom(x.relation("post", eot), args...)}
		if _, ok := x.names["post"]; !ok {
			body = body[:1]
		}
		if x.witnessed {
			body = append(body, atom("calm_"+x.relation("post", eot), args...))
		}
		x.rule("broken", body...)
	}
	if x.good {
		good := atom(x.relation("good", eot), x.variables("good")...)
		x.rule("broken", "calm_"+good, "not "+good)
	}
	if _, ok := x.names["violation"]; ok {
		for round := 1; round <= eot; round++ {
			x.rule("broken", atom(x.relation("violation", round), x.variables("violation")...))
		}
	}
}

// variables returns as many variables as a relation has columns.
func (x *translation) variables(relation string) []string {
	var names []string
	for _, r := range x.program.Relations() {
		for i := 0; r.Name == relation && i < r.Arity; i++ {
			names = append(names, fmt.Sprintf("A%d", i))
		}
	}
	return names
}

// process returns the term of a process.
func (x *translation) process(name string) string {
	return x.processes[slices.Index(x.bounds.Processes, name)]
}
