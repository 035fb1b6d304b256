package strategies

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/lineage-driven/ldfi/specs/property"
)

// tableRules are the rules that every table of transitions has as a program. A round of the
// system is a round of the program, except for its end, which is in the next round. For a
// process, at is the state before a round, and was the state after it; in is the list that
// arrives from a process, by its index, and nothing is 0. The steps of a process are stated
// for their rounds: sends, and step with the messages that arrive, the next state and the
// facts that it reports, a set.
const tableRules = `
was(P, S)@next :- at(P, S);
in(Q, I, X)@async :- at(P, S), sends(P, S, Q, I, X);
got(Q, I) :- in(Q, I, _);
inbox(Q, I, X) :- in(Q, I, X);
inbox(Q, I, 0) :- was(Q, _), peer(Q, I), notin got(Q, I);
moves(Q, S, N, F) :- was(Q, S), %[1]s, step(Q, S, %[2]s, N, F), notin down(Q);
at(Q, N) :- moves(Q, _, N, _);
moved(Q, S) :- moves(Q, S, _, _);
down(Q) :- crash(Q, Q, T), round(Q, R), T < R;
crashed(Q) :- crash(Q, Q, T), round(Q, T);
seen(Q, K) :- moves(Q, _, _, F), element(F, K);
seen(Q, K)@next :- seen(Q, K);
unknown(Q, S) :- was(Q, S), notin moved(Q, S), notin down(Q);
unknown(Q, S) :- at(Q, S), new(Q, S), notin down(Q), notin crashed(Q);
`

// program returns the known steps of the processes as a Dedalus program. The program
// derives a fact of the table's relation unknown where an unknown step happens, and in its
// last round a fact of violated for each property that is violated. It has one more round
// than the system. The error says that a property has no such program.
func (t *table) program(s *search.Session) (*dedalus.Program, error) {
	b := programmer{table: t, session: s}
	if err := b.rules(); err != nil {
		return nil, err
	}
	b.start()
	b.rows()
	b.steps()
	for i, p := range s.Properties {
		if err := b.property(i, p); err != nil {
			return nil, err
		}
	}
	for i, r := range b.out.Rules {
		r.Index = i
	}
	return b.out, nil
}

// programmer writes a table as a program.
type programmer struct {
	*table
	session *search.Session
	out     *dedalus.Program
}

// own is the name of a relation of the table, which no property can have. That of
// crashes is built in.
func own(relation string) string {
	if relation == "crash" {
		return relation
	}
	return "table?" + relation
}

func (b *programmer) rules() error {
	var inboxes, payloads []string
	for i := range b.processes {
		inboxes = append(inboxes, fmt.Sprintf("inbox(Q, %d, X%d)", i, i))
		payloads = append(payloads, fmt.Sprintf("X%d", i))
	}
	text := fmt.Sprintf(tableRules, strings.Join(inboxes, ", "), strings.Join(payloads, ", "))
	p, err := dedalus.ParseText("table", text)
	if err != nil {
		return err
	}
	for i, r := range p.Rules {
		p.Rules[i] = renamed(r, own)
	}
	b.out = p
	return nil
}

// renamed returns a rule about relations of other names.
func renamed(r *syntax.Rule, name func(string) string) *syntax.Rule {
	return r.Rewritten(name, func(v specs.Value) specs.Value { return v })
}

// fact states a fact of the table.
func (b *programmer) fact(round int, relation string, args ...any) {
	f := &syntax.Fact{Relation: own(relation), Round: round}
	for _, a := range args {
		switch a := a.(type) {
		case string:
			f.Args = append(f.Args, specs.String(a))
		case int32:
			f.Args = append(f.Args, specs.Int(int64(a)))
		}
	}
	b.out.Facts = append(b.out.Facts, f)
}

// start states the states before the first round, and the facts of every round.
func (b *programmer) start() {
	for i, p := range b.processes {
		b.fact(1, "at", p, b.starts[i])
		for round := 1; round <= b.session.Bounds.EOT+1; round++ {
			b.fact(round, "round", p, int32(round))
			for j := range b.processes {
				b.fact(round, "peer", p, int32(j))
			}
		}
	}
}

// rows states the messages sent, and the states that are known only as successors of
// others.
func (b *programmer) rows() {
	reached := map[[3]int32]bool{}
	for what, step := range b.transitions {
		of := unpack(what)
		if int(of[1]) < b.session.Bounds.EOT {
			reached[[3]int32{of[0], of[1] + 1, step.next}] = true
		}
	}
	sends := map[[3]int32]*row{}
	for k, r := range b.table.rows {
		sends[[3]int32{k.process, k.round, k.state}] = r
	}
	for _, k := range slices.SortedFunc(maps.Keys(sends), compareRows) {
		delete(reached, k)
		for to, payload := range sends[k].sending.to {
			if payload != 0 {
				b.fact(int(k[1]), "sends", b.processes[k[0]], k[2], b.processes[to], k[0], payload)
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(reached), compareRows) {
		b.fact(int(k[1]), "new", b.processes[k[0]], k[2])
	}
}

func compareRows(a, b [3]int32) int { return slices.Compare(a[:], b[:]) }

// steps states how processes end rounds, and the facts that they report then.
func (b *programmer) steps() {
	elements := map[[2]int32]bool{} // round and set
	for _, what := range slices.Sorted(maps.Keys(b.transitions)) {
		of, step := unpack(what), b.transitions[what]
		round := int(of[1]) + 1
		args := []any{b.processes[of[0]]}
		for _, n := range of[2:] {
			args = append(args, n)
		}
		b.fact(round, "step", append(args, step.next, step.facts)...)
		if k := [2]int32{of[1], step.facts}; !elements[k] {
			elements[k] = true
			for _, f := range b.histories.lists[step.facts] {
				b.fact(round, "element", step.facts, f)
			}
		}
	}
}

// unpack returns the numbers of a key.
func unpack(key string) []int32 {
	numbers := make([]int32, len(key)/4)
	for i := range numbers {
		numbers[i] = int32(binary.LittleEndian.Uint32([]byte(key[4*i:])))
	}
	return numbers
}

// property adds the rules of a property, which fire in the last round, over the
// facts that processes have reported until then.
func (b *programmer) property(number int, p property.Property) error {
	if p.Func != nil {
		return fmt.Errorf("the property %s is a function", p.Name)
	}
	c, err := property.Compile(p)
	if err != nil {
		return err
	}
	rules := c.Rules()
	if rules.Program == nil {
		return rules.NoProgram
	}
	name := func(relation string) string { return fmt.Sprintf("%d?%s", number, relation) }
	for _, r := range rules.Program.Rules {
		b.out.Rules = append(b.out.Rules, renamed(r, name))
	}
	for _, f := range rules.Program.Facts {
		b.out.Facts = append(b.out.Facts, &syntax.Fact{Relation: name(f.Relation), Args: f.Args, Round: b.session.Bounds.EOT + 1})
	}
	if err := b.reports(rules, name); err != nil {
		return err
	}
	b.promise(p.Name, name, rules.Derives)
	return nil
}

// reports adds the facts that the rules of a property read.
func (b *programmer) reports(rules *datalog.Evaluator, name func(string) string) error {
	last := b.session.Bounds.EOT + 1
	e := &recording.Execution{System: b.session.Name, Bounds: b.session.Bounds}
	always, err := rules.Clone().Table(e)
	if err != nil {
		return err
	}
	for _, f := range always {
		b.out.Facts = append(b.out.Facts, &syntax.Fact{Relation: name(f.Relation), Args: f.Args, Round: last})
	}
	arities := map[string]bool{}
	for k, f := range b.histories.facts {
		e.Facts = []recording.Fact{f}
		loaded, err := rules.Table(e)
		if err != nil {
			return err
		}
		for _, f := range loaded {
			if slices.ContainsFunc(always, func(a recording.Fact) bool { return a.Compare(f) == 0 }) {
				continue
			}
			row := fmt.Sprintf("%s/%d", name(f.Relation), len(f.Args))
			if !arities[row] {
				arities[row] = true
				b.read(name(f.Relation), row, len(f.Args))
			}
			b.out.Facts = append(b.out.Facts, &syntax.Fact{Relation: row, Args: append([]specs.Value{specs.Int(int64(k))}, f.Args...), Round: last})
		}
	}
	return nil
}

// read adds the rule relation(X...) :- seen(_, K), row(K, X...).
func (b *programmer) read(relation, row string, columns int) {
	k := &syntax.Variable{Name: "K"}
	head := syntax.Atom{Relation: relation}
	source := &syntax.Atom{Relation: row, Args: []syntax.Expr{k}}
	for i := range columns {
		x := &syntax.Variable{Name: fmt.Sprintf("X%d", i)}
		head.Args, source.Args = append(head.Args, x), append(source.Args, x)
	}
	seen := &syntax.Atom{Relation: own("seen"), Args: []syntax.Expr{&syntax.Wildcard{}, k}}
	b.out.Rules = append(b.out.Rules, &syntax.Rule{Head: head, Body: []syntax.Term{{Atom: seen}, {Atom: source}}})
}

// promise adds that the property is violated if its rules say so.
func (b *programmer) promise(property string, name func(string) string, columns map[string]int) {
	atom := func(relation string, arg func(i int) syntax.Expr) *syntax.Atom {
		a := &syntax.Atom{Relation: name(relation)}
		for i := range columns[relation] {
			a.Args = append(a.Args, arg(i))
		}
		return a
	}
	wildcard := func(int) syntax.Expr { return &syntax.Wildcard{} }
	variable := func(i int) syntax.Expr { return &syntax.Variable{Name: fmt.Sprintf("X%d", i)} }
	violated := func(body ...syntax.Term) {
		head := syntax.Atom{Relation: own("violated"), Args: []syntax.Expr{&syntax.Constant{Value: specs.String(property)}}}
		b.out.Rules = append(b.out.Rules, &syntax.Rule{Head: head, Body: body})
	}
	if _, ok := columns["violation"]; ok {
		violated(syntax.Term{Atom: atom("violation", wildcard)})
	}
	if _, ok := columns["pre"]; ok {
		violated(syntax.Term{Atom: atom("pre", variable)}, syntax.Term{Negated: true, Atom: atom("post", variable)})
	}
}
