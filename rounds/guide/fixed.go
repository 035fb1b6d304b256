package guide

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Some guides lose messages by sender, receiver, kind and round alone, whatever happens otherwise: their rules read the
// columns of one message, and the processes and rounds. What they decide is known before anything is executed.

// Fixed is what such a guide decides.
type Fixed struct {
	Faults   []rounds.Fault // by which messages are lost, if they are sent
	Delivers bool           // some messages must arrive
	Fired    []int          // by rule: how often it decides, if all messages are sent
}

// mostFixed limits the messages that may be sent, for which it is found out what is decided.
const mostFixed = 200_000

// Fixed returns what the guide decides in every execution of a program; nil if that depends on the execution.
func (g *Guide) Fixed(ctx context.Context, p *dedalus.Program, b rounds.Bounds) (*Fixed, error) {
	sent := rounds.SentBy(p)
	if len(b.Processes)*len(b.Processes)*len(sent)*b.EOT > mostFixed || !g.fixed() {
		return nil, nil
	}
	run, err := g.NewRun(b, p.ProcessValue)
	if err != nil {
		return nil, err
	}
	all := &Fixed{}
	add := func(f rounds.Fault) {
		if (rounds.Schedule{Faults: []rounds.Fault{f}}).Check(b) == nil { // else nobody is there
			all.Faults = append(all.Faults, f)
		}
	}
	number := 0
	for round := 1; round <= b.EOT; round++ {
		var messages []recording.Message
		for _, from := range b.Processes {
			for _, to := range b.Processes {
				for _, kind := range sent {
					messages = append(messages, recording.Message{From: from, To: to, Round: round, Relation: kind, Args: []specs.Value{p.ProcessValue(to)}})
				}
			}
		}
		d, err := run.Decide(ctx, Past{}, messages)
		if err != nil {
			return nil, err
		}
		for _, f := range d.Fates {
			m := messages[f.Message-number-1]
			switch {
			case m.From == m.To: // it always arrives
			case f.Do == "deliver":
				all.Delivers = true
			default:
				add(rounds.Fault{Kind: rounds.Omit, Process: m.From, To: m.To, Round: round, Of: m.Relation})
			}
		}
		for _, a := range d.Acts {
			for _, f := range a.faults(round) {
				add(f)
			}
		}
		number += len(messages)
	}
	all.Fired = run.outcome.Fired
	return all, nil
}

// fixed tells whether all that is decided depends on one message and what is known before an execution alone.
func (g *Guide) fixed() bool {
	for _, r := range g.rules {
		switch {
		case !r.decides || r.head == "drop" || r.head == "deliver" || r.head == "isolate" || r.head == "part":
		default:
			return false
		}
	}
	k := &knowing{rules: map[string][]*syntax.Rule{}, quiet: map[string]bool{}, about: map[string]bool{}}
	for _, r := range g.compiled.Program.Rules {
		k.rules[r.Head.Relation] = append(k.rules[r.Head.Relation], r)
	}
	for relation := range k.rules {
		k.quiet[relation], k.about[relation] = true, true
	}
	k.narrow(k.quiet, k.isQuiet)
	k.narrow(k.about, k.isAbout)
	for _, r := range g.rules {
		if r.decides && !k.quiet[r.relation] && (!k.about[r.relation] || r.head == "isolate" || r.head == "part") {
			return false
		}
	}
	return true
}

// knowing has which relations are known before an execution, and which depend on the columns of one message alone,
// whose number is their first column, beside these.
type knowing struct {
	rules        map[string][]*syntax.Rule
	quiet, about map[string]bool
}

// known tells whether the facts of a relation are known before an execution.
func (k *knowing) known(relation string) bool {
	if _, derived := k.rules[relation]; derived {
		return k.quiet[relation]
	}
	return relation == datalog.Always || columnsOf(relation) != nil && datalog.Subject(relation) == datalog.TableScope
}

// narrow takes out relations with a rule that is not so, until none is left.
func (k *knowing) narrow(relations map[string]bool, is func(*syntax.Rule) bool) {
	for changed := true; changed; {
		changed = false
		for relation, rules := range k.rules {
			if relations[relation] && slices.ContainsFunc(rules, func(r *syntax.Rule) bool { return !is(r) }) {
				relations[relation], changed = false, true
			}
		}
	}
}

func (k *knowing) isQuiet(r *syntax.Rule) bool {
	return !slices.ContainsFunc(r.Body, func(t syntax.Term) bool { return t.Atom != nil && !k.known(t.Atom.Relation) })
}

func (k *knowing) isAbout(r *syntax.Rule) bool {
	number, ok := variableAt(r.Head.Args, 0)
	if !ok {
		return false
	}
	uses := map[string]int{} // of variables
	count := func(e syntax.Expr) { syntax.EachVariable(e, func(v *syntax.Variable) { uses[v.Name]++ }) }
	for _, e := range r.Head.Args {
		if _, folds := e.(*syntax.Aggregate); folds {
			return false
		}
		count(e)
	}
	ofMessages := 1 // the number of the message in the head
	bound := false
	for _, t := range r.Body {
		if t.Atom == nil {
			count(t.Test)
			continue
		}
		for _, e := range t.Atom.Args {
			count(e)
		}
		if k.known(t.Atom.Relation) {
			continue
		}
		if name, is := variableAt(t.Atom.Args, 0); !is || name != number || t.Atom.Relation != ofMessage.Name && !k.about[t.Atom.Relation] {
			return false
		}
		ofMessages++
		bound = bound || !t.Negated
	}
	if !bound || uses[number] != ofMessages {
		return false // the number is compared, or stands in another column
	}
	for _, t := range r.Body {
		if t.Atom == nil || t.Atom.Relation != ofMessage.Name {
			continue
		}
		text := t.Atom.Args[slices.Index(ofMessage.Columns, "Text")]
		if name, is := variableAt([]syntax.Expr{text}, 0); is && uses[name] > 1 {
			return false
		} else if _, any := text.(*syntax.Wildcard); !is && !any {
			return false
		}
	}
	return true
}

// variableAt returns the variable in a column.
func variableAt(args []syntax.Expr, column int) (string, bool) {
	if column >= len(args) {
		return "", false
	}
	v, ok := args[column].(*syntax.Variable)
	if !ok {
		return "", false
	}
	return v.Name, true
}
