package explain

import (
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// header explains the relations.
const header = `# The lineage of the promise under every schedule within the bounds. Facts and faults are texts, firings are numbers.
# stated(Fact)              the program states it
# made_by(Fact, Fault)      this fault makes it: crash(..) is built in
# fired(Firing, Fact, Rule) the rule gives the fact, if it has what it needs and no fault prevents it
# needs(Firing, Fact)       the fact has to be there
# needs_no(Firing, Fact)    the fact must not be there
# lost_by(Firing, Fault)    this fault prevents it: it loses the message, or stops the process
# row(Firing, Row)          an aggregate over these firings, which give no fact of their own
# made_by(Fact, Choice)     the environment chooses it
# root(Fact)                the promise is about this fact
`

// WriteFacts writes the lineage as facts of the Mangle language. A fact holds under a
// schedule if it is stated, if the schedule has a fault that makes it, or if some
// firing gives it. Of a process that has stopped a fact is carried over by one firing
// for each of its crashes, with the rule "stopped". What holds unless
// the environment chooses something else is given by a firing of the rule "default".
func (l *Lineage) WriteFacts(w io.Writer) error {
	f := &factWriter{out: w}
	_, f.err = io.WriteString(w, header)
	numbers := map[*provenance.Firing]int{}
	l.visit(visitor{
		fact: f.fact,
		firing: func(_ int, firing *provenance.Firing, gives *provenance.Fact) {
			numbers[firing] = f.firing(firing, gives)
		},
	})
	l.visit(visitor{fact: func(*provenance.Fact) {}, firing: func(_ int, firing *provenance.Firing, _ *provenance.Fact) {
		for _, row := range firing.Rows() {
			f.write("row", numbers[firing], numbers[row])
		}
	}})
	for _, root := range l.Roots {
		f.write("root", root)
	}
	if f.err != nil {
		return fmt.Errorf("writing the facts of the lineage: %w", f.err)
	}
	return nil
}

// factWriter writes facts, until the first error.
type factWriter struct {
	out     io.Writer
	firings int
	err     error
}

func (f *factWriter) write(relation string, args ...any) {
	if f.err != nil {
		return
	}
	fact := recording.Fact{Relation: relation}
	for _, arg := range args {
		if n, ok := arg.(int); ok {
			fact.Args = append(fact.Args, specs.Int(int64(n)))
		} else {
			fact.Args = append(fact.Args, specs.String(fmt.Sprint(arg)))
		}
	}
	_, f.err = fmt.Fprintf(f.out, "%s.\n", datalog.MangleFact(fact))
}

func (f *factWriter) fact(fact *provenance.Fact) {
	if fact.Given() {
		f.write("stated", fact)
	}
	if fault, ok := fact.MadeBy(); ok {
		f.write("made_by", fact, fault)
	}
}

// firing writes a firing, and returns its number.
func (f *factWriter) firing(firing *provenance.Firing, gives *provenance.Fact) int {
	if stops := firing.StoppedBy(); stops != nil {
		for _, crash := range stops {
			happens := fmt.Sprintf("the fault %s", crash)
			f.write("made_by", happens, crash)
			f.number(gives, "stopped")
			f.write("needs", f.firings, happens)
			f.needs(firing)
		}
		return f.firings
	}
	if chosen, unless, ok := firing.Choice(); ok {
		return f.choice(chosen, unless, gives)
	}
	if late := firing.LateBy(); late != nil {
		for _, fault := range late {
			happens := fmt.Sprintf("the fault %s", fault)
			f.write("made_by", happens, fault)
			f.number(gives, rulePlace(firing.Rule()))
			f.write("needs", f.firings, happens)
			f.needs(firing)
			f.losses(firing)
		}
		return f.firings
	}
	f.number(gives, rulePlace(firing.Rule()))
	f.needs(firing)
	f.losses(firing)
	return f.firings
}

func (f *factWriter) losses(firing *provenance.Firing) {
	for _, fault := range firing.LostBy() {
		f.write("lost_by", f.firings, fault)
	}
}

// choice writes a choice of the environment.
func (f *factWriter) choice(chosen rounds.Fault, unless []rounds.Fault, gives *provenance.Fact) int {
	if unless == nil {
		f.write("made_by", gives, chosen)
		return f.firings
	}
	f.number(gives, "default")
	for _, other := range unless {
		f.write("lost_by", f.firings, other)
	}
	return f.firings
}

func (f *factWriter) number(gives *provenance.Fact, rule string) {
	f.firings++
	if gives != nil {
		f.write("fired", f.firings, gives, rule)
	}
}

func (f *factWriter) needs(firing *provenance.Firing) {
	for _, used := range firing.Positive() {
		f.write("needs", f.firings, used)
	}
	for _, absence := range firing.Negative() {
		for _, absent := range absence.Facts {
			f.write("needs_no", f.firings, absent)
		}
	}
}
