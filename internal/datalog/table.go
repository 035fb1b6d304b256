package datalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// keywords are words of Mangle that no relation can be called by.
var keywords = []string{"bound", "descr", "do", "inclusion", "let", "opt"}

// promises are the relations that say what is wrong.
var promises = []string{"violation", "pre", "post"}

// reserved tells whether no relation of a system has a name in a table.
func reserved(name string) bool {
	return name == "crash" || // which is built into Dedalus
		slices.Contains(keywords, name) || slices.ContainsFunc(Environment, func(r Relation) bool { return r.Name == name })
}

// TableName returns what a table calls a relation of a system: what Mangle does
// not allow in a name is _, a capital at the beginning is a small letter, and a
// name that means something else already has _ behind it.
func TableName(relation string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, relation)
	switch {
	case name == "" || name[0] == '_' || name[0] >= '0' && name[0] <= '9':
		name = "r" + name
	case name[0] >= 'A' && name[0] <= 'Z':
		name = strings.ToLower(name[:1]) + name[1:]
	}
	if reserved(name) {
		name += "_"
	}
	return name
}

// Tabulator makes tables of executions. It reuses its memory, and is for one
// goroutine.
type Tabulator struct {
	// Reads are the relations that are wanted, with their columns; nil for all.
	// A fact of them with other columns is an error.
	Reads map[string]int

	// Derives are the relations that rules derive, which a system must not have as
	// well. It may have violation, pre and post: a Dedalus program has its own.
	Derives map[string]int

	// Reserved are more names that mean something else in the rules, besides those of the
	// Environment.
	Reserved []string

	// Value returns the value that the facts of an execution have for a process; nil where
	// that is to be found out.
	Value func(process string) specs.Value

	facts     []recording.Fact
	values    []specs.Value
	names     map[string]specs.Value // of processes, as the facts have them
	relations map[string]table       // by the names that they have in the system
}

// table is how a relation of a system is tabulated.
type table struct {
	name    string
	columns int // 0 for any
	wanted  bool
}

// Table returns the facts of an execution as rules read them and WriteMangle
// writes them: those that processes report, with the round behind their
// arguments, and those of the Environment. The Round of each is 1: all of them
// are the input of rules that are evaluated once. They are valid until the next
// call.
//
// It is an error if two relations of the system would have one name.
func (t *Tabulator) Table(e *recording.Execution) ([]recording.Fact, error) {
	t.facts, t.values = t.facts[:0], t.values[:0]
	if t.Value == nil {
		t.names = processValues(e)
	}
	for i := range e.Facts {
		f := &e.Facts[i]
		relation, known := t.relations[f.Relation]
		if !known {
			var err error
			if relation, err = t.relation(f); err != nil {
				return nil, err
			}
		}
		switch {
		case !relation.wanted:
			continue
		case relation.columns != 0 && relation.columns != len(f.Args)+1:
			return nil, fmt.Errorf("the rules read %s with %d columns, and %s has %d, with the round as the last", relation.name, relation.columns, f, len(f.Args)+1)
		}
		t.add(relation.name, f.Args, number(f.Round))
	}
	t.scope(e)
	t.schedule(e)
	t.messages(e)
	return t.facts, nil
}

// relation decides how the relation of a fact is tabulated.
func (t *Tabulator) relation(f *recording.Fact) (table, error) {
	is := table{name: TableName(f.Relation)}
	if slices.Contains(t.Reserved, is.name) {
		is.name += "_"
	}
	is.wanted = t.wants(is.name)
	is.columns = t.Reads[is.name]
	if _, derived := t.Derives[is.name]; derived && !is.wanted && !slices.Contains(promises, is.name) {
		return is, fmt.Errorf("the rules derive %s, and the recording has facts of it, as in %s: call the derived relation something else", is.name, f)
	}
	for other, known := range t.relations {
		if is.wanted && known.name == is.name {
			return is, fmt.Errorf("the relations %q and %q would both be %s in rules: give one of them another name", min(f.Relation, other), max(f.Relation, other), is.name)
		}
	}
	if t.relations == nil || len(t.relations) > 1000 {
		t.relations = map[string]table{}
	}
	t.relations[f.Relation] = is
	return is, nil
}

func (t *Tabulator) wants(relation string) bool {
	_, wanted := t.Reads[relation]
	return wanted || t.Reads == nil
}

func number(n int) specs.Value { return specs.Int(int64(n)) }

// add adds a fact, with more values behind its arguments.
func (t *Tabulator) add(relation string, args []specs.Value, more ...specs.Value) {
	from := len(t.values)
	t.values = append(append(t.values, args...), more...)
	t.facts = append(t.facts, recording.Fact{Relation: relation, Args: t.values[from:len(t.values):len(t.values)], Round: 1})
}

// process returns the value of a process.
func (t *Tabulator) process(name string) specs.Value {
	if t.Value != nil {
		return t.Value(name)
	}
	if v, ok := t.names[name]; ok {
		return v
	}
	return specs.String(name)
}

// scope adds the processes and rounds.
func (t *Tabulator) scope(e *recording.Execution) {
	if t.wants("eot") {
		t.add("eot", nil, number(e.Bounds.EOT))
	}
	if t.wants("round") {
		for n := 1; n <= e.Bounds.EOT; n++ {
			t.add("round", nil, number(n))
		}
	}
	process, before := t.wants("process"), t.wants("before")
	for i, p := range e.Bounds.Processes {
		if process {
			t.add("process", nil, t.process(p))
		}
		for _, q := range e.Bounds.Processes[i+1:] {
			if before {
				t.add("before", nil, t.process(p), t.process(q))
			}
		}
	}
}

// schedule adds the faults.
func (t *Tabulator) schedule(e *recording.Execution) {
	for _, f := range e.Schedule.Faults {
		if f.Point() != "" && t.wants("crashed_at") {
			t.add("crashed_at", nil, t.process(f.Process), specs.String(f.Point()), number(f.Round))
		}
		if f.Kind == rounds.Partition {
			t.partition(e.Bounds.Processes, f)
			continue
		}
		i := slices.IndexFunc(Environment, func(r Relation) bool { return r.About == Faults && r.fault == f.Kind })
		if i < 0 || !t.wants(Environment[i].Name) {
			continue
		}
		for n := f.Round; n <= max(f.Round, f.Until); n++ {
			t.add(Environment[i].Name, nil, t.process(f.Process), number(n))
		}
	}
}

// partition adds the pairs of processes that are on different sides of one.
func (t *Tabulator) partition(processes []string, f rounds.Fault) {
	if !t.wants("parted") {
		return
	}
	side, others, _ := strings.Cut(f.Detail, "|")
	if side == "*" {
		side = others
	}
	var first, second []string
	for _, p := range processes {
		if slices.Contains(strings.Split(side, ","), p) {
			first = append(first, p)
		} else {
			second = append(second, p)
		}
	}
	for n := f.Round; n <= max(f.Round, f.Until); n++ {
		for _, p := range first {
			for _, q := range second {
				t.add("parted", nil, t.process(p), t.process(q), number(n))
				t.add("parted", nil, t.process(q), t.process(p), number(n))
			}
		}
	}
}

// messages adds the messages.
func (t *Tabulator) messages(e *recording.Execution) {
	sent, delivered, lost := t.wants("sent"), t.wants("delivered"), t.wants("lost")
	if !sent && !delivered && !lost {
		return
	}
	for i := range e.Messages {
		m := &e.Messages[i]
		from, to, kind, text := t.Message(m)
		if sent {
			t.add("sent", nil, from, to, kind, text, number(m.Round))
		}
		if lost && m.Lost {
			t.add("lost", nil, from, to, kind, text, number(m.Round))
		}
		if at := max(m.Round, m.Arrival); delivered && !m.Lost && at <= e.Bounds.EOT {
			t.add("delivered", nil, from, to, kind, text, number(at))
		}
	}
}

// Message returns what rules see of a message of the execution whose table was made last.
func (t *Tabulator) Message(m *recording.Message) (from, to, kind, text specs.Value) {
	return t.process(m.From), t.process(m.To), specs.String(m.Relation), payload(m)
}

// payload returns what a message says besides its receiver.
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
