package provenance_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestStepFromAnyState compares steps with the executor from random states, whether they are ever reached or not:
// the program without what it gives has the facts of the state in a late round, and what was before is
// faults of earlier rounds. A random number of faults come in the round.
func TestStepFromAnyState(t *testing.T) {
	var pairs atomic.Int64
	campaign.Run(t, 400, func(ctx context.Context, c oracle.Case) (string, error) { return pairsAgree(ctx, c, &pairs) })
	t.Logf("%d pairs of a state and faults", pairs.Load())
}

func TestStepFromAnyStateOfProtocols(t *testing.T) {
	var pairs atomic.Int64
	outcomes := map[string]int{}
	for _, c := range oracle.Quick(t) {
		t.Run(c.Name, func(t *testing.T) {
			outcome, err := pairsAgree(t.Context(), c, &pairs)
			require.NoError(t, err)
			outcomes[outcome]++
		})
	}
	t.Logf("%d pairs of a state and faults: %v", pairs.Load(), outcomes)
}

// theRound is a relation that has a fact in the round of a pair.
const theRound = "the round"

// lanes is how many pairs are evaluated at once.
const lanes = 64

// pairsAgree compares pairs of a state and faults, which it counts: some by default, and 25 times as many with -all
// and -long.
func pairsAgree(ctx context.Context, c oracle.Case, count *atomic.Int64) (string, error) {
	step, outcome, err := stepOf(ctx, &c)
	if step == nil {
		return outcome, err
	}
	for _, r := range c.Program.Rules {
		if !slices.ContainsFunc(r.Body, func(t syntax.Term) bool { return t.Atom != nil && !t.Negated }) {
			return "has rules that fire without facts", nil
		}
	}
	if slices.ContainsFunc(c.Program.Choices, func(c *syntax.Choose) bool { return !c.Separate() }) {
		return "has choices of a round", nil
	}
	if _, _, ok := provenance.Epochs(c.Program, c.Bounds); ok {
		return "tells rounds of crashes apart", nil
	}
	w := newPairs(step, c)
	compared, times := 0, 1
	if campaign.Programs(4) > 1 {
		times = 25
	}
	for range times {
		n, err := w.compare(ctx)
		if err != nil {
			return "", err
		}
		compared += n
	}
	count.Add(int64(compared))
	if compared == 0 {
		return "no pair is a step", nil
	}
	return agreed, nil
}

// pairs makes pairs of a state and faults.
type pairs struct {
	oracle.Case
	step    *provenance.Step
	random  *rand.Rand
	words   *solver.Words
	bits    map[string]int // the state bits by name
	facts   []*provenance.Fact
	foresee map[string]bool
	last    int // the last round that has a name
}

// pair is a state and faults.
type pair struct {
	on      []bool // by state bit
	round   int    // the name of the round, one more than the last if it has none
	place   int    // in its phase, from 1
	down    []string
	back    []string
	crashed []string // before, and not down
	lasting []rounds.Fault
	faults  []rounds.Fault // round 1: of the round; 2: restarts, and crashes that they undo, of the next
	absent  []string       // have not joined
	now     int            // the round of the execution
	chosen  []rounds.Fault // facts
}

func newPairs(s *provenance.Step, c oracle.Case) *pairs {
	w := &pairs{Case: c, step: s, random: rand.New(rand.NewPCG(c.Seed, 11)), bits: map[string]int{}, foresee: map[string]bool{"crash": true}, last: 1}
	for i, b := range s.State {
		w.bits[b.String()] = i
		var round int
		if n, _ := fmt.Sscanf(b.Name, "round %d is", &round); n == 1 && !strings.Contains(b.Name, "phase") {
			w.last = max(w.last, round)
		}
	}
	roots := append(slices.Clone(s.Next), s.Valid, s.Overflow, s.Undefined)
	for _, r := range s.Graph.Relations() {
		if strings.ContainsAny(r, "@+ ") || r == syntax.Crash {
			continue
		}
		for _, f := range s.Graph.Facts(r, 1) {
			w.facts, roots = append(w.facts, f), append(roots, f.Cond())
		}
	}
	for range c.Program.Rules {
		for _, r := range c.Program.Rules {
			for _, t := range r.Body {
				w.foresee[r.Head.Relation] = w.foresee[r.Head.Relation] || t.Atom != nil && w.foresee[t.Atom.Relation]
			}
		}
	}
	w.words = solver.NewWords(s.Graph.Circuit, roots...)
	return w
}

// chance is true one time in n.
func (w *pairs) chance(n int) bool { return w.random.IntN(n) == 0 }

// compare makes pairs, and compares their steps with executions. It returns how many of them
// are steps.
func (w *pairs) compare(ctx context.Context) (compared int, err error) {
	inputs := make([]uint64, w.step.Graph.Circuit.Inputs())
	all := make([]*pair, lanes)
	for lane := range all {
		set := func(l solver.Lit) {
			_, _, _, number := w.step.Graph.Circuit.Node(l)
			inputs[number] |= 1 << lane
		}
		p := w.pair()
		for i, on := range p.on {
			if on {
				set(w.step.State[i].Lit)
			}
		}
		for _, f := range slices.Concat(p.faults, p.chosen) {
			if l, ok := w.step.Unit(f); ok {
				set(l)
			} else if f.Round = 1; true {
				l, ok = w.step.Unit(f)
				if !ok {
					return 0, fmt.Errorf("%s is no unit of the step", f)
				}
				set(l)
			}
		}
		all[lane] = p
	}
	w.words.Eval(inputs)
	for lane, p := range all {
		is := func(l solver.Lit) bool { return w.words.Value(l)>>lane&1 == 1 }
		if !is(w.step.Valid) || len(p.absent) > 0 && w.bound() {
			continue
		}
		if err := w.compareOne(ctx, p, is); err != nil {
			return 0, err
		}
		compared++
	}
	return compared, nil
}

// pair makes a random pair.
func (w *pairs) pair() *pair {
	b := w.step.Graph.Bounds
	p := &pair{on: make([]bool, len(w.step.State)), round: 1 + w.random.IntN(w.last+1), place: 1 + w.random.IntN(b.Period)}
	turn := func(name string) {
		if i, ok := w.bits[name]; ok {
			p.on[i] = true
		}
	}
	if p.round > 1 {
		turn("a round is over")
		turn(fmt.Sprintf("round %d is next", p.round))
	}
	turn(fmt.Sprintf("round %d of a phase is next", p.place))
	for _, name := range b.Processes {
		switch {
		case p.round < w.Bounds.Joined(name):
			p.absent = append(p.absent, name)
		case slices.Contains(b.NeverCrash, name) || b.Crashes == 0 || !w.chance(3):
		case b.Restarts == 0 || w.chance(3):
			p.down = append(p.down, name)
			turn(name + " has crashed")
			turn(name + " has crashed before")
		case w.chance(2):
			p.back = append(p.back, name)
			turn(name + " comes back")
			turn(name + " has crashed before")
		case !w.reads(syntax.Booted): // which fires rules in the rounds before
			p.crashed = append(p.crashed, name)
			turn(name + " has crashed before")
		}
	}
	var units []rounds.Fault
	for i := range w.step.Graph.Universe.Len() {
		f := w.step.Graph.Universe.Fault(i)
		f.Until = 0
		if _, ok := w.step.Unit(f); ok {
			units = append(units, f)
		}
		if before := f; f.Round == 1 && p.place > 1 && w.chance(8) && !slices.Contains(p.absent, f.Process) && !slices.Contains(p.absent, f.To) {
			before.Round = 0
			bit, ok := w.bits[before.String()+" lasts"]
			if f.Kind == rounds.Isolate {
				bit, ok = w.bits[f.Process+" stays isolated"]
			}
			if ok {
				p.on[bit] = true
				p.lasting = append(p.lasting, before)
			}
		}
	}
	for range min(w.random.IntN(4), len(units)) {
		again := rounds.Restart // who is back in a later round than the first is part of the state
		if f := units[w.random.IntN(len(units))]; !slices.Contains(p.faults, f) && (f.Kind != again || f.Round > 1 || p.round == 1) {
			p.faults = append(p.faults, f)
		}
	}
	w.choose(p)
	dense := 1 + w.random.IntN(8)
	for i, bit := range w.step.State {
		if bit.Name == "" && w.chance(dense) && !w.impossible(p, bit.Fact) {
			p.on[i] = true
		}
	}
	for p.now = 6; (p.now-1)%b.Period != p.place-1; p.now++ {
	}
	return p
}

// bound tells whether the program has facts in a round even at a process that has not joined: what is chosen, and what
// it reads of a named round.
func (w *pairs) bound() bool {
	return len(w.Program.Choices) > 0 || slices.ContainsFunc(w.Program.Rules, func(r *syntax.Rule) bool {
		return slices.ContainsFunc(r.Body, func(t syntax.Term) bool { return t.At > 1 })
	})
}

// reads tells whether the program reads a relation.
func (w *pairs) reads(name string) bool {
	return slices.ContainsFunc(w.Program.Relations(), func(r dedalus.Relation) bool { return r.Name == name })
}

// choose picks what the environment chooses in the round.
func (w *pairs) choose(p *pair) {
	b := w.Bounds
	b.EOT = max(w.last, p.round)
	declared, err := b.Declared(w.Program)
	if err != nil || b.Choices == 0 {
		return
	}
	for _, c := range declared.Choose {
		if c.Of[0].Round != p.round || !w.chance(2) {
			continue
		}
		if others := c.Others(); len(others) > 0 {
			p.chosen = append(p.chosen, others[w.random.IntN(len(others))])
		}
	}
}

// impossible tells whether an execution cannot begin with a fact.
func (w *pairs) impossible(p *pair, f recording.Fact) bool {
	at := ""
	for _, name := range w.Bounds.Processes {
		if len(f.Args) > 0 && f.Args[0] == w.Program.ProcessValue(name) {
			at = name
		}
	}
	return slices.Contains(p.absent, at) || strings.Contains(f.Relation, "+") && w.sender(p, at) == ""
}

// sender is a process that has sent another one a message that is under way.
func (w *pairs) sender(p *pair, to string) string {
	for _, name := range w.Bounds.Processes {
		if name != to && !slices.Contains(p.absent, name) && !oracle.Spares(w.Bounds, name, to) {
			return name
		}
	}
	return ""
}

// settings are the bounds of the execution.
func (w *pairs) settings(p *pair) rounds.Bounds {
	b := w.step.Graph.Bounds
	b.EOT, b.Deliver, b.Kernel = p.now+b.Period+b.MaxDelay+4, "", ""
	if b.Late() > 0 {
		b.MaxDelay = max(b.MaxDelay, 4)
	}
	for _, budget := range []*int{&b.Crashes, &b.Restarts, &b.Omissions, &b.Isolations, &b.Partitions, &b.Cuts, &b.Delays, &b.Duplicates} {
		if *budget != 0 {
			*budget = rounds.Unlimited
		}
	}
	b.Kinds = nil
	for _, name := range w.Bounds.Kinds {
		b.Kinds = append(b.Kinds, name+"'")
	}
	b.Durable = nil
	for _, name := range w.Bounds.Durable {
		b.Durable = append(b.Durable, name+"'")
	}
	b.Joins = nil
	for _, name := range p.absent {
		if b.Joins == nil {
			b.Joins = map[string]int{}
		}
		b.Joins[name] = p.now + 1
	}
	return b
}

// faultsOf are the faults of the execution: those that explain the state, and those of the round.
func (w *pairs) faultsOf(p *pair, b rounds.Bounds) (s rounds.Schedule) {
	add := func(k rounds.Kind, round int, name string) {
		s.Faults = append(s.Faults, rounds.Fault{Kind: k, Round: round, Process: name})
	}
	for _, name := range p.down {
		add(rounds.Crash, p.now-1, name)
	}
	for _, name := range p.back {
		add(rounds.Crash, p.now-1, name)
		add(rounds.Restart, p.now, name)
	}
	for _, name := range p.crashed {
		add(rounds.Crash, p.now-2, name)
		add(rounds.Restart, p.now-2, name)
	}
	until := func(f rounds.Fault) rounds.Fault {
		if f.Kind == rounds.Isolate || f.Kind == rounds.Partition || f.Kind == rounds.Cut {
			f.Until = p.now - p.place + b.Period
		}
		return f
	}
	for _, f := range p.lasting {
		f.Round = p.now - 1
		s.Faults = append(s.Faults, until(f))
	}
	for _, f := range p.faults {
		if f.Kind == rounds.Crash && b.Restarts == 0 && slices.Contains(p.down, f.Process) {
			continue // once more: it is down
		}
		f.Round += p.now - 1
		s.Faults = append(s.Faults, until(f))
	}
	for i, on := range p.on {
		f := w.step.State[i].Fact
		if name, late, ok := strings.Cut(f.Relation, "+"); on && ok && late == "1" && name != "" {
			to := f.Args[0].Text()
			d := rounds.Fault{Kind: rounds.Delay, Round: p.now - 4, Process: w.sender(p, to), To: to, By: 4}
			if b.Delays == 0 {
				d.Kind = rounds.Duplicate
			}
			if !slices.Contains(s.Faults, d) {
				s.Faults = append(s.Faults, d)
			}
		}
	}
	for i := range s.Faults {
		if f := &s.Faults[i]; f.Of != "" {
			f.Of += "'"
		}
	}
	slices.SortFunc(s.Faults, rounds.Fault.Compare)
	return s
}

// program is the program of the execution: what it carries has relations of its own, with a prime.
func (w *pairs) program(p *pair) *dedalus.Program {
	changed := *w.Program
	changed.Rules, changed.Facts, changed.Choices = nil, nil, nil
	add := func(r syntax.Rule) {
		r.Index = len(changed.Rules)
		changed.Rules = append(changed.Rules, &r)
	}
	give := func(name string, args []specs.Value, round int) {
		changed.Facts = append(changed.Facts, &syntax.Fact{Relation: name, Args: args, Round: round})
	}
	columns := func(n int) (all []syntax.Expr) {
		for i := range n {
			all = append(all, &syntax.Variable{Name: fmt.Sprintf("C%d", i)})
		}
		return all
	}
	named := map[string]bool{}
	for _, r := range w.Program.Rules {
		own := *r
		own.Body = slices.Clone(r.Body)
		for i, t := range own.Body {
			if t.Atom == nil || t.At == 0 {
				continue
			}
			atom := *t.Atom
			atom.Relation = fmt.Sprintf("%s@%d", atom.Relation, t.At)
			own.Body[i].Atom, own.Body[i].At = &atom, 0
			if named[atom.Relation] {
				continue
			}
			named[atom.Relation] = true
			if w.derived(t.Atom.Relation) {
				if t.At == p.round {
					of := syntax.Atom{Relation: t.Atom.Relation, Args: columns(len(t.Atom.Args))}
					add(syntax.Rule{Head: syntax.Atom{Relation: atom.Relation, Args: of.Args}, Body: []syntax.Term{{Atom: &syntax.Atom{Relation: theRound}}, {Atom: &of}}})
				}
				continue
			}
			for _, f := range w.Program.Facts {
				if f.Relation == t.Atom.Relation && w.since(f) == t.At {
					give(atom.Relation, f.Args, p.now)
				}
			}
		}
		if r.Kind != syntax.Deductive {
			own.Head.Relation += "'"
		}
		add(own)
	}
	give(theRound, nil, p.now)
	for _, f := range w.Program.Facts {
		if w.since(f) == p.round {
			give(f.Relation, f.Args, p.now)
		}
	}
	w.giveChosen(p, give)
	under := map[string]bool{}
	for i, on := range p.on {
		f := w.step.State[i].Fact
		if !on || f.Relation == "" {
			continue
		}
		name, late, ok := strings.Cut(f.Relation, "+")
		switch {
		case !ok:
			give(f.Relation, f.Args, p.now)
		case late == "1":
			sent := syntax.Atom{Relation: "sends " + name, Args: columns(len(f.Args) + 1)}
			if !under[name] {
				under[name] = true
				add(syntax.Rule{Head: syntax.Atom{Relation: name + "'", Args: sent.Args[1:]}, Kind: syntax.Async, Body: []syntax.Term{{Atom: &sent}}})
			}
			from := w.Program.ProcessValue(w.sender(p, f.Args[0].Text()))
			give(sent.Relation, append([]specs.Value{from}, f.Args...), p.now-4)
		}
	}
	return &changed
}

// derived tells whether a relation has more than facts of the program.
func (w *pairs) derived(name string) bool {
	return slices.ContainsFunc(w.Program.Rules, func(r *syntax.Rule) bool { return r.Head.Relation == name }) ||
		slices.ContainsFunc(w.Program.Choices, func(c *syntax.Choose) bool { return c.Relation == name })
}

// since is the round in which a fact of the program holds.
func (w *pairs) since(f *syntax.Fact) int {
	for _, name := range w.Bounds.Processes {
		if len(f.Args) > 0 && f.Args[0] == w.Program.ProcessValue(name) {
			return max(f.Round, w.Bounds.Joined(name))
		}
	}
	return f.Round
}

// giveChosen gives what is chosen, and the defaults.
func (w *pairs) giveChosen(p *pair, give func(name string, args []specs.Value, round int)) {
	b := w.Bounds
	b.EOT = max(w.last, p.round)
	declared, err := b.Declared(w.Program)
	if err != nil {
		return
	}
	for _, c := range declared.Choose {
		if c.Of[0].Round != p.round {
			continue
		}
		made := slices.DeleteFunc(slices.Clone(p.chosen), func(f rounds.Fault) bool { return !slices.Contains(c.Of, f) })
		if first, ok := c.Default(); ok && len(made) == 0 {
			made = append(made, first)
		}
		for _, f := range made {
			name, args := f.Fact()
			give(name, args, p.now)
		}
	}
}

// compareOne compares the step of a pair with its execution.
func (w *pairs) compareOne(ctx context.Context, p *pair, is func(solver.Lit) bool) error {
	b := w.settings(p)
	s := w.faultsOf(p, b)
	fail := func(format string, args ...any) error {
		return fmt.Errorf("from %v in round %d (%d of its phase) under %q, which is round %d of its execution, with %v: %s", w.state(p), p.round, p.place, s, p.now, p.chosen, fmt.Sprintf(format, args...))
	}
	if err := s.Check(b); err != nil {
		return fail("a step that there is not: %v", err)
	}
	m, err := lockstep.Compile(w.program(p), b, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return fail("%v", err)
	}
	e, err := m.Execute(ctx, s)
	undefined := errors.As(err, new(*limits.UndefinedError))
	switch {
	case undefined && is(w.step.Undefined), errors.As(err, new(*limits.LimitError)), errors.As(err, new(*limits.RunawayError)):
		return nil
	case undefined:
		return fail("the executor says %v, and the step does not", err)
	case err != nil:
		return fail("%v", err)
	case is(w.step.Undefined):
		return fail("the step says that a fact depends on its own absence")
	}
	if difference := w.nows(p, e, is); difference != "" {
		return fail("%s", difference)
	}
	if difference := w.nexts(p, e, s, is); difference != "" {
		return fail("%s", difference)
	}
	return nil
}

// state are the facts of the state.
func (w *pairs) state(p *pair) (all []string) {
	for i, on := range p.on {
		if on {
			all = append(all, w.step.State[i].String())
		}
	}
	return all
}

// nows tells how the facts of the round differ.
func (w *pairs) nows(p *pair, e *recording.Execution, is func(solver.Lit) bool) string {
	var have, want []string
	for _, f := range w.facts {
		if is(f.Cond()) && !w.foresee[f.Relation()] {
			have = append(have, recording.Fact{Relation: f.Relation(), Args: f.Args(), Round: p.now}.String())
		}
	}
	for _, f := range e.Facts {
		if f.Round == p.now && !strings.ContainsAny(f.Relation, "@' ") && !w.foresee[f.Relation] {
			want = append(want, f.String())
		}
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		return fmt.Sprintf("the step has %v in the round, and the execution %v", have, want)
	}
	return ""
}

// nexts tells how the facts of the next state differ.
func (w *pairs) nexts(p *pair, e *recording.Execution, s rounds.Schedule, is func(solver.Lit) bool) string {
	want := map[string]bool{}
	fact := func(relation string, args []specs.Value) {
		want[recording.Fact{Relation: relation, Args: args}.String()] = true
	}
	stopped := w.stopped(p, s)
	for _, f := range e.Facts {
		name, carried := strings.CutSuffix(f.Relation, "'")
		switch {
		case carried && f.Round == p.now+1:
			fact(name, f.Args)
		case f.Round != p.now || carried:
		case strings.Contains(f.Relation, "@"):
			if of, _, _ := strings.Cut(f.Relation, "@"); w.derived(of) {
				fact(f.Relation, f.Args)
			}
		case w.carried(f.Relation) && len(f.Args) > 0 && stopped[f.Args[0].Text()] && !w.forgets(f, s, p.now+1):
			fact(f.Relation, f.Args)
		}
	}
	for i, on := range p.on {
		if name, late, ok := strings.Cut(w.step.State[i].Fact.Relation, "+"); on && ok && late != "1" {
			n, _ := strconv.Atoi(late)
			fact(fmt.Sprintf("%s+%d", name, n-1), w.step.State[i].Fact.Args)
		}
	}
	deaf := func(to string) bool { return w.step.Graph.Bounds.CrashStop && stopped[to] }
	for _, m := range e.Messages {
		if m.Round == p.now && m.Arrival > p.now && !m.Lost && !deaf(m.To) {
			fact(fmt.Sprintf("%s+%d", strings.TrimSuffix(m.Relation, "'"), m.Arrival-p.now), m.Args)
		}
	}
	for i, b := range w.step.State {
		if b.Name != "" {
			continue
		}
		text := b.Fact.String()
		if late := strings.Contains(b.Fact.Relation, "+"); late && deaf(b.Fact.Args[0].Text()) {
			continue
		}
		if next := is(w.step.Next[i]); next != want[text] {
			return fmt.Sprintf("%s is %v in the next round by the step, and %v by the execution", text, next, want[text])
		}
		delete(want, text)
	}
	if over := is(w.step.Overflow); over != (len(want) > 0) && !w.step.Graph.Bounds.CrashStop {
		return fmt.Sprintf("the step says %v to more facts than it knows, and the execution has %v", over, want)
	}
	return ""
}

// carried tells whether rules carry facts of a relation into a later round.
func (w *pairs) carried(name string) bool {
	return slices.ContainsFunc(w.Program.Rules, func(r *syntax.Rule) bool { return r.Head.Relation == name && r.Kind != syntax.Deductive })
}

// stopped are the processes whose facts stay as they are.
func (w *pairs) stopped(p *pair, s rounds.Schedule) map[string]bool {
	stopped := map[string]bool{}
	if !w.step.Graph.Bounds.CrashStop {
		return stopped
	}
	for round := 1; round <= p.now; round++ {
		for _, f := range s.Faults { // a crash comes before a restart
			if f.Round == round && f.Kind == rounds.Crash {
				stopped[f.Process] = true
			} else if f.Round == round && f.Kind == rounds.Restart {
				delete(stopped, f.Process)
			}
		}
	}
	return stopped
}

// forgets tells whether a fact is lost because its process comes back in a round.
func (w *pairs) forgets(f recording.Fact, s rounds.Schedule, round int) bool {
	return !slices.Contains(w.Bounds.Durable, f.Relation) && slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool {
		return g.Kind == rounds.Restart && g.Round == round && f.Args[0] == w.Program.ProcessValue(g.Process)
	})
}
