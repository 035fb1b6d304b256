package provenance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// Sentences writes an invariant as sentences. Their clauses together are an invariant as well, and all
// of them are needed for that: a sentence with letters is there only if the solver says
// that all clauses hold that it stands for. Those about some relations come first. After so many calls of the
// SAT solver sentences are as general as the clauses already are.
func (s *Step) Sentences(ctx context.Context, t *solver.Transitions, invariant [][]solver.StateBit, about []string, calls int) ([]*Sentence, error) {
	w := newGeneralizer(ctx, s, t, about, calls)
	clauses := slices.SortedStableFunc(slices.Values(invariant), func(a, b []solver.StateBit) int { return cmp.Compare(len(a), len(b)) })
	for _, c := range clauses {
		w.add(c)
	}
	said := clauseSet{}
	var all []*Sentence
	for i := 0; i < len(w.list); i++ { // it becomes longer: what is more general in one respect may be less so in another
		c := w.list[i]
		if early(c) || said.implies(c) {
			continue
		}
		p := w.general(w.patternOf(c))
		if w.err != nil {
			return nil, w.err
		}
		sentence := w.sentence(p)
		sentence.Clauses, _ = w.instances(p)
		for _, c := range sentence.Clauses {
			said.add(c)
		}
		all = append(all, sentence)
	}
	slices.SortStableFunc(all, w.compare)
	return w.needed(all, slices.DeleteFunc(slices.Clone(invariant), func(c []solver.StateBit) bool { return !early(c) }))
}

// needed leaves out sentences without which the others and some clauses are still an invariant, the
// least telling first.
func (w *generalizer) needed(all []*Sentence, others [][]solver.StateBit) ([]*Sentence, error) {
	parts := [][][]solver.StateBit{others}
	for _, s := range all {
		parts = append(parts, s.Clauses)
	}
	needed, err := w.system.Needed(w.ctx, parts, w.most)
	if err != nil {
		return nil, fmt.Errorf("leaving out sentences: %w", err)
	}
	few := []*Sentence{}
	for i, s := range all {
		if needed[i+1] {
			few = append(few, s)
		}
	}
	return few, nil
}

// Few are the clauses of sentences that are needed for an invariant, with those of one that sentences leave out: those
// that say what is not there before the first round.
func (s *Step) Few(ctx context.Context, t *solver.Transitions, invariant [][]solver.StateBit, sentences []*Sentence, calls int) ([][]solver.StateBit, error) {
	all := slices.DeleteFunc(slices.Clone(invariant), func(c []solver.StateBit) bool { return !early(c) })
	seen := map[string]bool{}
	for _, s := range sentences {
		for _, c := range s.Clauses {
			if key := fmt.Sprint(c); !seen[key] {
				seen[key] = true
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b []solver.StateBit) int { return cmp.Compare(len(a), len(b)) })
	if err := t.CheckInvariant(ctx, all); err != nil {
		return nil, fmt.Errorf("checking the sentences: %w", err)
	}
	parts := make([][][]solver.StateBit, len(all))
	for i, c := range all {
		parts[i] = [][]solver.StateBit{c}
	}
	needed, err := t.Needed(ctx, parts, calls)
	if err != nil {
		return nil, fmt.Errorf("leaving out clauses: %w", err)
	}
	var few [][]solver.StateBit
	for i, c := range all {
		if needed[i] {
			few = append(few, c)
		}
	}
	return few, nil
}

// generalizer makes clauses of an invariant more general.
type generalizer struct {
	ctx     context.Context
	step    *Step
	system  *solver.Transitions
	about   []string
	most    int // calls
	err     error
	solver  *solver.Solver // asserts all clauses of known
	list    [][]solver.StateBit
	known   clauseSet      // has all of the list
	index   map[string]int // of bits, by what they say
	columns map[place][]specs.Value
	letters map[place]string
}

func newGeneralizer(ctx context.Context, s *Step, t *solver.Transitions, about []string, calls int) *generalizer {
	w := &generalizer{
		ctx: ctx, step: s, system: t, about: about, most: calls, solver: solver.NewSolver(t.Circuit), known: clauseSet{},
		index: map[string]int{}, columns: map[place][]specs.Value{}, letters: map[place]string{},
	}
	w.solver.Assert(t.Valid)
	for i, b := range s.State {
		p := s.phraseOf(i)
		w.index[p.key(p.values())] = i
		for j, v := range b.Fact.Args {
			at := place{b.Fact.Relation, j}
			if !slices.Contains(w.columns[at], v) {
				w.columns[at] = append(w.columns[at], v)
			}
		}
	}
	for _, values := range w.columns {
		slices.SortFunc(values, specs.Value.Compare)
	}
	for _, r := range s.Graph.Program.Rules {
		for i, e := range r.Head.Args {
			at := place{r.Head.Relation, i}
			if v, ok := e.(*syntax.Variable); ok && len(v.Name) == 1 && strings.ToUpper(v.Name) == v.Name && w.letters[at] == "" {
				w.letters[at] = v.Name
			}
		}
	}
	return w
}

func (p Phrase) values() (values []specs.Value) {
	for _, t := range p.Terms {
		values = append(values, t.Value)
	}
	return values
}

// key is what the phrase says of values.
func (p Phrase) key(values []specs.Value) string {
	var key strings.Builder
	key.WriteString(p.Relation + "\x00" + p.Words)
	for _, v := range values {
		key.WriteString("\x00" + v.String())
	}
	return key.String()
}

// pattern is a clause with letters.
type pattern struct {
	literals []literal
	letters  []Letter
}

type literal struct {
	Phrase
	value bool
}

// patternOf is a clause without letters.
func (w *generalizer) patternOf(clause []solver.StateBit) *pattern {
	p := &pattern{}
	for _, b := range clause {
		p.literals = append(p.literals, literal{w.step.phraseOf(b.Bit), b.Value})
	}
	return p
}

// with is the pattern with a letter in place of a value.
func (p *pattern) with(at func(Phrase, int, Term) bool, l Letter) *pattern {
	to := &pattern{letters: append(slices.Clone(p.letters), l)}
	for _, l := range p.literals {
		l.Terms = slices.Clone(l.Terms)
		for i, t := range l.Terms {
			if t.Letter < 0 && at(l.Phrase, i, t) {
				l.Terms[i].Letter = len(p.letters)
			}
		}
		to.literals = append(to.literals, l)
	}
	return to
}

// without is the pattern without one of its literals, and without letters that were only there.
func (p *pattern) without(i int) *pattern {
	to := &pattern{}
	place := map[int]int{}
	for j, l := range p.literals {
		if j == i {
			continue
		}
		l.Terms = slices.Clone(l.Terms)
		for k, t := range l.Terms {
			if t.Letter < 0 {
				continue
			}
			if _, ok := place[t.Letter]; !ok {
				place[t.Letter] = len(to.letters)
				to.letters = append(to.letters, p.letters[t.Letter])
			}
			l.Terms[k].Letter = place[t.Letter]
		}
		to.literals = append(to.literals, l)
	}
	return to
}

// general makes a pattern more general, as far as all clauses hold that it stands for.
func (w *generalizer) general(p *pattern) *pattern {
	slices.SortStableFunc(p.literals, func(a, b literal) int { return cmp.Compare(w.weight(b), w.weight(a)) })
	p = w.ofProcesses(p)
	for i := 0; i < len(p.literals) && len(p.literals) > 1; {
		if less := p.without(i); w.holds(less) {
			p = less
		} else {
			i++
		}
	}
	p = w.ofValues(p)
	for i := range p.letters {
		if p.letters[i].All && w.once(p, i) {
			more := p.where(i, Letter{anything, p.letters[i].Process, p.letters[i].Among, true})
			if w.holds(more) {
				p = more
			}
		}
	}
	return w.single(p)
}

// where is the pattern with another letter.
func (p *pattern) where(i int, l Letter) *pattern {
	to := &pattern{p.literals, slices.Clone(p.letters)}
	to.letters[i] = l
	return to
}

// single puts the value in place of each letter that stands for one only, as others are in no fact.
func (w *generalizer) single(p *pattern) *pattern {
	used := w.used(p)
	to := &pattern{letters: slices.Clone(p.letters)}
	for _, l := range p.literals {
		l.Terms = slices.Clone(l.Terms)
		for i, t := range l.Terms {
			if t.Letter >= 0 && len(used[t.Letter]) == 1 {
				l.Terms[i] = Term{used[t.Letter][0], -1}
				if p.letters[t.Letter].Process && l.Relation != "" {
					l.Terms[i].Value = valueLike(t.Value, used[t.Letter][0].Text())
				}
			}
		}
		to.literals = append(to.literals, l)
	}
	if !w.holds(to) { // another letter could stand for the value now
		return p
	}
	return to
}

// used are the values of each letter that clauses have for which the pattern stands.
func (w *generalizer) used(p *pattern) [][]specs.Value {
	used := make([][]specs.Value, len(p.letters))
	w.each(p, func(chosen []specs.Value, _ []solver.StateBit) {
		for i, v := range chosen {
			if !slices.Contains(used[i], v) {
				used[i] = append(used[i], v)
			}
		}
	})
	return used
}

// ofProcesses puts letters in place of processes: of all if possible, otherwise of as many as the clauses hold for.
func (w *generalizer) ofProcesses(p *pattern) *pattern {
	var names []string
	for _, l := range p.literals {
		for _, t := range l.Terms {
			if n := t.Value.Text(); slices.Contains(w.step.Graph.Bounds.Processes, n) && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	if len(names) > len(processLetters) {
		return p
	}
	all := p
	for _, n := range names {
		all = w.process(all, n)
	}
	if w.holds(all) {
		return all
	}
	return w.box(p, names)
}

// process puts a letter in place of a process.
func (w *generalizer) process(p *pattern, name string) *pattern {
	return p.with(func(_ Phrase, _ int, t Term) bool { return t.Value.Text() == name }, Letter{Process: true, All: true, Among: w.processes()})
}

func (w *generalizer) processes() (values []specs.Value) {
	for _, n := range w.step.Graph.Bounds.Processes {
		values = append(values, specs.String(n))
	}
	return values
}

// box puts letters in place of some of the processes, each for as many processes as the clauses hold for.
func (w *generalizer) box(p *pattern, names []string) *pattern {
	for _, n := range names {
		p = w.process(p, n)
		p.letters[len(p.letters)-1].All, p.letters[len(p.letters)-1].Among = false, []specs.Value{specs.String(n)}
	}
	all := w.processes()
	for grown := true; grown; {
		grown = false
		for i, l := range p.letters {
			p = w.grown(p, i, all)
			grown = grown || len(p.letters[i].Among) > len(l.Among)
		}
	}
	p = w.single(p)
	for i, l := range p.letters {
		if more := p.where(i, Letter{Process: true, All: true, Among: all}); len(l.Among) > 1 && w.holds(more) {
			p = more
		}
	}
	return p
}

// ofValues puts letters in place of constants, of all together or of each alone, for as many values as the
// clauses hold for.
func (w *generalizer) ofValues(p *pattern) *pattern {
	all, constants := p, w.constants(p)
	for _, v := range constants {
		all = w.letter(all, v)
	}
	if w.holds(all) {
		return all
	}
	for _, v := range constants {
		more := w.letter(p, v)
		if w.holds(more) {
			p = more
			continue
		}
		i := len(p.letters)
		if more = w.grown(more.where(i, Letter{Among: []specs.Value{v}}), i, more.letters[i].Among); len(more.letters[i].Among) > 1 {
			p = more
		}
	}
	return p
}

// grown is a pattern in which a letter stands for as many of some values as the clauses hold for.
func (w *generalizer) grown(p *pattern, i int, values []specs.Value) *pattern {
	for _, v := range values {
		l := p.letters[i]
		if slices.Contains(l.Among, v) {
			continue
		}
		l.Among = append(slices.Clone(l.Among), v)
		slices.SortFunc(l.Among, specs.Value.Compare)
		if more := p.where(i, l); slices.Contains(w.used(more)[i], v) && w.holds(more) {
			p = more
		}
	}
	return p
}

// constants are the values of a pattern that are no processes, and where others could stand.
func (w *generalizer) constants(p *pattern) (values []specs.Value) {
	for _, l := range p.literals {
		for i, t := range l.Terms {
			if t.Letter < 0 && l.Relation != "" && len(w.columns[place{l.Relation, i}]) > 1 && !slices.Contains(values, t.Value) && !slices.Contains(w.step.Graph.Bounds.Processes, t.Value.Text()) {
				values = append(values, t.Value)
			}
		}
	}
	return values
}

// letter puts a letter in place of a constant.
func (w *generalizer) letter(p *pattern, v specs.Value) *pattern {
	l := Letter{All: true}
	for _, lit := range p.literals {
		for i, t := range lit.Terms {
			if t.Letter < 0 && t.Value == v {
				for _, v := range w.columns[place{lit.Relation, i}] {
					if !slices.Contains(l.Among, v) {
						l.Among = append(l.Among, v)
					}
				}
			}
		}
	}
	slices.SortFunc(l.Among, specs.Value.Compare)
	return p.with(func(_ Phrase, _ int, t Term) bool { return t.Value == v }, l)
}

// once tells whether a letter comes once, and in what is given.
func (w *generalizer) once(p *pattern, letter int) bool {
	n := 0
	for _, l := range p.literals {
		for _, t := range l.Terms {
			if t.Letter == letter {
				if n++; l.value || l.Relation == "" {
					return false
				}
			}
		}
	}
	return n == 1
}

// mostInstances is for how many clauses a sentence stands at most.
const mostInstances = 2000

// instances are the clauses that a pattern stands for, without those that are true because a fact can never
// be there; false if there are too many.
func (w *generalizer) instances(p *pattern) (clauses [][]solver.StateBit, few bool) {
	seen := map[string]bool{}
	few = w.each(p, func(_ []specs.Value, c []solver.StateBit) {
		if key := fmt.Sprint(c); !seen[key] {
			seen[key] = true
			clauses = append(clauses, c)
		}
	})
	return clauses, few
}

// each calls a function for each choice of what letters stand for, with its clause.
func (w *generalizer) each(p *pattern, do func(chosen []specs.Value, clause []solver.StateBit)) (few bool) {
	chosen := make([]specs.Value, len(p.letters))
	tried := 0
	var choose func(i int)
	choose = func(i int) {
		if tried > mostInstances {
			return
		}
		if i == len(p.letters) {
			tried++
			if c, ok := w.instance(p, chosen); ok {
				do(chosen, c)
			}
			return
		}
		for _, v := range p.letters[i].Among {
			taken := false
			for j := range i {
				taken = taken || !p.letters[i].Any() && !p.letters[j].Any() && p.letters[j].Process == p.letters[i].Process && chosen[j] == v
			}
			if !taken {
				chosen[i] = v
				choose(i + 1)
			}
		}
	}
	choose(0)
	return tried <= mostInstances
}

// instance is the clause of a choice of what letters stand for; false if it is true anyway.
func (w *generalizer) instance(p *pattern, chosen []specs.Value) ([]solver.StateBit, bool) {
	var clause []solver.StateBit
	for _, l := range p.literals {
		values := l.values()
		for i, t := range l.Terms {
			switch {
			case t.Letter < 0:
			case p.letters[t.Letter].Process && l.Relation != "":
				values[i] = valueLike(t.Value, chosen[t.Letter].Text())
			default:
				values[i] = chosen[t.Letter]
			}
		}
		bit, ok := w.index[l.key(values)]
		b := solver.StateBit{Bit: bit, Value: l.value}
		switch {
		case !ok && !l.value:
			return nil, false
		case !ok || slices.Contains(clause, b):
		case slices.Contains(clause, solver.StateBit{Bit: bit, Value: !l.value}):
			return nil, false
		default:
			clause = append(clause, b)
		}
	}
	slices.SortFunc(clause, func(a, b solver.StateBit) int { return cmp.Compare(a.Bit, b.Bit) })
	return clause, true
}

// holds tells whether all clauses that a pattern stands for hold after every round; then they are known.
func (w *generalizer) holds(p *pattern) bool {
	clauses, few := w.instances(p)
	if !few || w.err != nil {
		return false
	}
	clauses = slices.DeleteFunc(clauses, w.known.implies)
	if len(clauses) == 0 {
		return true
	}
	if w.solver.Calls() >= w.most || slices.ContainsFunc(clauses, w.wrongAtFirst) {
		return false
	}
	c := w.system.Circuit
	once := c.Input()
	broken := []solver.Lit{once.Not()}
	for _, clause := range clauses {
		w.solver.AssertAny(append(w.system.Clause(clause), once.Not())...)
		broken = append(broken, c.Ors(w.system.NextClause(clause)...).Not())
	}
	w.solver.AssertAny(broken...)
	status, err := w.solver.Solve(w.ctx, once)
	w.solver.Assert(once.Not())
	if err != nil {
		w.err = fmt.Errorf("looking for sentences: %w", err)
	}
	if status != solver.Unsat {
		return false
	}
	for _, clause := range clauses {
		w.add(clause)
	}
	return true
}

// wrongAtFirst tells whether a clause is false before the first round, where no bit is true.
func (w *generalizer) wrongAtFirst(clause []solver.StateBit) bool {
	return !slices.ContainsFunc(clause, func(b solver.StateBit) bool { return !b.Value })
}

// add makes a clause known.
func (w *generalizer) add(clause []solver.StateBit) {
	w.known.add(clause)
	w.list = append(w.list, clause)
	w.solver.AssertAny(w.system.Clause(clause)...)
}

// clauseSet is a set of clauses: by key, and by one of their literals.
type clauseSet map[solver.StateBit][][]solver.StateBit

func (s clauseSet) add(clause []solver.StateBit) {
	if len(clause) > 0 {
		s[clause[0]] = append(s[clause[0]], clause)
	}
}

// implies tells whether a clause has all literals of one in the set.
func (s clauseSet) implies(clause []solver.StateBit) bool {
	for _, b := range clause {
		for _, known := range s[b] {
			if !slices.ContainsFunc(known, func(b solver.StateBit) bool { return !slices.Contains(clause, b) }) {
				return true
			}
		}
	}
	return false
}
