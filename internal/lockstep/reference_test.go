package lockstep_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// This file is a second executor, as plain as it can be: nested loops over the
// syntax tree, sets as maps, everything computed again until nothing changes. It
// shares nothing with the package but the parsed program.

// errBig says that an execution is too large for the reference.
var errBig = errors.New("too large for the reference")

// errUndefined says that some fact depends on its own absence.
var errUndefined = errors.New("undefined")

type node struct {
	relation string
	round    int
}

type row = []specs.Value

// set is a set of rows by node.
type set map[node]map[string]row

func key(r row) string {
	var b strings.Builder
	for _, v := range r {
		b.WriteString(v.String())
		b.WriteByte(0)
	}
	return b.String()
}

func (s set) add(n node, r row) bool {
	if s[n] == nil {
		s[n] = map[string]row{}
	}
	if _, ok := s[n][key(r)]; ok {
		return false
	}
	s[n][key(r)] = slices.Clone(r)
	return true
}

func (s set) size(nodes []node) int {
	size := 0
	for _, n := range nodes {
		size += len(s[n])
	}
	return size
}

type reference struct {
	p        *dedalus.Program
	b        rounds.Bounds
	s        rounds.Schedule
	values   map[specs.Value]string // of the processes
	names    []specs.Value
	facts    set // what certainly holds
	possible set
	all      bool          // no absence is certain
	inside   map[node]bool // the component
	rules    []refInstance
	sent     []recording.Message // the messages that faults of one of them count
	work     int
}

// refInstance is a rule in a round; with no rule, the state of a stopped
// process.
type refInstance struct {
	rule   *syntax.Rule
	round  int
	frozen string
	arity  int
	late   int // its messages arrive so many rounds after they are sent
}

func (x refInstance) head() node {
	switch {
	case x.rule == nil:
		return node{x.frozen, x.round + 1}
	case x.rule.Kind == syntax.Deductive:
		return node{x.rule.Head.Relation, x.round}
	default:
		return node{x.rule.Head.Relation, x.round + 1 + x.late}
	}
}

func (x refInstance) reads(t syntax.Term) node {
	if t.At != 0 {
		return node{t.Atom.Relation, t.At}
	}
	return node{t.Atom.Relation, x.round}
}

// body returns the nodes that an instance reads.
func (x refInstance) body() []node {
	if x.rule == nil {
		return []node{{x.frozen, x.round}}
	}
	var nodes []node
	for _, t := range x.rule.Body {
		if t.Atom != nil {
			nodes = append(nodes, x.reads(t))
		}
	}
	return nodes
}

func (x refInstance) aggregates() bool {
	return x.rule != nil && slices.ContainsFunc(x.rule.Head.Args, func(e syntax.Expr) bool {
		_, ok := e.(*syntax.Aggregate)
		return ok
	})
}

func newReference(p *dedalus.Program, b rounds.Bounds, s rounds.Schedule) *reference {
	r := &reference{p: p, b: b, s: s, values: map[specs.Value]string{}, facts: set{}}
	for _, name := range b.Processes {
		r.values[p.ProcessValue(name)] = name
		r.names = append(r.names, p.ProcessValue(name))
	}
	for _, f := range p.Facts {
		if f.Round <= b.EOT {
			round := f.Round
			if len(f.Args) > 0 {
				round = max(round, b.Joins[r.values[f.Args[0]]])
			}
			r.facts.add(node{f.Relation, round}, f.Args)
		}
	}
	for _, c := range p.Choices {
		chosenNaively(p, c, b, s, func(round int, args row) { r.facts.add(node{c.Relation, round}, args) })
	}
	for _, f := range s.Faults {
		for round := 1; f.Kind == rounds.Crash && round <= b.EOT; round++ {
			for _, o := range r.names {
				r.facts.add(node{"crash", round}, row{o, p.ProcessValue(f.Process), specs.Int(int64(f.Round))})
			}
		}
	}
	for _, f := range s.Faults {
		if f.Kind == rounds.Restart && slices.ContainsFunc(p.Relations(), func(r dedalus.Relation) bool { return r.Name == "booted" }) {
			r.facts.add(node{"booted", f.Round}, row{p.ProcessValue(f.Process)})
		}
	}
	stateful := map[string]int{}
	for round := 1; round <= b.EOT; round++ {
		for _, rule := range p.Rules {
			r.rules = append(r.rules, refInstance{rule: rule, round: round})
			for _, f := range s.Faults {
				if late := (refInstance{rule: rule, round: round, late: f.By}); f.Round == round && rule.Kind == syntax.Async && (f.Kind == rounds.Delay || f.Kind == rounds.Duplicate) {
					r.rules = append(r.rules, late)
				}
			}
			if rule.Kind != syntax.Deductive && len(rule.Head.Args) > 0 {
				stateful[rule.Head.Relation] = len(rule.Head.Args)
			}
		}
	}
	for relation, arity := range stateful {
		for round := 1; round < b.EOT && b.CrashStop; round++ {
			r.rules = append(r.rules, refInstance{frozen: relation, arity: arity, round: round})
		}
	}
	return r
}

// run evaluates component by component.
func (r *reference) run() error {
	var nodes []node
	for _, x := range r.rules {
		for _, n := range append(x.body(), x.head()) {
			if !slices.Contains(nodes, n) && n.round <= r.b.EOT {
				nodes = append(nodes, n)
			}
		}
	}
	reads := map[node][]node{}
	for _, x := range r.rules {
		reads[x.head()] = append(reads[x.head()], x.body()...)
	}
	reach := map[node]map[node]bool{}
	for _, n := range nodes {
		reach[n] = below(n, reads)
	}
	done := map[node]bool{}
	for len(done) < len(nodes) {
		for _, n := range nodes {
			if done[n] {
				continue
			}
			component := []node{n}
			ready := true
			for m := range reach[n] {
				switch {
				case m != n && reach[m][n]:
					component = append(component, m)
				case m != n && !done[m] && m.round <= r.b.EOT:
					ready = false
				}
			}
			if !ready {
				continue
			}
			for _, m := range component {
				done[m] = true
			}
			if err := r.component(component, reach[n][n]); err != nil {
				return err
			}
		}
	}
	return nil
}

// below returns the nodes that a node depends on.
func below(n node, reads map[node][]node) map[node]bool {
	found := map[node]bool{}
	todo := []node{n}
	for len(todo) > 0 {
		n, todo = todo[0], todo[1:]
		for _, m := range reads[n] {
			if !found[m] {
				found[m] = true
				todo = append(todo, m)
			}
		}
	}
	return found
}

// component narrows what is certain and what is possible until they are the
// same or stay.
func (r *reference) component(nodes []node, recursive bool) error {
	r.inside = map[node]bool{}
	for _, n := range nodes {
		r.inside[n] = true
	}
	open := -1
	for r.all, r.possible = true, nil; ; {
		before := r.facts.size(nodes)
		if err := r.close(r.facts, false); err != nil {
			return err
		}
		if !r.all && r.facts.size(nodes) == before && r.possible.size(nodes) == open {
			break
		}
		if !recursive {
			return nil
		}
		if !r.all {
			open = r.possible.size(nodes)
		}
		possible := set{}
		for n, rows := range r.facts {
			for _, f := range rows {
				possible.add(n, f)
			}
		}
		if err := r.close(possible, true); err != nil {
			return err
		}
		r.all, r.possible = false, possible
	}
	if r.facts.size(nodes) != r.possible.size(nodes) {
		return errUndefined
	}
	return nil
}

// close adds to a set what follows for the component: of the certain facts, or
// of the possible ones.
func (r *reference) close(into set, possibly bool) error {
	for turn := 0; ; turn++ {
		grown := false
		for _, x := range r.rules {
			if !r.inside[x.head()] || x.head().round > r.b.EOT {
				continue
			}
			heads, err := r.heads(x, into, possibly)
			if err != nil {
				return err
			}
			for _, h := range heads {
				grown = into.add(x.head(), h) || grown
			}
			if r.work > 3_000_000 {
				return errBig
			}
		}
		if !grown {
			return nil
		}
		if turn > 150 {
			return errBig
		}
	}
}

// heads returns the rows that an instance gives.
func (r *reference) heads(x refInstance, into set, possibly bool) ([]row, error) {
	if !x.aggregates() && possibly {
		return r.arriving(x, r.fire(x, into, r.facts, false)), nil
	}
	sure := r.fire(x, r.facts, r.possible, r.all)
	if !x.aggregates() {
		return r.arriving(x, sure), nil
	}
	open := sure
	if possibly {
		open = r.fire(x, into, r.facts, false)
	}
	loops := slices.ContainsFunc(x.body(), func(n node) bool { return r.inside[n] })
	if !possibly && loops {
		if r.all {
			return nil, nil
		}
		open = r.fire(x, r.possible, r.facts, false)
	}
	folded, err := fold(x, sure, open, possibly)
	return r.arriving(x, folded), err
}

// arriving returns the rows of the firings that are not lost.
func (r *reference) arriving(x refInstance, firings []firing) []row {
	var rows []row
	for _, f := range firings {
		if r.forgotten(x, f.head) {
			continue
		}
		if x.rule == nil || x.rule.Kind != syntax.Async || r.arrives(x.rule.Head.Relation, f.sender, f.head, x.round, x.late) {
			rows = append(rows, f.head)
		}
	}
	return rows
}

// arrives tells whether a message arrives so many rounds after it was sent, as
// docs/faults.md says it.
func (r *reference) arrives(relation, from string, head row, round, late int) bool {
	receiver, ok := r.values[head[0]]
	if !ok {
		return false
	}
	if round < r.b.Joins[receiver] || round < r.b.Joins[from] || !r.comes(relation, from, receiver, head, round, late) {
		return false
	}
	for _, f := range r.s.Faults {
		hit := false
		if !r.hits(f, relation, from, receiver, head, round) {
			continue
		}
		switch f.Kind {
		case rounds.Crash:
			hit = r.down(f, round) && f.Process == from && from != receiver || r.down(f, round+late) && f.Process == receiver && r.b.CrashStop
		case rounds.Omit:
			hit = f.Round == round && f.Process == from && f.To == receiver
		case rounds.Isolate:
			hit = f.Round <= round && round <= max(f.Round, f.Until) && from != receiver && from != "" &&
				(f.Process == from || f.Process == receiver) && !oracle.Spares(r.b, from, receiver)
			hit = hit || r.b.OwnLost && f.Process == from && from == receiver && f.Round <= round && round <= max(f.Round, f.Until)
		case rounds.Cut:
			hit = f.Round <= round && round <= max(f.Round, f.Until) && f.Process == from && f.To == receiver
		case rounds.Partition:
			side := strings.Split(strings.TrimSuffix(f.Detail, "|*"), ",") // as the universe writes it
			hit = f.Round <= round && round <= max(f.Round, f.Until) && from != "" &&
				slices.Contains(side, from) != slices.Contains(side, receiver) && !oracle.Spares(r.b, from, receiver)
		}
		if hit {
			return false
		}
	}
	return true
}

// comes tells whether the faults let a message arrive so many rounds later, if
// nothing loses it.
func (r *reference) comes(relation, from, to string, head row, round, late int) bool {
	comes := late == 0
	for _, f := range r.s.Faults {
		if f.Process != from || f.To != to || f.Round != round || !r.hits(f, relation, from, to, head, round) {
			continue
		}
		if f.Kind == rounds.Delay {
			comes = f.By == late
		}
	}
	for _, f := range r.s.Faults {
		comes = comes || f.Kind == rounds.Duplicate && f.Process == from && f.To == to && f.Round == round && f.By == late && r.hits(f, relation, from, to, head, round)
	}
	return comes
}

// hits tells whether a fault of messages hits one: any, those of a relation, or the n-th of these
// by their arguments.
func (r *reference) hits(f rounds.Fault, relation, from, to string, head row, round int) bool {
	if f.Of != "" && f.Of != relation {
		return false
	}
	var before []string
	for _, m := range r.sent {
		if m.From == from && m.To == to && m.Relation == relation && m.Round == round && slices.CompareFunc(m.Args, head, specs.Value.Compare) <= 0 {
			before = append(before, key(m.Args))
		}
	}
	slices.Sort(before)
	return f.Nth == 0 || len(slices.Compact(before)) == f.Nth
}

// stopped tells whether a process has stopped by a round.
func (r *reference) stopped(process string, round int) bool {
	return r.b.CrashStop && slices.ContainsFunc(r.s.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Crash && f.Process == process && r.down(f, round)
	})
}

// down tells whether a crash has struck by a round, with no restart from then on.
func (r *reference) down(crash rounds.Fault, round int) bool {
	return crash.Round <= round && !slices.ContainsFunc(r.s.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Restart && f.Process == crash.Process && crash.Round <= f.Round && f.Round <= round
	})
}

// forgotten tells whether a process restarts in the round of a head that it does not
// keep, and that is there by what was before.
func (r *reference) forgotten(x refInstance, head row) bool {
	n := x.head()
	if n.round == x.round || slices.Contains(r.b.Durable, n.relation) {
		return false
	}
	process, ok := "", false
	if len(head) > 0 {
		process, ok = r.values[head[0]]
	}
	return ok && slices.Contains(r.s.Faults, rounds.Fault{Kind: rounds.Restart, Process: process, Round: n.round})
}

// texts returns all facts as texts; those of crash only if the program reads it.
func (r *reference) texts() []string {
	crash := slices.ContainsFunc(r.p.Relations(), func(r dedalus.Relation) bool { return r.Name == "crash" })
	var facts []recording.Fact
	for n, rows := range r.facts {
		for _, args := range rows {
			facts = append(facts, recording.Fact{Relation: n.relation, Args: args, Round: n.round})
		}
	}
	return factTexts(facts, crash)
}

// messages returns what is sent, as text.
func (r *reference) messages() ([]string, error) {
	r.all, r.possible, r.inside = false, r.facts, nil
	var sent []string
	for _, x := range r.rules {
		if x.rule == nil || x.rule.Kind != syntax.Async || x.late > 0 {
			continue
		}
		firings := r.fire(x, r.facts, r.facts, false)
		if x.aggregates() {
			var err error
			if firings, err = fold(x, firings, firings, false); err != nil {
				return nil, err
			}
		}
		for _, f := range firings {
			if to, ok := r.values[f.head[0]]; ok && x.round >= r.b.Joins[to] {
				text := func(at int) string {
					return messageText(x.round, f.sender, to, x.rule.Head.Relation, f.head, at)
				}
				first, delayed := 0, slices.IndexFunc(r.s.Faults, func(g rounds.Fault) bool {
					return g.Kind == rounds.Delay && g.Process == f.sender && g.To == to && g.Round == x.round && r.hits(g, x.rule.Head.Relation, f.sender, to, f.head, x.round)
				})
				if delayed >= 0 {
					first = r.s.Faults[delayed].By
				}
				arrived := r.arrives(x.rule.Head.Relation, f.sender, f.head, x.round, first)
				if sent = append(sent, text(-1)); arrived {
					sent[len(sent)-1] = text(x.round + first)
				}
				for _, g := range r.s.Faults {
					if g.Kind != rounds.Duplicate || g.Process != f.sender || g.To != to || g.Round != x.round || !r.hits(g, x.rule.Head.Relation, f.sender, to, f.head, x.round) {
						continue
					}
					if again := r.arrives(x.rule.Head.Relation, f.sender, f.head, x.round, g.By); again {
						sent = append(sent, "again "+text(x.round+g.By))
					} else if arrived {
						sent = append(sent, "again "+text(-1))
					}
				}
			}
		}
	}
	slices.Sort(sent)
	return slices.Compact(sent), nil
}

// messageText has when a message arrives, -1 if it is lost.
func messageText(round int, from, to, relation string, args row, arrival int) string {
	return fmt.Sprintf("%d %s>%s %s arrives=%v", round, from, to, recording.Fact{Relation: relation, Args: args, Round: round}, arrival)
}
