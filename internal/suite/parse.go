package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	yaml "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// example is the smallest suite, for error messages.
const example = `
    cases:
      - files: protocol.ded
        expect: holds`

// parse reads the text of a suite and checks it.
func parse(file, text string) (*Suite, error) { return parseFS(nil, file, text) }

// parseFS is parse with the files of a file system.
func parseFS(fsys fs.FS, file, text string) (*Suite, error) {
	r := &reader{fsys: fsys, file: file, dir: filepath.Dir(file), lines: strings.Split(text, "\n"), anchors: map[string]ast.Node{}}
	for i, entry := range r.entries(text) {
		r.cases = append(r.cases, r.entry(i, entry)...)
	}
	r.names()
	if len(r.wrong) > 0 {
		slices.SortStableFunc(r.wrong, func(a, b *specs.Error) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
		})
		return nil, r.wrong
	}
	return &Suite{File: file, Cases: r.cases}, nil
}

// reader reads the nodes of a suite and collects errors.
type reader struct {
	fsys      fs.FS // where files are looked for; nil: on the disk
	file, dir string
	lines     []string
	anchors   map[string]ast.Node // by name
	values    int                 // that were looked at, each as often as aliases name it
	cases     []Case
	wrong     specs.Errors
}

// entries returns the entries of the list of cases.
func (r *reader) entries(text string) []ast.Node {
	if r.strayReturns() || r.tooDeep() {
		return nil
	}
	body, err := parseYAML(text)
	if err != nil {
		at, message := r.top(), err.Error()
		var syntax yaml.Error
		if errors.As(err, &syntax) {
			at, message = r.position(syntax.GetToken()), syntax.GetMessage()
		}
		r.failAt(at, "%s", message)
		return nil
	}
	if body == nil {
		r.failAt(r.top(), "this suite is empty; a small one is:%s", example)
		return nil
	}
	ast.Walk(r, body)
	top, ok := r.mapping(body, "a suite")
	if !ok {
		return nil
	}
	r.known(top, []string{"cases"}, "a suite", inCase)
	cases, ok := top["cases"]
	if !ok {
		r.fail(body, "there are no cases; a small suite is:%s", example)
		return nil
	}
	list, ok := r.follow(cases.value).(*ast.SequenceNode)
	if !ok {
		r.fail(cases.value, "expected a list of cases, found %s", kindOf(r.follow(cases.value)))
		return nil
	}
	if len(list.Values) == 0 {
		r.fail(cases.value, "there are no cases; a small suite is:%s", example)
	}
	return list.Values
}

// strayReturns reports the first carriage return that is not followed by a newline, and
// tells whether there is one. The parser takes it for the end of a line and then reports
// wrong positions.
func (r *reader) strayReturns() bool {
	for i, line := range r.lines {
		before, _, found := strings.Cut(strings.TrimSuffix(line, "\r"), "\r")
		if found {
			at := specs.Position{File: r.file, Line: i + 1, Column: utf8.RuneCountInString(before) + 1}
			r.failAt(at, "here is a carriage return without a newline: end lines with a newline, or with both")
			return true
		}
	}
	return false
}

// parseYAML returns the only document of a text, nil if it is empty. Its tokens
// are placed as if all lines ended with \n: the parser loses count in comments
// that end otherwise. A byte order mark, as editors on Windows write it, is no
// part of the text.
func parseYAML(text string) (body ast.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			body, err = nil, fmt.Errorf("this cannot be read as YAML: %v", p)
		}
	}()
	if !utf8.ValidString(text) {
		return nil, errors.New("this is not UTF-8 text")
	}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	file, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, err
	}
	var bodies []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil {
			bodies = append(bodies, d.Body)
		}
	}
	switch len(bodies) {
	case 0:
		return nil, nil
	case 1:
		return bodies[0], nil
	default:
		return nil, errors.New("there are several documents (---), and a suite is one")
	}
}

// Visit notes the anchors, for ast.Walk.
func (r *reader) Visit(n ast.Node) ast.Visitor {
	if anchor, ok := n.(*ast.AnchorNode); ok {
		r.anchors[anchor.Name.GetToken().Value] = anchor.Value
	}
	return r
}

// follow returns the node that an alias stands for.
func (r *reader) follow(n ast.Node) ast.Node {
	if r.values++; r.values > mostValues {
		if r.values == mostValues+1 {
			r.fail(n, "with what aliases stand for this suite has more than %d values", mostValues)
		}
		return nil
	}
	for range 100 {
		switch it := n.(type) {
		case *ast.AnchorNode:
			n = it.Value
		case *ast.TagNode:
			n = it.Value
		case *ast.AliasNode:
			target, ok := r.anchors[it.Value.GetToken().Value]
			if !ok {
				return n
			}
			n = target
		default:
			return n
		}
	}
	return n
}

// field is a key with its value.
type field struct{ key, value ast.Node }

// mapping reads keys and values.
func (r *reader) mapping(n ast.Node, what string) (map[string]field, bool) {
	m, ok := r.follow(n).(*ast.MappingNode)
	if !ok {
		r.fail(n, "expected %s with keys and values, found %s", what, kindOf(r.follow(n)))
		return nil, false
	}
	fields := map[string]field{}
	for _, v := range m.Values {
		key := v.Key.GetToken().Value
		if first, ok := fields[key]; ok {
			r.fail(v.Key, "%s is there already, in line %d", key, first.key.GetToken().Position.Line)
			continue
		}
		fields[key] = field{v.Key, v.Value}
	}
	return fields, true
}

// known reports keys that there are not, with the other part of a suite that has them, and
// tells whether all are known.
func (r *reader) known(fields map[string]field, keys []string, what string, others ...text.Part) (all bool) {
	all = true
	for key, f := range fields {
		if !slices.Contains(keys, key) {
			r.fail(f.key, "there is no %q in %s%s; there can be %s", key, what, text.Misplaced(key, keys, others...), strings.Join(keys, ", "))
			all = false
		}
	}
	return all
}

// fail notes that something is wrong with a node.
func (r *reader) fail(n ast.Node, format string, args ...any) {
	r.failAt(r.position(firstToken(n)), format, args...)
}

func (r *reader) failAt(at specs.Position, format string, args ...any) {
	e := &specs.Error{Position: at, Message: fmt.Sprintf(format, args...)}
	if at.Line >= 1 && at.Line <= len(r.lines) {
		e.Excerpt, _, _ = strings.Cut(r.lines[at.Line-1], "\r")
	}
	r.wrong = append(r.wrong, e)
}

func (r *reader) top() specs.Position { return specs.Position{File: r.file, Line: 1, Column: 1} }

// position returns the position of a token. YAML counts columns in characters.
func (r *reader) position(t *token.Token) specs.Position {
	at := r.top()
	if t == nil || t.Position == nil || t.Position.Line < 1 || t.Position.Line > len(r.lines) {
		return at
	}
	at.Line = t.Position.Line
	line, characters := r.lines[at.Line-1], t.Position.Column-1
	for i := range line {
		if characters <= 0 {
			at.Column = i + 1
			return at
		}
		characters--
	}
	at.Column = len(line) + 1
	return at
}

// firstToken returns the first token of a node.
func firstToken(n ast.Node) *token.Token {
	switch n := n.(type) {
	case nil:
		return nil
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return firstToken(n.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return firstToken(n.Key)
	}
	return n.GetToken()
}

// kindOf names the kind of a node.
func kindOf(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "keys and values"
	case *ast.SequenceNode:
		return "a list"
	case *ast.IntegerNode, *ast.FloatNode:
		return "the number " + n.GetToken().Value
	case *ast.BoolNode:
		return n.GetToken().Value
	case *ast.AliasNode:
		return "the alias *" + n.Value.GetToken().Value + ", which no anchor & defines"
	case *ast.StringNode, *ast.LiteralNode:
		return "a text"
	default:
		return "something else"
	}
}
