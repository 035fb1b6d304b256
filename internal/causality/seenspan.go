package causality

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// seenSpan is a span as a recording tells it.
type seenSpan struct {
	call     Call // from is empty of a span that no other service asked for
	process  string
	parent   int
	children []*seenSpan
	begin    int
	end      int // the round in which it ended, or who asked had its answer; 0 if that is not known
	ended    bool
	over     int  // the round of the fact that says so
	answered bool // with what was asked for
}

// Traced tells whether a recording is of a trace.
func Traced(e *recording.Execution) bool { return strings.HasPrefix(e.System, SystemPrefix) }

// readSpans returns the spans of a recording, by their numbers.
func readSpans(e *recording.Execution) (map[int]*seenSpan, []*seenSpan, error) {
	if !Traced(e) {
		return nil, nil, errors.New("the recording is of no trace: ldfi import makes one of a trace, and executions of programs and systems are asked with --faults or by run")
	}
	byNumber := map[int]*seenSpan{}
	var all []*seenSpan
	for _, f := range e.Facts {
		if n := spanBegun(f); n != nil {
			byNumber[n.call.Span] = n
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *seenSpan) int { return a.call.Span - b.call.Span })
	for _, n := range all {
		if p := byNumber[n.parent]; p != nil {
			p.children = append(p.children, n)
		}
	}
	for _, f := range e.Facts {
		if f.Relation == EndedFact && len(f.Args) == 3 {
			if n := byNumber[spanNumber(f.Args[2])]; n != nil {
				n.ended, n.over, n.end = true, f.Round, f.Round
			}
		}
	}
	for _, m := range e.Messages {
		if err := spanHeard(byNumber, m); err != nil {
			return nil, nil, err
		}
	}
	return byNumber, all, nil
}

// spanBegun returns the span that a fact tells of: who did it, or who asked for it.
func spanBegun(f recording.Fact) *seenSpan {
	if len(f.Args) != 5 {
		return nil
	}
	n := &seenSpan{parent: spanNumber(f.Args[2]), begin: f.Round, call: Call{Span: spanNumber(f.Args[1])}}
	switch f.Relation {
	case spanFact:
		n.process, n.call.Name = f.Args[0].Text(), f.Args[3].Text()
	case askedFact:
		n.process, n.call.Name = f.Args[3].Text(), f.Args[4].Text()
		if n.process != f.Args[0].Text() {
			n.begin++ // the call is on its way in this round
		}
	default:
		return nil
	}
	n.call.To = n.process
	return n
}

// spanHeard takes what a message tells of the call that it belongs to.
func spanHeard(byNumber map[int]*seenSpan, m recording.Message) error {
	if len(m.Args) < 2 {
		return nil
	}
	n := byNumber[spanNumber(m.Args[1])]
	if n == nil {
		return fmt.Errorf("the message %s belongs to no span of the recording", m)
	}
	switch {
	case m.From == n.process && m.Relation == answerMessage && m.Lost:
	case m.From == n.process && m.Relation == answerMessage:
		n.answered, n.end = true, m.Round+1
	case m.To == n.process && m.From != n.process:
		n.call.From, n.call.Round = m.From, m.Round
	}
	return nil
}

func spanNumber(v specs.Value) int {
	if v.IsInt() {
		return int(v.Int())
	}
	return -1
}
