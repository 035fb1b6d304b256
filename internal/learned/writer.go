package learned

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// writer writes a program.
type writer struct {
	out    strings.Builder
	alias  map[string]string           // what relations of the table are called
	values map[specs.Value]specs.Value // what stands for values in the program
	quoted names                       // these
}

func newWriter() *writer {
	return &writer{alias: map[string]string{}, values: map[specs.Value]specs.Value{}, quoted: names{}}
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteByte('\n')
}

// comment writes lines of a comment, after an empty line.
func (w *writer) comment(lines ...string) {
	w.line("")
	for _, line := range lines {
		w.line("// %s", text.Safe(line))
	}
}

// rules writes rules about relations of the table, and about those that are named in
// full by [given].
func (w *writer) rules(format string, args ...any) error {
	p, err := dedalus.ParseText("table", fmt.Sprintf(format, args...))
	if err != nil {
		return err
	}
	for _, r := range p.Rules {
		w.line("%s", r.Rewritten(w.own, w.value))
	}
	return nil
}

// given names a relation of a system for rules, which no relation of the table has.
func given(relation string) string { return relation + "?" }

// own returns what a relation of the table is called.
func (w *writer) own(relation string) string {
	if name, ok := strings.CutSuffix(relation, "?"); ok {
		return name
	}
	if alias, ok := w.alias[relation]; ok {
		return alias
	}
	return relation
}

// value returns what stands for a value: a string of a program has no quotes in it, and
// here nothing that cannot be printed.
func (w *writer) value(v specs.Value) specs.Value {
	if v.IsInt() {
		return v
	}
	other, known := w.values[v]
	if !known {
		other = specs.String(w.quoted.of(quotable(text.Safe(v.Text()))))
		w.values[v] = other
	}
	return other
}

// fact states a fact of a round.
func (w *writer) fact(round int, relation string, args ...specs.Value) {
	w.line("%s", &syntax.Fact{Relation: relation, Args: args, Round: round})
}
