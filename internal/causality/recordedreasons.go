package causality

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// fromOneRecording is the limitation of reasons without executions.
const fromOneRecording = "from one recording, not executed: perhaps not all of these messages are needed"

// RecordedReasons returns the reasons of a fact in a recording of a system, or in a
// trace of a real service, without any execution: the messages that its process could
// know, and those that were lost on the way. For the end of a span it also has the
// calls that the span needed, as far as the trace shows.
func RecordedReasons(e *recording.Execution, q *syntax.Query) (*Reasons, error) {
	if e.System == "" {
		return nil, errors.New("the recording is of a program, whose rules say why: ask " + text.ShellJoin("ldfi", "why", "FILE", q.String(), "--faults", e.Schedule.String()))
	}
	if q.Round > e.Bounds.EOT {
		return nil, fmt.Errorf("fact %s: the last round is %d", q, e.Bounds.EOT)
	}
	g := newReasons(q.String(), e.Schedule, e.Bounds)
	g.Note = fromOneRecording
	if held := holding(e, q); len(held) > 0 {
		fact := held[len(held)-1]
		g.Holds, g.Fact = true, &fact
		g.Past = pastOf(e, g.process(), fact.Round, false)
	} else {
		g.Instead, g.promised = others(e, q), promised(e, q)
	}
	g.Lost = pastOf(e, g.reporter(q), cmp.Or(g.round(), q.Round, e.Bounds.EOT), true)
	if !Traced(e) {
		return g, nil
	}
	g.Note = FromOneTrace
	return g, g.needed(e, q)
}

// pastOf returns the messages in the past of a process up to a round, or those lost on the
// way to it.
func pastOf(e *recording.Execution, process string, round int, lost bool) []Arrival {
	p := past{process: process, round: round, lost: lost}
	if Traced(e) {
		p.later = 1
	}
	return p.find(e)
}

// reporter returns the process of the fact in a query, "" if the query names none.
func (g *Reasons) reporter(q *syntax.Query) string {
	switch {
	case g.Holds:
		return g.process()
	case len(q.Args) > 0 && !q.Args[0].Wildcard:
		return q.Args[0].Value.Text()
	default:
		return ""
	}
}

// round is that of the fact that holds, 0 for none.
func (g *Reasons) round() int {
	if g.Fact == nil {
		return 0
	}
	return g.Fact.Round
}

// needed marks the messages that a span needed to end well.
func (g *Reasons) needed(e *recording.Execution, q *syntax.Query) error {
	if !g.Holds || g.Fact.Relation != EndedFact {
		return nil
	}
	exact := syntax.Query{Relation: q.Relation, Round: g.Fact.Round}
	for _, v := range g.Fact.Args {
		exact.Args = append(exact.Args, syntax.QueryArg{Value: v})
	}
	cuts, err := Cut(e, &exact, math.MaxInt)
	if err != nil {
		return err
	}
	lost := map[rounds.Fault]bool{} // with each of these all calls of a set are lost
	for _, set := range cuts.Sets {
		first := loss(set[0])
		if !slices.ContainsFunc(set, func(c Call) bool { return loss(c) != first }) {
			lost[first] = true
		}
	}
	for i := range g.Past {
		g.Past[i].Needed = lost[g.Past[i].loss()]
	}
	return nil
}

// loss is the fault that loses a call.
func loss(c Call) rounds.Fault {
	return rounds.Fault{Kind: rounds.Omit, Process: c.From, To: c.To, Round: c.Round}
}
