package property

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// loader makes the facts that some rules read of an execution. It reuses its
// memory.
type loader struct {
	*rules
	facts  []recording.Fact
	values []specs.Value
	names  map[string]specs.Value // of processes, as the facts have them
	called map[string]string      // what the rules call the relations of recordings
}

// load returns the facts of an execution that the rules read, all in round 1,
// with the round that they hold in as the last column. They are valid until the
// next call.
func (l *loader) load(e *recording.Execution) ([]recording.Fact, error) {
	l.facts, l.values = l.facts[:0], l.values[:0]
	l.names = processValues(e)
	for i := range e.Facts {
		f := &e.Facts[i]
		name := l.call(f.Relation)
		n, read := l.reads[name]
		if !read {
			if has(l.defined, name) && !isPromise(name) {
				return nil, fmt.Errorf("%s: the rules derive %s, and the recording has facts of it, as in %s: call the derived relation something else", l.name, name, f)
			}
			continue
		}
		if n != len(f.Args)+1 {
			return nil, fmt.Errorf("%s: the rules read %s with %s, and %s has %d, with the round as the last", l.name, name, plural(n, "column"), f, len(f.Args)+1)
		}
		l.add(relationName(name), f.Args, number(f.Round))
	}
	l.scope(e)
	l.schedule(e)
	l.messages(e)
	return l.facts, nil
}

// call returns what the rules call a relation.
func (l *loader) call(relation string) string {
	name, ok := l.called[relation]
	if !ok {
		if l.called == nil || len(l.called) > 1000 {
			l.called = map[string]string{}
		}
		name = ruleName(relation)
		l.called[relation] = name
	}
	return name
}

// isPromise tells whether a relation says what is wrong: a Dedalus program may
// have one, and a property of its executions another.
func isPromise(relation string) bool {
	return relation == "violation" || relation == "pre" || relation == "post"
}

func number(n int) specs.Value { return specs.Int(int64(n)) }

// add adds a fact, with more values behind its arguments.
func (l *loader) add(relation string, args []specs.Value, more ...specs.Value) {
	from := len(l.values)
	l.values = append(append(l.values, args...), more...)
	l.facts = append(l.facts, recording.Fact{Relation: relation, Args: l.values[from:len(l.values):len(l.values)], Round: 1})
}

// process returns the value of a process.
func (l *loader) process(name string) specs.Value {
	if v, ok := l.names[name]; ok {
		return v
	}
	return specs.String(name)
}

// scope adds the processes and rounds.
func (l *loader) scope(e *recording.Execution) {
	if has(l.reads, "eot") {
		l.add("eot", nil, number(e.Bounds.EOT))
	}
	if has(l.reads, "round") {
		for n := 1; n <= e.Bounds.EOT; n++ {
			l.add("round", nil, number(n))
		}
	}
	process, before := has(l.reads, "process"), has(l.reads, "before")
	for i, p := range e.Bounds.Processes {
		if process {
			l.add("process", nil, l.process(p))
		}
		for _, q := range e.Bounds.Processes[i+1:] {
			if before {
				l.add("before", nil, l.process(p), l.process(q))
			}
		}
	}
}

// scheduled are the relations of the faults of a process.
var scheduled = map[rounds.Kind]string{
	rounds.Crash: "crashed", rounds.Restart: "restarted", rounds.Isolate: "isolated", rounds.Pause: "paused",
}

// schedule adds the faults.
func (l *loader) schedule(e *recording.Execution) {
	for _, f := range e.Schedule {
		relation := scheduled[f.Kind]
		if relation == "" || !has(l.reads, relation) {
			continue
		}
		for n := f.Round; n <= max(f.Round, f.Until); n++ {
			l.add(relation, nil, l.process(f.Process), number(n))
		}
	}
}

// messages adds the messages.
func (l *loader) messages(e *recording.Execution) {
	sent, delivered, lost := has(l.reads, "sent"), has(l.reads, "delivered"), has(l.reads, "lost")
	if !sent && !delivered && !lost {
		return
	}
	for i := range e.Messages {
		m := &e.Messages[i]
		from, to, kind, text := l.process(m.From), l.process(m.To), specs.String(m.Relation), payload(m)
		if sent {
			l.add("sent", nil, from, to, kind, text, number(m.Round))
		}
		if lost && m.Lost {
			l.add("lost", nil, from, to, kind, text, number(m.Round))
		}
		if at := max(m.Round, m.Arrival); delivered && !m.Lost && at <= e.Bounds.EOT {
			l.add("delivered", nil, from, to, kind, text, number(at))
		}
	}
}

// payload returns what a message says besides its receiver: a single value as
// it is, several as a program writes them.
func payload(m *recording.Message) specs.Value {
	if len(m.Args) == 2 {
		return m.Args[1]
	}
	var texts []string
	for _, v := range m.Args[min(1, len(m.Args)):] {
		texts = append(texts, v.String())
	}
	return specs.String(strings.Join(texts, ", "))
}

// processValues returns the values of processes that are called like integers:
// in the facts of Dedalus programs such names are integers.
func processValues(e *recording.Execution) map[string]specs.Value {
	var values map[string]specs.Value
	if e.System != "" {
		return nil
	}
	for _, p := range e.Bounds.Processes {
		n, err := strconv.ParseInt(p, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != p || !mentions(e, specs.Int(n)) {
			continue
		}
		if values == nil {
			values = map[string]specs.Value{}
		}
		values[p] = specs.Int(n)
	}
	return values
}

// mentions tells whether a fact or message is at a process.
func mentions(e *recording.Execution, process specs.Value) bool {
	at := func(args []specs.Value) bool { return len(args) > 0 && args[0] == process }
	return slices.ContainsFunc(e.Facts, func(f recording.Fact) bool { return at(f.Args) }) ||
		slices.ContainsFunc(e.Messages, func(m recording.Message) bool { return at(m.Args) })
}
