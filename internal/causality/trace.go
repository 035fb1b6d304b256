package causality

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/lineage-driven/ldfi/internal/text"
)

// mostSpans is how many spans of a trace are read at most.
const mostSpans = 100_000

// Trace is the spans of one trace as a tree.
type Trace struct {
	ID    string
	Notes []string // what was left out, or had to be guessed, each a sentence

	nodes []*spanNode // parents before children, siblings by when they began
}

// spanNode is a span in its tree.
type spanNode struct {
	Span
	number   int // from 1
	parent   *spanNode
	children []*spanNode
	process  string
	from     []*spanNode // what it is linked to
	guessed  bool        // nobody recorded it: who calls says that it called
}

// NewTrace returns the trace with an identifier among spans; without one there has to be
// a single trace.
func NewTrace(all []Span, id string) (*Trace, error) {
	own, err := chooseTrace(all, id)
	if err != nil {
		return nil, err
	}
	if len(own) > mostSpans {
		return nil, fmt.Errorf("the trace has %s; at most %d are read", text.Plural(len(own), "span"), mostSpans)
	}
	t := &Trace{ID: own[0].Trace}
	byID := map[string]*spanNode{}
	for _, s := range own {
		if s.ID == "" {
			return nil, fmt.Errorf("the span %q has no identifier", s.Name)
		}
		if byID[s.ID] != nil {
			return nil, fmt.Errorf("there are two spans %s", s.ID)
		}
		byID[s.ID] = &spanNode{Span: s}
	}
	t.grow(own, byID)
	if len(t.nodes) < len(own) {
		return nil, errors.New("some spans are their own ancestors")
	}
	t.guess()
	t.nameProcesses()
	return t, nil
}

// chooseTrace returns the spans of one trace.
func chooseTrace(all []Span, id string) ([]Span, error) {
	var ids []string
	own := map[string][]Span{}
	for _, s := range all {
		if own[s.Trace] == nil {
			ids = append(ids, s.Trace)
		}
		own[s.Trace] = append(own[s.Trace], s)
	}
	switch {
	case len(all) == 0:
		return nil, errors.New("there are no spans")
	case id == "" && len(ids) > 1:
		shown := ids[:min(len(ids), 5)]
		return nil, fmt.Errorf("there are %s (%s%s): choose one by --trace", text.Plural(len(ids), "trace"), strings.Join(shown, ", "), strings.Repeat(", …", min(1, len(ids)-len(shown))))
	case id == "":
		return all, nil
	case own[id] == nil:
		return nil, fmt.Errorf("there is no trace %q%s", id, text.DidYouMean(id, ids))
	}
	return own[id], nil
}

// grow makes the tree, and numbers the spans in its order.
func (t *Trace) grow(own []Span, byID map[string]*spanNode) {
	var roots []*spanNode
	lost := 0
	for _, s := range own {
		n := byID[s.ID]
		for _, l := range s.Links {
			if byID[l] != nil && l != s.ID {
				n.from = append(n.from, byID[l])
			}
		}
		if n.parent = byID[s.Parent]; n.parent != nil {
			n.parent.children = append(n.parent.children, n)
			continue
		}
		roots = append(roots, n)
		if s.Parent != "" {
			lost++
		}
	}
	if lost > 0 {
		t.note("%s: the parent is not in the trace, so its cause is unknown", text.Plural(lost, "span"))
	}
	t.number(roots)
}

// number numbers the trees below some spans, without recursion: traces can be deep.
func (t *Trace) number(roots []*spanNode) {
	slices.SortStableFunc(sortSpans(roots), func(a, b *spanNode) int { return min(1, len(a.from)) - min(1, len(b.from)) }) // what others led to is last
	for next := reverseSpans(roots); len(next) > 0; {
		n := next[len(next)-1]
		t.nodes = append(t.nodes, n)
		n.number = len(t.nodes)
		n.children = sortSpans(n.children)
		next = append(next[:len(next)-1], reverseSpans(n.children)...)
	}
}

// sortSpans sorts spans by when they began.
func sortSpans(all []*spanNode) []*spanNode {
	slices.SortStableFunc(all, func(a, b *spanNode) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// reverseSpans returns spans in the order of a stack.
func reverseSpans(all []*spanNode) []*spanNode {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

// guess adds a span for who is called but has recorded nothing.
func (t *Trace) guess() {
	unnamed, consumed := 0, t.consumed()
	for _, n := range slices.Clone(t.nodes) {
		if n.Kind != Client && n.Kind != Producer || consumed[n] || slices.ContainsFunc(n.children, func(c *spanNode) bool { return c.Service != n.Service }) {
			continue
		}
		if n.Peer == "" {
			unnamed++
			continue
		}
		kind := Server
		if n.Kind == Producer {
			kind = Consumer
		}
		called := &spanNode{Span: Span{Trace: n.Trace, ID: n.ID, Parent: n.ID, Service: n.Peer, Name: n.Name, Kind: kind, Start: n.Start, End: n.End}, parent: n, guessed: true}
		n.children = append(n.children, called)
		t.nodes = append(t.nodes, called)
		called.number = len(t.nodes)
	}
	if unnamed > 0 {
		t.note("%s of calls: they do not say whom, so there is no message", text.Plural(unnamed, "span"))
	}
}

// consumed returns the spans to which those of other services are linked.
func (t *Trace) consumed() map[*spanNode]bool {
	by := map[*spanNode]bool{}
	for _, n := range t.nodes {
		for _, from := range n.from {
			if from.Service != n.Service {
				by[from] = true
			}
		}
	}
	return by
}

// nameProcesses gives services names that schedules can have.
func (t *Trace) nameProcesses() {
	names, taken := map[string]string{}, map[string]bool{}
	for _, n := range t.nodes {
		name, ok := names[n.Service]
		if !ok {
			name = plainName(n.Service)
			for i := 2; taken[name]; i++ {
				name = fmt.Sprintf("%s-%d", plainName(n.Service), i)
			}
			taken[name], names[n.Service] = true, name
		}
		n.process = name
	}
}

func plainName(service string) string {
	if service == "" {
		return "unnamed"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-", r) {
			return r
		}
		return '-'
	}, strings.ToValidUTF8(service, "-"))
}

func (t *Trace) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}
