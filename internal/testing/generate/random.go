package generate

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Case is a random program.
type Case struct {
	Text    string
	Program *dedalus.Program
}

// attempts is how many programs Random makes for a seed until one is valid.
const attempts = 100

// Random returns the program of a seed: two or three processes, a few rounds,
// all kinds of rule, negation (sometimes around a cycle), aggregates, recursion
// within a round, @N, arithmetic and broadcasts, with its bounds as settings
// and a promise. There are seldom more than a few thousand scenarios within
// the bounds.
func Random(seed uint64) Case {
	for i := range uint64(attempts) {
		g := newGenerator(rand.New(rand.NewPCG(seed, i)))
		text := g.program()
		if p, err := dedalus.ParseText(fmt.Sprintf("random-%d.ded", seed), text); err == nil {
			return Case{Text: text, Program: p}
		}
	}
	return Case{Program: &dedalus.Program{}}
}

// relation is a relation with a letter for each column: P for a process, V for
// a string, I for an integer. Those at lower levels are, mostly, not defined
// by those at higher ones.
type relation struct {
	name    string
	columns string
	level   int
}

type generator struct {
	*rand.Rand
	processes []string
	quote     bool // processes are strings, not integers
	eot       int
	relations []relation
	lines     []string
}

func newGenerator(r *rand.Rand) *generator {
	g := &generator{Rand: r, quote: r.IntN(8) > 0, eot: 2 + r.IntN(3)}
	n := 2 + r.IntN(2)
	for i := range n {
		if g.quote {
			g.processes = append(g.processes, string(rune('a'+i)))
		} else {
			g.processes = append(g.processes, fmt.Sprint(i+1))
		}
	}
	return g
}

// chance is true in percent of the calls.
func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

func (g *generator) printf(format string, args ...any) {
	g.lines = append(g.lines, fmt.Sprintf(format, args...))
}

func (g *generator) program() string {
	g.lines = append(g.lines, g.settings())
	g.inputs()
	g.skeleton()
	derived := 2 + g.IntN(4)
	for i := range derived {
		columns := "P" + pick(g, []string{"", "P", "V", "V", "I", "I", "PV", "VI", "PI"})
		if g.chance(5) {
			columns = ""
		}
		g.relations = append(g.relations, relation{fmt.Sprintf("r%d", i), columns, 10 + i})
	}
	for _, r := range g.relations {
		if r.level < 10 {
			continue
		}
		for range 1 + g.IntN(2) + g.IntN(2) {
			g.rule(r, g.kind())
		}
		if g.chance(50) {
			g.persist(r)
		}
	}
	g.promise()
	g.chooses()
	return strings.Join(g.lines, "\n") + "\n"
}

// process returns a process as a program writes it.
func (g *generator) process() string { return g.literal(pick(g, g.processes)) }

func (g *generator) literal(process string) string {
	if g.quote {
		return `"` + process + `"`
	}
	return process
}

// constant returns a constant for a column.
func (g *generator) constant(column byte) string {
	switch column {
	case 'P':
		if g.chance(3) {
			return map[bool]string{true: `"z"`, false: "9"}[g.quote]
		}
		return g.process()
	case 'V':
		return pick(g, []string{`"x"`, `"y"`, `""`})
	default:
		return pick(g, []string{"0", "1", "2", "3", "-1"})
	}
}

// inputs states facts.
func (g *generator) inputs() {
	g.relations = []relation{{"node", "PP", 0}, {"in", "PV", 0}, {"num", "PI", 0}}
	self := g.chance(30)
	always := g.chance(15)
	for _, p := range g.processes {
		for _, q := range g.processes {
			for round := 1; (self || p != q) && (round == 1 || always && round <= g.eot); round++ {
				g.printf("node(%s, %s)@%d;", g.literal(p), g.literal(q), round)
			}
		}
	}
	if !always {
		g.printf("node(L, P)@next :- node(L, P);")
	}
	for range 1 + g.IntN(3) {
		g.printf("in(%s, %s)@%d;", g.process(), g.constant('V'), 1+g.IntN(2)*g.IntN(2))
	}
	for range 2 + g.IntN(3) {
		g.printf("num(%s, %s)@1;", g.process(), g.constant('I'))
	}
	for _, r := range g.relations[1:] {
		if g.chance(70) {
			g.persist(r)
		}
	}
	if g.chance(10) {
		g.printf("on()@%d;", 1+g.IntN(g.eot+1))
		g.relations = append(g.relations, relation{"on", "", 0})
	}
}

// persist adds the rule by which a relation keeps its facts.
func (g *generator) persist(r relation) {
	var vars []string
	for i := range r.columns {
		vars = append(vars, fmt.Sprintf("X%d", i))
	}
	atom := r.name + "(" + strings.Join(vars, ", ") + ")"
	if g.chance(15) && len(vars) > 0 {
		other := pick(g, g.relations)
		g.printf("%s@next :- %s, notin %s;", atom, atom, g.matching(other, r, vars))
		return
	}
	g.printf("%s@next :- %s;", atom, atom)
}

// matching returns an atom over the variables of another atom where their
// columns agree.
func (g *generator) matching(r, of relation, vars []string) string {
	args := make([]string, len(r.columns))
	for i := range args {
		args[i] = "_"
		for j := range vars {
			if of.columns[j] == r.columns[i] && g.chance(70) {
				args[i] = vars[j]
			}
		}
	}
	return r.name + "(" + strings.Join(args, ", ") + ")"
}

// skeleton adds some of the things that protocols do.
func (g *generator) skeleton() {
	add := func(r relation, rules ...string) {
		g.relations = append(g.relations, r)
		g.lines = append(g.lines, rules...)
	}
	if g.chance(60) {
		add(relation{"log", "PV", 1}, "log(L, V) :- in(L, V);", "log(L, V)@next :- log(L, V);")
		g.lines = append(g.lines, pick(g, []string{
			"log(M, V)@async :- in(L, V), node(L, M);",
			"log(M, V)@async :- log(L, V), node(L, M);",
			"log(M, V)@async :- log(L, V);",
			"log(M, V)@async :- log(L, V), node(L, M), notin ack(L, M, V);",
		}))
		add(relation{"ack", "PPV", 2}, pick(g, []string{
			"ack(M, L, V)@async :- log(L, V), node(L, M);",
			"ack(M, L, V)@async :- log(L, V), M != L;",
			"ack(L, M, V) :- log(L, V), log(M, V), node(L, M);",
		}))
	}
	if g.chance(25) {
		add(relation{"clock", "PI", 1}, fmt.Sprintf("clock(%s, 0)@1;", g.process()), "clock(L, T + 1)@next :- clock(L, T);")
	}
	if g.chance(20) {
		add(relation{"reach", "PP", 1}, "reach(L, M) :- node(L, M), num(L, _);", "reach(L, N) :- reach(L, M), reach(M, N);")
	}
	if g.chance(15) {
		add(relation{"lowest", "PI", 3}, "seen(L, X) :- num(L, X);", "seen(M, X)@async :- num(L, X), node(L, M);",
			"seen(L, X)@next :- seen(L, X);", "lowest(L, "+pick(g, []string{"min", "max", "sum", "avg", "count"})+"<X>) :- seen(L, X);")
		g.relations = append(g.relations, relation{"seen", "PI", 2})
	}
	if g.chance(12) {
		add(relation{"win", "PP", 3}, "log(L, V) :- in(L, V);", pick(g, []string{
			"win(L, M) :- node(L, M), log(L, _), notin win(M, L);",
			"win(L, M) :- node(L, M), num(L, X), num(M, Y), X < Y, notin win(M, _);",
			"win(L, M) :- node(L, M), L < M, log(M, _), notin win(M, _);",
		}))
	}
}

func (g *generator) kind() syntax.Kind {
	return pick(g, []syntax.Kind{syntax.Deductive, syntax.Deductive, syntax.Deductive, syntax.Next, syntax.Async, syntax.Async})
}
