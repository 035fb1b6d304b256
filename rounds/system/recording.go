package system

import (
	"reflect"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// record is what happens in an execution. Its memory is reused for the next
// one, except for the arguments of facts and messages, which the executions that
// it returns share.
type record struct {
	facts    []recording.Fact
	messages []recording.Message
	kind     string // of the last message
	text     specs.Value
}

// slabSize is how many arguments are allocated at a time.
const slabSize = 256

// arguments returns room for n arguments.
func (r *Runner) arguments(n int) []specs.Value {
	if len(r.slab)+n > cap(r.slab) {
		size := slabSize
		if r.passing() {
			size = 2 * cap(r.slab) // for the next execution, too
		}
		r.slab = make([]specs.Value, 0, max(size, slabSize, n))
	}
	from := len(r.slab)
	r.slab = r.slab[:from+n]
	return r.slab[from : from+n : from+n]
}

// fact returns relation(process, args...) in this round.
func (r *Runner) fact(relation string, process int, args ...any) recording.Fact {
	values := r.arguments(1 + len(args))
	values[0] = r.names[process]
	for i, arg := range args {
		values[i+1] = execution.PayloadValue(arg)
	}
	return recording.Fact{Relation: relation, Args: values, Round: r.round}
}

// factOf returns the same of values.
func (r *Runner) factOf(relation string, process int, args ...specs.Value) recording.Fact {
	values := r.arguments(1 + len(args))
	values[0] = r.names[process]
	copy(values[1:], args)
	return recording.Fact{Relation: relation, Args: values, Round: r.round}
}

// kind names the kind of a message, as payloadtext.Kind does.
func (r *Runner) kind(payload any) string {
	if _, ok := payload.(interface{ Kind() string }); ok {
		return execution.PayloadKind(payload)
	}
	t := reflect.TypeOf(payload)
	kind, ok := r.kinds[t]
	if !ok {
		kind = execution.PayloadKind(payload)
		r.kinds[t] = kind
	}
	return kind
}

func (r *Runner) recordsMessages() bool { return r.options.Record && !r.options.FactsOnly }

// passing tells whether the memory of the recording is used again.
func (r *Runner) passing() bool { return r.options.FactsOnly && r.options.Transition == nil }

// recordMessage records a message and returns its place. Its arguments are the
// receiver, as in Dedalus programs, and the text of its payload.
func (r *Runner) recordMessage(from int, p *envelope, delivers, waits bool) int {
	to := &r.recording
	args := p.args
	switch {
	case args != nil:
		to.kind, to.text = p.kind, args[1]
	case !p.again:
		to.kind, to.text = r.kind(p.payload), specs.String(execution.PayloadText(p.payload))
	}
	if args == nil {
		args = r.arguments(2)
		args[0], args[1] = r.names[p.to], to.text
	}
	to.messages = append(to.messages, recording.Message{
		From: r.system.Processes[from], To: r.system.Processes[p.to], Round: r.round, Relation: to.kind, Args: args, Lost: !delivers,
	})
	m := &to.messages[len(to.messages)-1]
	switch {
	case !delivers:
		m.Cause = r.cause(from, p.to)
	case waits:
		m.Arrival = r.rounds() + 1 // unless the pause ends before
	}
	return len(to.messages) - 1
}

// cause returns the first fault, in normal form, that loses what is sent in this
// round.
func (r *Runner) cause(from, to int) rounds.Fault {
	cause, lost := rounds.Fault{}, false
	if from != to {
		cause, lost = r.env.Cause(from, to, r.round)
	}
	if r.struck.loses && (!lost || r.struck.lost.Compare(cause) < 0) {
		cause, lost = r.struck.lost, true
	}
	if p := r.processes[to]; p.fell && (!lost || p.ending.Compare(cause) < 0) {
		cause = p.ending
	}
	return cause
}

// Execution returns the recording of the rounds so far, also after a panic of a
// process; nil if nothing is recorded. Later executions do not change it, except with
// FactsOnly: then it has no messages, and is valid until the next execution.
func (r *Runner) Execution() *recording.Execution {
	if !r.options.Record {
		return nil
	}
	e := &recording.Execution{
		System: r.system.Name, Bounds: r.bounds(), Schedule: r.drawn(), Inexact: r.inexact,
		Facts: r.recording.facts, Messages: r.recording.messages,
		Unreached: rounds.Schedule{Faults: r.unreached}.Normal(),
	}
	if r.system.Warnings != nil {
		var all []Process
		for _, p := range r.processes {
			all = append(all, p.process)
		}
		e.Warnings = r.system.Warnings(all)
	}
	if !r.options.FactsOnly {
		e.Facts, e.Messages = slices.Clone(e.Facts), slices.Clone(e.Messages)
	}
	e.Sort()
	return e
}

// bounds returns those of a recording, in which nothing can be chosen but what was.
func (r *Runner) bounds() rounds.Bounds {
	b := r.env.Bounds()
	if len(r.chosen) > 0 {
		b.Choose = execution.Chosen(r.schedule)
	}
	return b
}
