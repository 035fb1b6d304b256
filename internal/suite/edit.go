package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

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

// editor collects the changes of a text.
type editor struct {
	text    string
	starts  []int // of the lines, in bytes
	changes []change
}

// entry changes an entry to the wanted expectation.
func (e *editor) entry(m *ast.MappingNode, want expectation) {
	expect, faults, vacuous := find(m, "expect"), find(m, "faults"), find(m, "vacuous")
	var added []string
	switch {
	case expect >= 0:
		e.replace(m.Values[expect].Value, string(want.expect))
	case want.expect != result.Holds: // as without it
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
	switch {
	case vacuous >= 0 && want.vacuous:
		e.replace(m.Values[vacuous].Value, "yes")
	case vacuous >= 0:
		e.replace(m.Values[vacuous].Value, "no")
	case want.vacuous:
		added = append(added, "vacuous: yes")
	}
	if len(added) == 0 {
		return
	}
	if expect >= 0 { // the others belong behind it
		e.after(m, m.Values[expect], added)
		return
	}
	e.after(m, m.Values[len(m.Values)-1], added)
}

func find(m *ast.MappingNode, key string) int {
	return slices.IndexFunc(m.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == key })
}

// offset returns the offset of a token.
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

// scalarEnd returns the end of a scalar in one line.
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
		from = len(strings.TrimSuffix(e.text[:max(strings.LastIndex(e.text[:from], "\n"), 0)], "\r"))
		to = e.lineEnd(to)
	}
	e.changes = append(e.changes, change{max(from, 0), to, ""})
}

// after adds keys with scalars after a key.
func (e *editor) after(m *ast.MappingNode, v *ast.MappingValueNode, added []string) {
	end := &lastToken{editor: e}
	ast.Walk(end, v)
	if m.IsFlowStyle {
		at := e.scalarEnd(end.last)
		e.changes = append(e.changes, change{at, at, ", " + strings.Join(added, ", ")})
		return
	}
	at := e.lineEnd(e.scalarEnd(end.last))
	newline := "\n"
	if strings.HasPrefix(e.text[at:], "\r") {
		newline = "\r\n"
	}
	indent := newline + strings.Repeat(" ", m.Values[0].Key.GetToken().Position.Column-1)
	e.changes = append(e.changes, change{at, at, indent + strings.Join(added, indent)})
}

// lineEnd returns the end of the line at an offset.
func (e *editor) lineEnd(at int) int {
	if n := strings.IndexByte(e.text[at:], '\n'); n >= 0 {
		return len(strings.TrimSuffix(e.text[:at+n], "\r"))
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
