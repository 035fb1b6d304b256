package maelstrom

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// operation is what a client asked of a node, and what it was told.
type operation struct {
	node     string
	asked    Body
	round    int
	request  recording.Fact
	told     Body // nil: nothing yet
	answered int  // in which round
	reply    recording.Fact
}

// history returns the operations of an execution, in the order in which they were
// asked.
func history(e *recording.Execution) []*operation {
	var all []*operation
	byID := map[specs.Value]*operation{}
	for _, f := range e.Facts {
		if len(f.Args) != 3 || f.Relation != "request" {
			continue
		}
		if body, ok := parseBody(f.Args[2].Text()); ok && byID[f.Args[1]] == nil {
			o := &operation{node: f.Args[0].Text(), asked: body, round: f.Round, request: f}
			byID[f.Args[1]] = o
			all = append(all, o)
		}
	}
	for _, f := range e.Facts {
		if len(f.Args) != 3 || f.Relation != "reply" {
			continue
		}
		if o := byID[f.Args[1]]; o != nil && o.told == nil {
			if body, ok := parseBody(f.Args[2].Text()); ok {
				o.told, o.answered, o.reply = body, f.Round, f
			}
		}
	}
	return all
}

// succeeded tells whether the node said that it did what it was asked.
func (o *operation) succeeded() bool { return o.told != nil && o.told.Type() == o.asked.Type()+"_ok" }

// failed tells whether the operation has certainly had no effect, and will not have
// one: an error says so by its code.
func (o *operation) failed() bool {
	return o.told != nil && o.told.Type() == "error" && definite(o.told.integer("code"))
}

// definite tells which of the errors of the protocol say that nothing happened. Those
// that do not are a timeout, a crash, and codes of one's own.
func definite(code int) bool {
	return slices.Contains([]int{1, 10, 11, 12, 14, 20, 21, 22, 30}, code)
}

// asks returns the operations of one kind.
func asks(all []*operation, kind string) (some []*operation) {
	for _, o := range all {
		if o.asked.Type() == kind {
			some = append(some, o)
		}
	}
	return some
}

// lastReads returns what each node that was asked to read was told last that
// is an answer, in the order of the processes; an operation without told if there was none.
func lastReads(e *recording.Execution, all []*operation) (reads []*operation) {
	for _, node := range e.Bounds.Processes {
		var last *operation
		for _, o := range asks(all, "read") {
			if o.node == node && (last == nil || o.succeeded()) {
				last = o
			}
		}
		if last != nil && !down(e, node) {
			reads = append(reads, last)
		}
	}
	return reads
}

// down tells whether a process has crashed, and is not back by the end.
func down(e *recording.Execution, process string) bool {
	crashes := 0
	for _, f := range e.Schedule.Faults {
		if f.Process == process && f.Round <= e.Bounds.EOT {
			switch f.Kind {
			case rounds.Crash:
				crashes++
			case rounds.Restart:
				crashes--
			}
		}
	}
	return crashes > 0
}

// crashedSince tells whether a process crashed in a round or later.
func crashedSince(e *recording.Execution, process string, round int) bool {
	return slices.ContainsFunc(e.Schedule.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Crash && f.Process == process && f.Round >= round
	})
}

// violation says what is wrong, and which facts show it.
func violation(property, text string, facts ...recording.Fact) result.Violation {
	fact := recording.Fact{Relation: "violation"}
	for _, f := range facts {
		fact.Args = append(fact.Args, specs.String(f.String()))
	}
	return result.Violation{Property: property, Fact: fact, Text: text}
}

// says returns what a node answered, as a sentence.
func (o *operation) says() string {
	if o.told == nil {
		return fmt.Sprintf("%s does not answer %s of round %d", o.node, o.asked, o.round)
	}
	return fmt.Sprintf("%s answers %s of round %d with %s in round %d", o.node, o.asked, o.round, o.told, o.answered)
}

// last returns what is known last of an operation.
func (o *operation) last() recording.Fact {
	if o.told == nil {
		return o.request
	}
	return o.reply
}
