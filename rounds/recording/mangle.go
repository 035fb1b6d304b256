package recording

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// WriteMangle writes the execution as facts of the Mangle language. Each fact
// has its round as a further, last argument: post("c", "hello", 6). The relations
// below are added; a relation of the program that has such a name, or a name that
// Mangle does not allow, gets another, which a comment tells.
//
//	process(Name).
//	sent(From, To, Round, Relation).   a message; From is "" if nobody sends it
//	lost(From, To, Round, Relation).   one that does not arrive
//	crashed(Process, Round).
//	isolated(Process, Round).
//
// An execution of a system written in Go has more of them:
//
//	payload(From, To, Round, Relation, Text).   the text of a message
//	arrives(From, To, Round, Relation, Text).   when one arrives that is not lost
//	restarted(Process, Round).
//	paused(Process, Round).
func (e *Execution) WriteMangle(w io.Writer) error {
	out := bufio.NewWriter(w)
	names := mangleNames(e.relations(), e.environmentRelations())
	for _, relation := range e.relations() {
		if names[relation] != relation {
			fmt.Fprintf(out, "# relation %q is written %s\n", relation, names[relation])
		}
	}
	var last string
	line := func(text string) {
		if text != last {
			fmt.Fprintf(out, "%s.\n", text)
		}
		last = text
	}
	for _, f := range e.environmentFacts() {
		line(mangleFact(f.Relation, f.Args))
	}
	for _, f := range e.Facts {
		line(mangleFact(names[f.Relation], append(slices.Clip(f.Args), specs.Int(int64(f.Round)))))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the facts of an execution: %w", err)
	}
	return nil
}

// relations returns the names of the relations of the facts, sorted.
func (e *Execution) relations() []string {
	var names []string
	for _, f := range e.Facts {
		names = append(names, f.Relation)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// environmentRelations returns the relations that WriteMangle adds.
func (e *Execution) environmentRelations() []string {
	relations := []string{"process", "sent", "lost", "crashed", "isolated"}
	if e.System != "" {
		relations = append(relations, "payload", "arrives", "restarted", "paused")
	}
	return relations
}

// environmentFacts returns the facts of the relations that WriteMangle adds,
// equal ones next to each other.
func (e *Execution) environmentFacts() []Fact {
	var facts []Fact
	add := func(relation string, args ...specs.Value) {
		facts = append(facts, Fact{Relation: relation, Args: args})
	}
	round := func(n int) specs.Value { return specs.Int(int64(n)) }
	for _, name := range e.Bounds.Processes {
		add("process", specs.String(name))
	}
	for _, f := range e.Schedule.Normal() {
		switch f.Kind {
		case rounds.Crash:
			add("crashed", specs.String(f.Process), round(f.Round))
		case rounds.Restart:
			add("restarted", specs.String(f.Process), round(f.Round))
		case rounds.Isolate, rounds.Pause:
			relation := map[rounds.Kind]string{rounds.Isolate: "isolated", rounds.Pause: "paused"}[f.Kind]
			for n := f.Round; n <= f.Until; n++ {
				add(relation, specs.String(f.Process), round(n))
			}
		}
	}
	for _, m := range e.Messages {
		add("sent", specs.String(m.From), specs.String(m.To), round(m.Round), specs.String(m.Relation))
	}
	for _, m := range e.Messages {
		if m.Lost {
			add("lost", specs.String(m.From), specs.String(m.To), round(m.Round), specs.String(m.Relation))
		}
	}
	if e.System != "" {
		return slices.Concat(facts, e.payloads())
	}
	return facts
}

// payloads returns the facts about the texts of messages.
func (e *Execution) payloads() []Fact {
	var sent, arrived []Fact
	for _, m := range e.Messages {
		text := ""
		if len(m.Args) > 1 {
			text = m.Args[1].Text()
		}
		args := func(round int) []specs.Value {
			return []specs.Value{specs.String(m.From), specs.String(m.To), specs.Int(int64(round)), specs.String(m.Relation), specs.String(text)}
		}
		sent = append(sent, Fact{Relation: "payload", Args: args(m.Round)})
		if round := cmp.Or(m.Arrival, m.Round); !m.Lost && round <= e.Bounds.EOT {
			arrived = append(arrived, Fact{Relation: "arrives", Args: args(round)})
		}
	}
	return slices.Concat(sent, arrived)
}

// mangleKeywords are words that a Mangle relation cannot have as its name.
var mangleKeywords = []string{"bound", "descr", "do", "inclusion", "let", "opt"}

// mangleNames returns a different name that Mangle allows for each relation,
// the same one where it can be, and none that others have.
func mangleNames(relations, others []string) map[string]string {
	taken := map[string]bool{}
	for _, word := range slices.Concat(others, mangleKeywords) {
		taken[word] = true
	}
	names := map[string]string{}
	for _, relation := range relations {
		if mangleName(relation) == relation && !taken[relation] {
			names[relation], taken[relation] = relation, true
		}
	}
	for _, relation := range relations {
		if names[relation] != "" {
			continue
		}
		name := mangleName(relation)
		for taken[name] {
			name += "_"
		}
		names[relation], taken[name] = name, true
	}
	return names
}

// mangleName replaces what Mangle does not allow in the name of a relation.
func mangleName(relation string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, relation)
	switch {
	case name != "" && name[0] >= 'a' && name[0] <= 'z':
		return name
	case name != "" && name[0] >= 'A' && name[0] <= 'Z':
		return strings.ToLower(name[:1]) + name[1:]
	default:
		return "r" + name
	}
}

func mangleFact(relation string, args []specs.Value) string {
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = mangleValue(arg)
	}
	return relation + "(" + strings.Join(texts, ", ") + ")"
}

// mangleValue writes a value; a string that is not valid UTF-8 is a byte string.
func mangleValue(v specs.Value) string {
	if v.IsInt() {
		return v.Text()
	}
	text := v.Text()
	valid := utf8.ValidString(text)
	var b strings.Builder
	if !valid {
		b.WriteByte('b')
	}
	b.WriteByte('"')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f || c >= utf8.RuneSelf && !valid:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
