package suite

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/atomicfile"
)

// Update writes what a report found into the file of the suite, as what is
// expected of each case from then on, and returns the names of the cases that
// changed. All else stays as it is, comments too. What is inconclusive, or could
// not be asked, is left alone.
func (s *Suite) Update(r *Report) (changed []string, err error) {
	text, err := os.ReadFile(s.File)
	if err != nil {
		return nil, fmt.Errorf("updating the suite: %w", err)
	}
	wanted, changed, err := s.wanted(r)
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	updated, err := s.updated(string(text), wanted)
	if err != nil {
		return nil, err
	}
	err = atomicfile.Write(s.File, func(w io.Writer) error {
		_, err := io.WriteString(w, updated)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		if want, ok := wanted[s.Cases[c.Index].entry]; ok {
			c.Expect, c.ExpectFaults = want.expect, want.faults
			c.judge(false)
		}
	}
	return changed, nil
}

// expectation is what an entry is to say.
type expectation struct {
	expect ldfi.Verdict
	faults *int
}

func (e expectation) equal(f expectation) bool {
	if (e.faults == nil) != (f.faults == nil) || e.expect != f.expect {
		return false
	}
	return e.faults == nil || *e.faults == *f.faults
}

// wanted returns what the entries that change are to say, by their numbers, and
// the cases that change.
func (s *Suite) wanted(r *Report) (map[int]expectation, []string, error) {
	found := map[int]expectation{}
	by := map[int]*Case{} // the case whose answer that is
	wanted, changed := map[int]expectation{}, []string{}
	apart := map[int]error{} // entries that cannot say all that was found
	for _, result := range r.Cases {
		if result.Outcome != Pass && result.Outcome != Fail {
			continue
		}
		c := &s.Cases[result.Index]
		e := c.answered(&result)
		if before, ok := found[c.entry]; ok && !before.equal(e) {
			apart[c.entry] = fmt.Errorf("%s: %s and %s have different answers and come from one entry of the suite: give one of them an entry of its own",
				c.Position, by[c.entry].Name, c.Name)
		}
		found[c.entry], by[c.entry] = e, c
		if !e.equal(expectation{c.Expect, c.Faults}) {
			wanted[c.entry] = e
			changed = append(changed, c.Name)
		}
	}
	for _, c := range s.Cases {
		if _, ok := wanted[c.entry]; ok && apart[c.entry] != nil {
			return nil, nil, apart[c.entry]
		}
	}
	return wanted, changed, nil
}

// answered is what a case has to expect for a result to be as expected.
func (c *Case) answered(result *CaseResult) expectation {
	e := expectation{expect: result.Answer.Verdict}
	if e.expect == ldfi.Violated && (c.Faults != nil || c.Expect != ldfi.Violated && result.Answer.Minimal) {
		e.faults = &result.Answer.Size
	}
	return e
}

// change replaces a part of a text.
type change struct {
	from, to int
	text     string
}

// edit returns the text of a suite with the expectations of some entries.
func edit(file, text string, wanted map[int]expectation) (string, error) {
	r := &reader{file: file, lines: strings.Split(text, "\n"), anchors: map[string]ast.Node{}}
	e := &editor{text: text}
	for i, line := range r.lines {
		if i == 0 {
			e.starts = append(e.starts, 0)
		}
		e.starts = append(e.starts, e.starts[i]+len(line)+1)
	}
	for i, n := range r.entries(text) {
		if want, ok := wanted[i]; ok {
			m, ok := n.(*ast.MappingNode)
			if !ok {
				return "", byHand(r.position(firstToken(n)).String(), want)
			}
			e.entry(m, want)
		}
	}
	slices.SortStableFunc(e.changes, func(a, b change) int { return cmp.Compare(b.from, a.from) })
	for _, c := range e.changes {
		text = text[:c.from] + c.text + text[c.to:]
	}
	return text, nil
}

func byHand(where string, want expectation) error {
	text := "expect: " + string(want.expect)
	if want.faults != nil {
		text += fmt.Sprintf(" and faults: %d", *want.faults)
	}
	return fmt.Errorf("%s: this case is written in a way that cannot be updated; write %s by hand", where, text)
}

// updated returns the text of the suite with other expectations.
func (s *Suite) updated(text string, wanted map[int]expectation) (string, error) {
	text, err := edit(s.File, text, wanted)
	if err != nil {
		return "", err
	}
	return text, s.checkUpdate(text, wanted)
}

// checkUpdate makes sure that the new text says what is wanted and nothing else
// that is new.
func (s *Suite) checkUpdate(text string, wanted map[int]expectation) error {
	updated, err := parse(s.File, text)
	if err == nil && len(updated.Cases) == len(s.Cases) {
		same := *updated
		same.Cases = slices.Clone(updated.Cases)
		for i, c := range s.Cases {
			want, ok := wanted[c.entry]
			if got := (expectation{updated.Cases[i].Expect, updated.Cases[i].Faults}); ok && !got.equal(want) {
				return byHand(c.Position.String(), want)
			}
			if ok {
				same.Cases[i].Expect, same.Cases[i].Faults = c.Expect, c.Faults
			}
		}
		if same.digest() == s.digest() {
			return nil
		}
	}
	for _, c := range s.Cases {
		if want, ok := wanted[c.entry]; ok {
			return byHand(c.Position.String(), want)
		}
	}
	return err
}

// editor collects the changes of a text.
type editor struct {
	text    string
	starts  []int // of the lines, in bytes
	changes []change
}

// entry makes an entry say what is wanted.
func (e *editor) entry(m *ast.MappingNode, want expectation) {
	expect, faults := find(m, "expect"), find(m, "faults")
	var added []string
	if expect >= 0 {
		e.replace(m.Values[expect].Value, string(want.expect))
	} else {
		added = append(added, "expect: "+string(want.expect))
	}
	switch {
	case want.faults != nil && faults >= 0:
		e.replace(m.Values[faults].Value, fmt.Sprint(*want.faults))
	case want.faults != nil:
		added = append(added, fmt.Sprintf("faults: %d", *want.faults))
	case faults >= 0:
		e.remove(m, faults)
	}
	if len(added) == 0 {
		return
	}
	if expect >= 0 { // faults belong behind it
		e.after(m, m.Values[expect], added)
		return
	}
	e.after(m, m.Values[len(m.Values)-1], added)
}

func find(m *ast.MappingNode, key string) int {
	return slices.IndexFunc(m.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == key })
}

// offset returns where a token begins.
func (e *editor) offset(t *token.Token) int {
	at := e.starts[t.Position.Line-1]
	for range t.Position.Column - 1 {
		_, size := utf8.DecodeRuneInString(e.text[at:])
		at += size
	}
	return at
}

// replace replaces a scalar.
func (e *editor) replace(n ast.Node, text string) {
	from := e.offset(n.GetToken())
	e.changes = append(e.changes, change{from, e.scalarEnd(n.GetToken()), text})
}

// scalarEnd returns where a scalar in one line ends.
func (e *editor) scalarEnd(t *token.Token) int {
	origin := strings.TrimLeft(t.Origin, " \t\r\n")
	return e.offset(t) + len(strings.TrimRight(origin, " \t\r\n"))
}

// remove takes away a key with its scalar.
func (e *editor) remove(m *ast.MappingNode, i int) {
	from, to := e.offset(m.Values[i].Key.GetToken()), e.scalarEnd(m.Values[i].Value.GetToken())
	switch {
	case i+1 < len(m.Values): // up to the next key
		to = e.offset(m.Values[i+1].Key.GetToken())
	case m.IsFlowStyle:
		from = strings.LastIndex(e.text[:from], ",")
	default:
		from = strings.LastIndex(e.text[:from], "\n")
		to = e.lineEnd(to)
	}
	e.changes = append(e.changes, change{max(from, 0), to, ""})
}

// after adds keys with scalars behind a key.
func (e *editor) after(m *ast.MappingNode, v *ast.MappingValueNode, added []string) {
	end := &lastToken{editor: e}
	ast.Walk(end, v)
	if m.IsFlowStyle {
		at := e.scalarEnd(end.last)
		e.changes = append(e.changes, change{at, at, ", " + strings.Join(added, ", ")})
		return
	}
	at := e.lineEnd(e.scalarEnd(end.last))
	indent := "\n" + strings.Repeat(" ", m.Values[0].Key.GetToken().Position.Column-1)
	e.changes = append(e.changes, change{at, at, indent + strings.Join(added, indent)})
}

// lineEnd returns where the line of a place ends.
func (e *editor) lineEnd(at int) int {
	if n := strings.IndexByte(e.text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(e.text)
}

// lastToken finds the last token of a node, for ast.Walk.
type lastToken struct {
	*editor
	last *token.Token
}

// Visit looks at a node, and at the brackets that end it.
func (l *lastToken) Visit(n ast.Node) ast.Visitor {
	tokens := []*token.Token{n.GetToken()}
	switch n := n.(type) {
	case *ast.SequenceNode:
		tokens = append(tokens, n.End)
	case *ast.MappingNode:
		tokens = append(tokens, n.End)
	}
	for _, t := range tokens {
		if t != nil && (l.last == nil || l.offset(t) > l.offset(l.last)) {
			l.last = t
		}
	}
	return l
}
