package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// candidate is an instance of a rule that could have given an absent fact, in each of the
// rounds first..last, with the parts that it had and lacked.
type candidate struct {
	rule        *syntax.Rule
	first, last int // in which it would have fired
	bindings    []Binding
	parts       []*Part
	rows        []*candidate
	possible    bool // it takes place under some other schedule

	keyText, supportText string // the results of key and support, after their first call
}

// missing counts the parts that the candidate lacks; each row of an aggregate is one part.
func (a *candidate) missing() int {
	n := 0
	for _, p := range a.parts {
		if !p.Met || p.Instead {
			n++
		}
	}
	for _, row := range a.rows {
		if row.missing() > 0 {
			n++
		}
	}
	return n
}

// lostOnly tells whether the candidate lacks nothing but a message.
func (a *candidate) lostOnly() bool {
	return a.missing() == 1 && slices.ContainsFunc(a.parts, func(p *Part) bool { return !p.Met && p.Message != nil })
}

// key is equal for the same candidate in different rounds.
func (a *candidate) key() string {
	if a.keyText != "" {
		return a.keyText
	}
	var s strings.Builder
	s.WriteString(a.support())
	for _, p := range a.parts {
		fmt.Fprintf(&s, ";%t %t %s", p.Met, p.Negated, p.Text)
		switch {
		case p.Atom != nil:
			s.WriteString(p.Atom.atom())
		case p.Message != nil:
			fmt.Fprintf(&s, "%q>%q", p.Message.From, p.Message.To)
		}
	}
	for _, row := range a.rows {
		s.WriteString("|" + row.key())
	}
	a.keyText = s.String()
	return a.keyText
}

// support is equal for the same instance of a rule in different rounds, whatever it lacked
// in each.
func (a *candidate) support() string {
	if a.supportText == "" {
		a.supportText = "rule "
		if a.rule != nil {
			a.supportText += strconv.Itoa(a.rule.Index)
		}
		a.supportText += bindingsText(a.bindings, ",")
	}
	return a.supportText
}

// joins tells whether b is the same candidate in the round after a.
func (a *candidate) joins(b *candidate) bool {
	return a.possible == b.possible && b.first == a.last+1 && a.key() == b.key()
}

// extend adds the rounds of b, which joins a, to the candidate.
func (a *candidate) extend(b *candidate) {
	a.last = b.last
	for i, p := range a.parts {
		q := b.parts[i]
		switch {
		case p.Atom != nil:
			atom := p.Atom.during(min(p.Atom.First, q.Atom.First), max(p.Atom.Last, q.Atom.Last))
			p.Atom, p.fact = &atom, q.fact
		case p.Message != nil:
			p.Message.extend(q.Message)
		}
	}
	for i, row := range a.rows {
		row.extend(b.rows[i])
	}
}

// extend adds the later rounds of n, the same message, to m.
func (m *Message) extend(n *Message) {
	m.Last = n.Last
	for _, loss := range n.Losses {
		if last := len(m.Losses) - 1; last >= 0 && m.Losses[last].Fault == loss.Fault && m.Losses[last].Last+1 == loss.First {
			m.Losses[last].Last = loss.Last
		} else {
			m.Losses = append(m.Losses, loss)
		}
	}
}

// candidateOf returns a possible firing as a candidate.
func (x *Explainer) candidateOf(f *provenance.Firing) *candidate {
	a := &candidate{rule: f.Rule(), first: f.Round(), last: f.Round(), bindings: x.bindings(f), possible: true}
	positive, negative := f.Positive(), f.Negative()
	if a.rule == nil {
		for _, fact := range positive {
			a.parts = append(a.parts, x.positivePart(fact))
		}
		if p := x.forgotPart(f); p != nil {
			a.parts = append(a.parts, p)
		}
		return a
	}
	for _, term := range a.rule.Body {
		switch {
		case term.Atom == nil || f.Rows() != nil:
		case term.Negated:
			a.parts = append(a.parts, x.negativePart(x.absencePattern(negative[0]), negative[0].Facts))
			negative = negative[1:]
		default:
			a.parts = append(a.parts, x.positivePart(positive[0]))
			positive = positive[1:]
		}
	}
	if d := f.Delivery(); d != nil {
		if p := x.messagePart(d.Of, d.Nth, d.From, d.To, d.Round); !p.Met {
			a.parts = append(a.parts, p)
		}
	}
	if len(f.Rows()) == 0 {
		if p := x.stoppedPart(a.rule, assignmentOf(a.bindings), a.first); p != nil {
			a.parts = append(a.parts, p)
		}
		if p := x.forgotPart(f); p != nil {
			a.parts = append(a.parts, p)
		}
	}
	x.openCrashRound(a)
	return a
}

// openCrashRound leaves the round of a required crash open in a candidate: the candidates
// for each round are then the same.
func (x *Explainer) openCrashRound(a *candidate) {
	parts := a.parts
	for _, term := range a.rule.Body {
		if term.Atom == nil || len(parts) == 0 {
			continue
		}
		p := parts[0]
		parts = parts[1:]
		if p.Met || p.Negated || term.Atom.Relation != syntax.Crash || len(term.Atom.Args) != 3 {
			continue
		}
		round, ok := term.Atom.Args[2].(*syntax.Variable)
		victim, isProcess := x.processes[p.Atom.Columns[1].Value]
		if ok && isProcess && x.Environment.CrashRound(victim) == 0 {
			p.Atom.Columns[2] = Column{Open: true}
			a.bindings = slices.DeleteFunc(a.bindings, func(b Binding) bool { return b.Name == round.Name })
		}
	}
}

func assignmentOf(all []Binding) assignment {
	env := assignment{}
	for _, b := range all {
		env[b.Name] = b.Value.Value
	}
	return env
}

func (x *Explainer) positivePart(f *provenance.Fact) *Part {
	p := x.factPattern(f)
	return &Part{Met: x.Holds(f), Atom: &p, fact: f}
}

// negativePart is met unless one of the facts holds.
func (x *Explainer) negativePart(p Pattern, facts []*provenance.Fact) *Part {
	part := &Part{Met: true, Negated: true, Atom: &p}
	for _, f := range facts {
		if x.Holds(f) {
			part.Met, part.fact = false, f
			break
		}
	}
	return part
}

// messagePart is met if a message of the relation arrives.
func (x *Explainer) messagePart(relation string, nth int, from, to string, round int) *Part {
	if part := x.absentPart(to, round); part != nil {
		return part
	}
	m := &Message{From: from, To: to, First: round, Last: round}
	part := &Part{Met: true, Message: m}
	sender, receiver := x.index(from), x.index(to)
	if messages := x.Environment.Of(relation, nth); !messages.Delivers(sender, receiver, round) {
		part.Met = false
		if cause, ok := messages.Cause(sender, receiver, round); ok {
			m.Losses = []Loss{{First: round, Last: round, Fault: cause, back: x.backFrom(cause)}}
		}
	}
	return part
}

// backFrom returns the round in which a process is back from a crash, 0 if it stays down,
// and for other faults.
func (x *Explainer) backFrom(f rounds.Fault) int {
	if f.Kind != rounds.Crash {
		return 0
	}
	return x.Environment.BackFrom(f)
}

// index returns the number of a process, -1 for none.
func (x *Explainer) index(name string) int { return slices.Index(x.Graph.Bounds.Processes, name) }

// absentPart is the reason why a process does nothing before it joins; nil if it has
// joined.
func (x *Explainer) absentPart(process string, round int) *Part {
	if joins := x.Graph.Bounds.Joined(process); round < joins {
		return &Part{Text: fmt.Sprintf("%s has not joined yet (join=%s@%d)", process, process, joins)}
	}
	return nil
}

// stoppedPart is the reason why a rule does not fire after a crash has stopped its process;
// nil if none has.
func (x *Explainer) stoppedPart(r *syntax.Rule, env assignment, round int) *Part {
	location, b := r.Location(), x.Graph.Bounds
	if location == nil || len(b.Joins) == 0 && (!b.CrashStop || r.Kind == syntax.Deductive) {
		return nil
	}
	v, ok := env.value(location)
	p, isProcess := x.processes[v]
	if !ok || !isProcess {
		return nil
	}
	if part := x.absentPart(b.Processes[p], round); part != nil {
		return part
	}
	if !b.CrashStop || r.Kind == syntax.Deductive {
		return nil
	}
	stopped, down := x.Environment.DownBy(p, round)
	if !down {
		return nil
	}
	how := "has stopped"
	if x.Environment.BackFrom(stopped) > 0 {
		how = "was down"
	}
	return &Part{Text: fmt.Sprintf("%s %s (%s)", x.Graph.Bounds.Processes[p], how, stopped), stopped: &stopped}
}

// forgotPart is the reason why a process lacks the fact of a firing because it restarts at
// that time; nil if it does not.
func (x *Explainer) forgotPart(f *provenance.Firing) *Part {
	p := f.Forgets()
	if p < 0 || !x.Environment.Back(p, f.Round()+1) {
		return nil
	}
	name := x.Graph.Bounds.Processes[p]
	back := rounds.Fault{Kind: rounds.Restart, Process: name, Round: f.Round() + 1}
	return &Part{Text: fmt.Sprintf("%s forgot it in its restart in round %d (%s)", name, back.Round, back), stopped: &back}
}
