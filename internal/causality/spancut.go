package causality

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Call is what one service asked of another.
type Call struct {
	From  string `json:"from"`  // the service that asks
	To    string `json:"to"`    // the service that is asked
	Name  string `json:"name"`  // the operation that is asked for
	Span  int    `json:"span"`  // its number in the recording
	Round int    `json:"round"` // in which it is sent
}

// String returns the call as in frontend>cart GetCart (span 3).
func (c Call) String() string { return fmt.Sprintf("%s>%s %s (span %d)", c.From, c.To, c.Name, c.Span) }

// Cuts are the sets of calls whose loss would have taken an outcome away, as far as one
// trace shows: what a span asked others for, and was answered, it needed. What failed it
// did not need, nor that for which nobody waited. Of calls of one operation that were
// under way at the same time any one would have been enough.
type Cuts struct {
	Outcome string   `json:"outcome"`          // the fact that would not have come about
	Sets    [][]Call `json:"sets"`             // the smallest first; none: the outcome needed no other service
	Either  []string `json:"either,omitempty"` // where one of several calls was enough, sentences
	More    bool     `json:"more,omitempty"`   // there are more sets than are listed
}

// WriteText writes the sets, and what they are good for.
func (c *Cuts) WriteText(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "outcome  %s\n", text.Safe(c.Outcome))
	rows := [][]string{}
	for _, set := range c.Sets {
		texts := make([]string, len(set))
		for i, call := range set {
			texts[i] = call.String()
		}
		rows = append(rows, []string{fmt.Sprint(len(set)), text.List(texts, "and")})
	}
	if len(rows) == 0 {
		rows = [][]string{{"0", "it needed no other service"}}
	}
	text.Table(&b, "  ", rows)
	if c.More {
		b.WriteString("  and more: --max lists them\n")
	}
	for _, either := range c.Either {
		fmt.Fprintf(&b, "  either   enough was %s, which were under way at the same time\n", text.Safe(either))
	}
	fmt.Fprintf(&b, "  note     %s\n", FromOneTrace)
	_, err := w.Write(b.Bytes())
	return err
}

// mostSets is how many sets of calls are kept while they are put together.
const mostSets = 10_000

// Cut returns the cuts of an outcome of a recorded trace, at most so many: of a fact that
// matches the query, which is about ended(process, name, number); nil asks for the end of
// the span at the root to which nothing led.
func Cut(e *recording.Execution, query *syntax.Query, most int) (*Cuts, error) {
	_, all, err := readSpans(e)
	if err != nil {
		return nil, err
	}
	n, err := endedSpan(all, query)
	if err != nil {
		return nil, err
	}
	c := &cutter{cuts: Cuts{Outcome: recording.Display(n.fact(), e.Bounds.Processes), Sets: [][]Call{}}}
	sets := c.need(n)
	slices.SortStableFunc(sets, compareCalls)
	c.cuts.More = c.cuts.More || len(sets) > most
	c.cuts.Sets = append(c.cuts.Sets, sets[:min(most, len(sets))]...)
	return &c.cuts, nil
}

func compareCalls(a, b []Call) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, func(x, y Call) int { return cmp.Compare(x.Span, y.Span) }))
}

func (n *seenSpan) fact() recording.Fact {
	return recording.Fact{Relation: EndedFact, Args: []specs.Value{specs.String(n.process), specs.String(n.call.Name), specs.Int(int64(n.call.Span))}, Round: n.over}
}

// endedSpan returns the span whose end is asked about: of several the one that began first.
func endedSpan(all []*seenSpan, query *syntax.Query) (*seenSpan, error) {
	inTime := slices.Clone(all)
	slices.SortStableFunc(inTime, func(a, b *seenSpan) int { return cmp.Compare(a.begin, b.begin) })
	for _, n := range inTime {
		f := n.fact()
		if n.ended && (query == nil && n.parent == 0 || query != nil && query.Matches(f.Relation, f.Args, f.Round)) {
			return n, nil
		}
	}
	if query == nil {
		return nil, fmt.Errorf("no span at the root of the trace ended well, so there is no outcome: name one by --outcome, as %s(service, name, _)", EndedFact)
	}
	return nil, fmt.Errorf("the trace has no %s; an outcome is the end of a span, %s(service, name, number)", query, EndedFact)
}

// cutter puts sets of calls together.
type cutter struct{ cuts Cuts }

// need returns the sets of calls without which a span would not have ended well.
func (c *cutter) need(n *seenSpan) [][]Call {
	var sets [][]Call
	for _, group := range n.asked() {
		if len(group.calls) == 1 {
			sets = append(sets, c.lose(group.calls[0])...)
			continue
		}
		texts := make([]string, len(group.calls))
		all := [][]Call{nil}
		for i, attempt := range group.calls {
			texts[i] = attempt.target().call.String()
			all = c.product(all, c.lose(attempt))
		}
		c.cuts.Either = append(c.cuts.Either, text.List(texts, "or"))
		sets = append(sets, all...)
	}
	return c.limit(sets)
}

// lose returns the sets of calls each of which takes away what a child of a span gave.
func (c *cutter) lose(child *seenSpan) [][]Call {
	called := child.target()
	if called == nil {
		return c.need(child)
	}
	return c.limit(append([][]Call{{called.call}}, c.need(called)...))
}

// product joins each of some sets with each of others.
func (c *cutter) product(some, others [][]Call) [][]Call {
	var all [][]Call
	for _, a := range some {
		for _, b := range others {
			if len(all) == mostSets {
				c.cuts.More = true
				return all
			}
			joined := slices.Concat(a, b)
			slices.SortFunc(joined, func(x, y Call) int { return cmp.Compare(x.Span, y.Span) })
			all = append(all, joined)
		}
	}
	return all
}

func (c *cutter) limit(sets [][]Call) [][]Call {
	if len(sets) <= mostSets {
		return sets
	}
	c.cuts.More = true
	slices.SortStableFunc(sets, compareCalls)
	return sets[:mostSets]
}

// target returns the span of the other service that a child of a span asks, or is itself;
// nil if it asks none.
func (n *seenSpan) target() *seenSpan {
	if n.call.From != "" {
		return n
	}
	i := slices.IndexFunc(n.children, func(c *seenSpan) bool { return c.call.From == n.process })
	if i < 0 || len(n.children) > 1 {
		return nil
	}
	return n.children[i]
}

// askedGroup is calls of one operation that were under way at the same time.
type askedGroup struct {
	calls []*seenSpan
	end   int // the round in which the first of them had its answer
}

// asked returns the children that gave a span something, those together of which any one
// would have been enough.
func (n *seenSpan) asked() []*askedGroup {
	var all []*askedGroup
	last := map[operation]*askedGroup{}
	for _, c := range n.children {
		called := c.target()
		switch {
		case called == nil && c.ended:
			all = append(all, &askedGroup{calls: []*seenSpan{c}})
		case called == nil || !called.answered:
		default:
			op := operation{called.call.To, called.call.Name}
			if g := last[op]; g != nil && c.begin < g.end {
				g.calls, g.end = append(g.calls, c), min(g.end, called.end)
				continue
			}
			last[op] = &askedGroup{[]*seenSpan{c}, called.end}
			all = append(all, last[op])
		}
	}
	return all
}
