package oracle

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// execution writes what happens under a schedule, or without faults.
func (x *translation) execution() {
	x.facts()
	x.choices()
	for _, r := range x.rules() {
		for round := 1; round <= x.bounds.EOT; round++ {
			x.derive(r, round, false)
			if x.double(node{r.Head.Relation, x.arrival(r, round)}) {
				x.derive(r, round, true)
			}
		}
	}
	for _, name := range x.stateful() {
		for round := 1; round < x.bounds.EOT && x.stops(); round++ {
			x.freeze(name, round)
		}
	}
}

// facts writes what the program states, and what the schedule says of crashes.
func (x *translation) facts() {
	for _, f := range x.program.Facts {
		if _, ok := x.names[f.Relation]; !ok {
			continue
		}
		round := f.Round
		if len(f.Args) > 0 {
			for i, name := range x.bounds.Processes {
				if x.processes[i] == term(f.Args[0]) {
					round = max(round, x.bounds.Joins[name])
				}
			}
		}
		x.fact(f.Relation, f.Args, round)
	}
	_, reads := x.names[syntax.Booted]
	for round := 1; round <= x.bounds.EOT && reads && x.restarts() && !x.calm; round++ {
		x.given(atom(x.relation(syntax.Booted, round), "P"), node{syntax.Booted, round}, fmt.Sprintf("restart_%d(P)", round))
	}
}

// fact writes a fact under some condition.
func (x *translation) fact(relation string, args []specs.Value, round int, when ...string) {
	if round > x.bounds.EOT {
		return
	}
	var terms []string
	for _, v := range args {
		terms = append(terms, term(v))
	}
	x.given(atom(x.relation(relation, round), terms...), node{relation, round}, when...)
}

// given writes a head that depends on nothing which has a twin.
func (x *translation) given(head string, n node, body ...string) {
	x.rule(head, body...)
	if x.double(n) {
		x.rule(possible+head, body...)
	}
}

// arrival is the round in which the head of a rule holds at the earliest.
func (x *translation) arrival(r *syntax.Rule, round int) int {
	if r.Kind == syntax.Deductive {
		return round
	}
	return round + 1
}

// derive writes a rule in a round; possibly: for the twin of its head.
func (x *translation) derive(r *syntax.Rule, round int, possibly bool) {
	if x.arrival(r, round) > x.bounds.EOT {
		return
	}
	b := x.body(r, round, possibly)
	args, body := b.head()
	switch {
	case r.Kind == syntax.Async:
		x.send(b, args, body)
	case r.Kind == syntax.Next:
		body = append(body, x.kept(r.Head.Relation, args, round+1)...)
		x.rule(b.twin(atom(x.relation(r.Head.Relation, round+1), args...)), body...)
	default:
		x.rule(b.twin(atom(x.relation(r.Head.Relation, round), args...)), body...)
	}
}

// send writes a message, and when it arrives.
func (x *translation) send(b *body, args, when []string) {
	name := x.auxiliary()
	x.rule(atom(name, append([]string{b.sender}, args...)...), when...)
	for i := range args {
		args[i] = fmt.Sprintf("A%d", i)
	}
	sent := atom(name, append([]string{"S"}, args...)...)
	relation := b.rule.Head.Relation
	arrives := func(late int, how string) {
		at := b.round + 1 + late
		body := append([]string{sent, how}, x.kept(relation, args, at)...)
		x.rule(b.twin(atom(x.relation(relation, at), args...)), body...)
	}
	arrives(0, fmt.Sprintf("%s(S,A0)", x.copied(fmt.Sprintf("%s_%d", x.of("arrives", relation), b.round))))
	for late := 1; late <= x.latest(b.round) && b.round+1+late <= x.bounds.EOT; late++ {
		arrives(late, fmt.Sprintf("%s_%d_%d(S,A0)", x.of("late", relation), b.round, late))
	}
}

// latest is by how many rounds messages of a round come late at most.
func (x *translation) latest(round int) int {
	if x.calm || round > x.bounds.LastLoss() || x.bounds.Delays == 0 && x.bounds.Duplicates == 0 {
		return 0
	}
	return min(x.bounds.MaxDelay, x.bounds.EOT-round)
}

// kept says that what a process has in a round is not lost by its restart.
func (x *translation) kept(relation string, args []string, round int) []string {
	if len(args) == 0 || x.calm || !x.restarts() || slices.Contains(x.bounds.Durable, relation) {
		return nil
	}
	return []string{fmt.Sprintf("not restart_%d(%s)", round, args[0])}
}

// stateful are the relations that some @next or @async rule gives.
func (x *translation) stateful() (names []string) {
	for _, r := range x.rules() {
		if r.Kind != syntax.Deductive && len(r.Head.Args) > 0 && !slices.Contains(names, r.Head.Relation) {
			names = append(names, r.Head.Relation)
		}
	}
	return names
}

// freeze keeps the state of those who stand still.
func (x *translation) freeze(name string, round int) {
	args := x.variables(name)
	body := append([]string{atom(x.relation(name, round), args...), fmt.Sprintf("down_%d(A0)", round)}, x.kept(name, args, round+1)...)
	head := atom(x.relation(name, round+1), args...)
	x.rule(head, body...)
	if x.double(node{name, round + 1}) {
		if x.double(node{name, round}) {
			body[0] = possible + body[0]
		}
		x.rule(possible+head, body...)
	}
}

// restarts and stops tell whether processes come back, and whether they stand still.
func (x *translation) restarts() bool { return x.bounds.Crashes != 0 && x.bounds.Restarts != 0 }

func (x *translation) stops() bool {
	return x.bounds.Crashes != 0 && x.bounds.CrashStop && !x.calm
}

// choices writes the facts that the environment picks from.
func (x *translation) choices() {
	for _, g := range x.groups() {
		var others []string
		for i, a := range g.facts {
			if i == 0 && g.mode == syntax.One {
				continue
			}
			n := slices.Index(x.units, a.fault())
			if n < 0 {
				continue
			}
			on := fmt.Sprintf("on(%d)", n)
			others = append(others, "not "+on)
			x.pick(a, on)
		}
		if g.mode == syntax.One {
			x.pick(g.facts[0], others...)
		}
	}
}

func (x *translation) pick(a alternative, when ...string) {
	if _, ok := x.names[a.relation]; ok {
		x.fact(a.relation, a.args, a.round, when...)
	}
}

// alternative is a fact that can be chosen.
type alternative struct {
	relation string
	args     []specs.Value
	round    int
}

// fault is the alternative as schedules have it.
func (a alternative) fault() rounds.Fault {
	return rounds.Fault{Kind: rounds.Choose, Detail: syntax.FactText(a.relation, a.args), Round: a.round}
}

// group is the alternatives of one choice.
type group struct {
	mode  string
	facts []alternative
}

// groups returns the choices, as docs/language.md says what statements mean.
func (x *translation) groups() (all []*group) {
	for _, c := range x.program.Choices {
		byKey := map[string]*group{}
		var ordered []*group
		for round := 1; round <= x.bounds.EOT; round++ {
			if !inRounds(c, round) {
				continue
			}
			for _, args := range x.product(c.Columns) {
				key := ""
				if c.Separate() {
					key = fmt.Sprint(round)
				}
				for i, o := range c.Columns {
					if o.Word == syntax.Each {
						key += " " + term(args[i])
					}
				}
				if byKey[key] == nil {
					byKey[key] = &group{mode: c.Mode}
					ordered = append(ordered, byKey[key])
				}
				byKey[key].facts = append(byKey[key].facts, alternative{c.Relation, args, round})
			}
		}
		all = append(all, ordered...)
	}
	return all
}

func inRounds(c *syntax.Choose, round int) bool {
	return c.Rounds.Word != "" || slices.ContainsFunc(c.Rounds.Ranges, func(r syntax.Range) bool {
		first, last := r.Rounds()
		return first <= round && round <= last
	})
}

// product returns the rows of all combinations, the last column changing fastest.
func (x *translation) product(columns []syntax.Options) [][]specs.Value {
	rows := [][]specs.Value{nil}
	for _, o := range columns {
		var longer [][]specs.Value
		for _, row := range rows {
			for _, v := range x.values(o) {
				longer = append(longer, append(slices.Clone(row), v))
			}
		}
		rows = longer
	}
	return rows
}

func (x *translation) values(o syntax.Options) (values []specs.Value) {
	for _, name := range x.bounds.Processes {
		if o.Word != "" {
			values = append(values, x.program.ProcessValue(name))
		}
	}
	for _, r := range o.Ranges {
		if !r.First.IsInt() {
			values = append(values, r.First)
			continue
		}
		for n := r.First.Int(); n <= r.Last.Int(); n++ {
			values = append(values, specs.Int(n))
		}
	}
	return values
}
