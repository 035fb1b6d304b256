package trace

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// SystemPrefix is what the recordings of traces have for the name of a system, before the
// identifier of the trace.
const SystemPrefix = "trace "

// FromOneTrace says what is known from a recording of a trace.
const FromOneTrace = "from one trace, not executed: what else the services would have done is not known"

// inexact says in a recording what it is not.
const inexact = "it is a trace of a real service, which ldfi did not execute"

// The facts of a recording of a trace. The number of a span is its place in the tree of
// the trace.
const (
	spanFact    = "span"    // span(process, number, number of the parent or 0, name, identifier), when it begins
	askedFact   = "asked"   // asked(process, number, number of the parent, service, name), when the process calls another that did not record it
	EndedFact   = "ended"   // ended(process, name, number), when it ends well
	failedFact  = "failed"  // failed(process, name, number, why), when it ends otherwise
	retriesFact = "retries" // retries(process, number, number of the attempt before), when it begins
	answer      = "answer"  // a message: what was asked for
	refusal     = "error"   // a message: that it failed, and why
)

// Recording returns the trace as an execution.
func (t *Trace) Recording() (*recording.Execution, error) {
	o, err := newOrder(t)
	if err != nil {
		return nil, err
	}
	e := &recording.Execution{System: SystemPrefix + t.ID, Inexact: inexact}
	e.Bounds = rounds.Bounds{Processes: t.processes()}.Normal()
	recorded := t.recorded()
	for _, n := range t.nodes {
		t.tell(e, o, n, n.guessed && n.parent.Failed && recorded[n.process])
	}
	for _, f := range e.Facts {
		e.Bounds.EOT = max(e.Bounds.EOT, f.Round)
	}
	e.Sort()
	if err := e.Validate(); err != nil {
		return nil, fmt.Errorf("the trace is no execution that ldfi can show: %w", err)
	}
	return e, nil
}

func (t *Trace) processes() []string {
	var names []string
	seen := map[string]bool{}
	for _, n := range t.nodes {
		if !seen[n.process] {
			seen[n.process] = true
			names = append(names, n.process)
		}
	}
	return names
}

// recorded returns the services that record what they are asked for.
func (t *Trace) recorded() map[string]bool {
	own := map[string]bool{}
	for _, n := range t.nodes {
		own[n.process] = own[n.process] || !n.guessed
	}
	return own
}

// tell adds what is known of a span; lost says that the call never came to whom it was
// for.
func (t *Trace) tell(e *recording.Execution, o *order, n *node, lost bool) {
	begin, end := o.round[begins(n)], o.round[ends(n)]
	process, number, name := specs.String(n.process), specs.Int(int64(n.number)), specs.String(n.Name)
	parent := specs.Int(n.parentNumber())
	if n.guessed {
		add(e, begin-between(n.parent, n), askedFact, specs.String(n.parent.process), number, parent, process, name)
	} else {
		add(e, begin, spanFact, process, number, parent, name, specs.String(n.ID))
		if n.Failed {
			add(e, end, failedFact, process, name, number, specs.String(n.Error))
		} else {
			add(e, end, EndedFact, process, name, number)
		}
	}
	for attempt, before := range n.retries() {
		add(e, o.round[begins(attempt)], retriesFact, specs.String(attempt.process), specs.Int(int64(attempt.number)), specs.Int(int64(before.number)))
	}
	for _, from := range n.from {
		if from.process != n.process {
			send(e, false, from.process, n.process, begin-1, n.Name, number)
		}
	}
	if !n.remote() {
		return
	}
	send(e, lost, n.parent.process, n.process, begin-1, n.Name, number)
	switch {
	case n.unheard():
		send(e, true, n.process, n.parent.process, end, answer, number)
	case !n.answered():
	case n.Failed:
		send(e, false, n.process, n.parent.process, end, refusal, number, specs.String(n.Error))
	default:
		send(e, false, n.process, n.parent.process, end, answer, number)
	}
}

// Answered returns the call in a recording of a trace that a message answers, nil if it
// answers none.
func Answered(e *recording.Execution, m *recording.Message) *recording.Message {
	if m.Relation != answer && m.Relation != refusal || len(m.Args) < 2 {
		return nil
	}
	for i := range e.Messages {
		call := &e.Messages[i]
		if call.From == m.To && call.To == m.From && call.Round < m.Round && len(call.Args) == 2 && call.Args[1] == m.Args[1] {
			return call
		}
	}
	return nil
}

func (n *node) parentNumber() int64 {
	if n.parent == nil {
		return 0
	}
	return int64(n.parent.number)
}

func add(e *recording.Execution, round int, relation string, args ...specs.Value) {
	e.Facts = append(e.Facts, recording.Fact{Relation: relation, Args: args, Round: round})
}

// send adds a message. A lost one has the fault for its cause that does just that.
func send(e *recording.Execution, lost bool, from, to string, round int, relation string, args ...specs.Value) {
	m := recording.Message{From: from, To: to, Round: round, Relation: relation, Args: append([]specs.Value{specs.String(to)}, args...), Lost: lost}
	if lost {
		m.Cause = rounds.Fault{Kind: rounds.Omit, Process: from, To: to, Round: round}
	}
	e.Messages = append(e.Messages, m)
}
