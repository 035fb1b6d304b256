package datalog

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// WriteMangle writes the table of the execution as facts of the Mangle language,
// the Environment first: sent("a", "b", "log", "hello", 1). A comment tells which
// relations have other names than in the system.
func WriteMangle(w io.Writer, e *recording.Execution) error {
	var t Tabulator
	facts, err := t.Table(e)
	if err != nil {
		return fmt.Errorf("writing the facts of an execution: %w", err)
	}
	out := bufio.NewWriter(w)
	for _, relation := range slices.Sorted(maps.Keys(t.relations)) {
		if name := t.relations[relation].name; name != relation {
			fmt.Fprintf(out, "# relation %q is written %s\n", relation, name)
		}
	}
	slices.SortStableFunc(facts, func(f, g recording.Fact) int { return cmp.Compare(rank(f.Relation), rank(g.Relation)) })
	var last string
	for _, f := range facts {
		if line := MangleFact(f); line != last {
			fmt.Fprintf(out, "%s.\n", line)
			last = line
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the facts of an execution: %w", err)
	}
	return nil
}

// MangleFact returns a fact as the Mangle language has it, without its round.
func MangleFact(f recording.Fact) string {
	texts := make([]string, len(f.Args))
	for i, arg := range f.Args {
		texts[i] = mangleValue(arg)
	}
	return f.Relation + "(" + strings.Join(texts, ", ") + ")"
}

// mangleValue writes a value; a string that is not valid UTF-8 is a byte string,
// and one that cannot be printed as it is has escapes.
func mangleValue(v specs.Value) string {
	if v.IsInt() {
		return v.Text()
	}
	s := v.Text()
	valid, shown := utf8.ValidString(s), text.Safe(s) == s
	var b strings.Builder
	if !valid {
		b.WriteByte('b')
	}
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f || c >= utf8.RuneSelf && !valid || c == '#' && !shown:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c >= utf8.RuneSelf && !shown:
			r, size := utf8.DecodeRuneInString(s[i:])
			if piece := s[i : i+size]; text.Safe(piece) == piece {
				b.WriteString(piece)
			} else {
				fmt.Fprintf(&b, `\u{%04x}`, r)
			}
			i += size - 1
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// lines reads facts, one a line.
type lines struct{ fact, escape, value *regexp.Regexp }

func newLines() *lines {
	return &lines{
		fact:   regexp.MustCompile(`^([a-z]\w*)\((.*)\)\.\s*(?:#.*)?$`),
		escape: regexp.MustCompile(`\\(?:u\{[0-9a-f]{4,6}\}|.)`),
		value:  regexp.MustCompile(`^(?:-?\d+|b?"(?:[^"\\]|\\.)*")`),
	}
}

// ReadMangle reads the table of an execution, as WriteMangle writes it: a fact
// relation(value, ...). to a line, of integers and strings, and comments. What
// is wrong is a *LineError.
func ReadMangle(r io.Reader) ([]recording.Fact, error) {
	var facts []recording.Fact
	lines := newLines()
	in := bufio.NewScanner(r)
	in.Buffer(nil, 16<<20)
	for line := 1; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		f, err := lines.read(text)
		if err != nil {
			return nil, &recording.LineError{Line: line, Err: err}
		}
		facts = append(facts, f)
	}
	return facts, in.Err()
}

func (l *lines) read(text string) (recording.Fact, error) {
	match := l.fact.FindStringSubmatch(text)
	if match == nil {
		return recording.Fact{}, fmt.Errorf("a line has one fact, as in sent(\"a\", \"b\", \"log\", \"hello\", 1)., and not %s", text)
	}
	f := recording.Fact{Relation: match[1], Round: 1}
	for rest := strings.TrimSpace(match[2]); rest != ""; {
		if len(f.Args) > 0 {
			var comma bool
			if rest, comma = strings.CutPrefix(rest, ","); !comma {
				return f, fmt.Errorf("%s: there is no comma before %s", f.Relation, rest)
			}
			rest = strings.TrimSpace(rest)
		}
		value := l.value.FindString(rest)
		v, err := l.readValue(value)
		if err != nil {
			return f, fmt.Errorf("%s: a value is an integer or a string, and not %s", f.Relation, rest)
		}
		f.Args = append(f.Args, v)
		rest = strings.TrimSpace(rest[len(value):])
	}
	return f, nil
}

func (l *lines) readValue(text string) (specs.Value, error) {
	if quoted := strings.TrimPrefix(text, "b"); strings.HasPrefix(quoted, `"`) {
		s, err := strconv.Unquote(l.escape.ReplaceAllStringFunc(quoted, goEscape))
		return specs.String(s), err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return specs.Int(n), err
}

// goEscape returns an escape of the Mangle language as Go has it.
func goEscape(escape string) string {
	if digits, ok := strings.CutPrefix(escape, `\u{`); ok {
		return `\U` + strings.Repeat("0", 8-len(digits)+1) + strings.TrimSuffix(digits, "}")
	}
	return escape
}
