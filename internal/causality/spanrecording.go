package causality

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
const FromOneTrace = "from one trace, not executed: it does not show what else the services may do"

// inexactTrace says in a recording what it is not.
const inexactTrace = "it is a trace of a real service, which ldfi did not execute"

// The facts of a recording of a trace. The number of a span is its place in the tree of
// the trace.
const (
	spanFact      = "span"    // span(process, number, number of the parent or 0, name, identifier), when it begins
	askedFact     = "asked"   // asked(process, number, number of the parent, service, name), when the process calls another that did not record it
	EndedFact     = "ended"   // ended(process, name, number), when it ends well
	failedFact    = "failed"  // failed(process, name, number, why), when it ends otherwise
	retriesFact   = "retries" // retries(process, number, number of the attempt before), when it begins
	answerMessage = "answer"  // a message: what was asked for
	errorMessage  = "error"   // a message: that it failed, and why
)

// Recording returns the trace as an execution.
func (t *Trace) Recording() (*recording.Execution, error) {
	o, err := newSpanOrder(t)
	if err != nil {
		return nil, err
	}
	e := &recording.Execution{System: SystemPrefix + t.ID, Inexact: inexactTrace}
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
func (t *Trace) tell(e *recording.Execution, o *spanOrder, n *spanNode, lost bool) {
	begin, end := o.round[spanBegins(n)], o.round[spanEnds(n)]
	process, number, name := specs.String(n.process), specs.Int(int64(n.number)), specs.String(n.Name)
	parent := specs.Int(n.parentNumber())
	if n.guessed {
		recordFact(e, begin-spanDistance(n.parent, n), askedFact, specs.String(n.parent.process), number, parent, process, name)
	} else {
		recordFact(e, begin, spanFact, process, number, parent, name, specs.String(n.ID))
		if n.Failed {
			recordFact(e, end, failedFact, process, name, number, specs.String(n.Error))
		} else {
			recordFact(e, end, EndedFact, process, name, number)
		}
	}
	for attempt, before := range n.retries() {
		recordFact(e, o.round[spanBegins(attempt)], retriesFact, specs.String(attempt.process), specs.Int(int64(attempt.number)), specs.Int(int64(before.number)))
	}
	for _, from := range n.from {
		if from.process != n.process {
			recordMessage(e, false, from.process, n.process, begin-1, n.Name, number)
		}
	}
	if !n.remote() {
		return
	}
	recordMessage(e, lost, n.parent.process, n.process, begin-1, n.Name, number)
	switch {
	case n.unheard():
		recordMessage(e, true, n.process, n.parent.process, end, answerMessage, number)
	case !n.answered():
	case n.Failed:
		recordMessage(e, false, n.process, n.parent.process, end, errorMessage, number, specs.String(n.Error))
	default:
		recordMessage(e, false, n.process, n.parent.process, end, answerMessage, number)
	}
}

// Answered returns the call in a recording of a trace that a message answers, nil if it
// answers none.
func Answered(e *recording.Execution, m *recording.Message) *recording.Message {
	if m.Relation != answerMessage && m.Relation != errorMessage || len(m.Args) < 2 {
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

func (n *spanNode) parentNumber() int64 {
	if n.parent == nil {
		return 0
	}
	return int64(n.parent.number)
}

func recordFact(e *recording.Execution, round int, relation string, args ...specs.Value) {
	e.Facts = append(e.Facts, recording.Fact{Relation: relation, Args: args, Round: round})
}

// recordMessage adds a message. A lost one has the fault for its cause that does just that.
func recordMessage(e *recording.Execution, lost bool, from, to string, round int, relation string, args ...specs.Value) {
	m := recording.Message{From: from, To: to, Round: round, Relation: relation, Args: append([]specs.Value{specs.String(to)}, args...), Lost: lost}
	if lost {
		m.Cause = rounds.Fault{Kind: rounds.Omit, Process: from, To: to, Round: round}
	}
	e.Messages = append(e.Messages, m)
}
