package causality

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Reasons are the reasons why a fact holds, or does not hold, in one execution.
type Reasons struct {
	Query    string          `json:"query"` // the query, as text
	Schedule rounds.Schedule `json:"schedule"`
	Holds    bool            `json:"holds"`          // some fact of the query holds
	Fact     *recording.Fact `json:"fact,omitempty"` // the fact that is explained: of those that hold, one in the last round

	// Past are the messages that the fact may depend on, the earliest first: those that
	// its process had received by then, and those that their senders had received
	// before.
	Past []Arrival `json:"past"`

	// Together are messages of the past, if no single one is needed: without all of
	// them the fact does not hold, and with any one of them it does.
	Together []Arrival `json:"together"`

	// Undone has the results of leaving out single faults.
	Undone []Undone `json:"undone"`

	Instead    []recording.Fact `json:"instead"`    // the facts of the relation that hold where this one does not
	Executions int              `json:"executions"` // the number of executions that were made
	Untried    int              `json:"untried"`    // the number of messages of the past whose loss was not tried

	// For a recording, which is not executed again (see RecordedReasons).
	Lost []Arrival `json:"lost,omitempty"` // lost messages that would belong to the past if they had arrived, and lost messages of the process itself, which nobody could answer
	Note string    `json:"note,omitempty"` // the limits of this answer, a sentence

	bounds   rounds.Bounds
	promised []string // the relations that processes report, where the query is about one that only a property has
}

// Arrival is the messages of one process to another in a round, with their arrival.
type Arrival struct {
	From     string   `json:"from"`            // the sender
	To       string   `json:"to"`              // the receiver
	Round    int      `json:"round"`           // the round in which it was sent
	Arrives  int      `json:"arrives"`         // the round in which it arrived
	Messages []string `json:"messages"`        // the kinds and texts of the messages
	Cause    string   `json:"cause,omitempty"` // for a lost message: the fault that lost it

	Tried  bool `json:"tried"`           // an execution was made in which only this arrival is lost
	Needed bool `json:"needed"`          // without the arrival the fact does not hold in its round
	Later  int  `json:"later,omitempty"` // the later round in which the fact holds without the arrival
}

// Undone is the result of leaving out one fault; a crash comes with the restart that
// follows.
type Undone struct {
	Fault rounds.Schedule `json:"fault"`
	Holds bool            `json:"holds"` // the fact holds without the fault
}

// Asked is a question about a fact of a system.
type Asked struct {
	Query    syntax.Query
	Text     string // equal messages
	Schedule rounds.Schedule
	Bounds   rounds.Bounds
	Most     int // the most messages whose loss is tried

	Execute  func(context.Context, rounds.Schedule) (*recording.Execution, error)
	Progress func(doing string)
}

// FindReasons executes the schedule of asked, and others that differ from it in one
// message or fault, and returns the reasons.
func FindReasons(ctx context.Context, asked Asked) (*Reasons, error) {
	f := &finder{Asked: asked, out: newReasons(asked.Text, asked.Schedule.Normal(), asked.Bounds)}
	e, err := f.execute(ctx, asked.Schedule)
	if err != nil {
		return nil, err
	}
	held := holding(e, &f.Query)
	if f.out.Holds = len(held) > 0; f.out.Holds {
		fact := held[len(held)-1]
		f.out.Fact = &fact
		if len(fact.Args) > 0 {
			f.out.Past = (&past{process: fact.Args[0].Text(), round: fact.Round}).find(e)
		}
		if err = f.loseEach(ctx); err == nil {
			err = f.loseSome(ctx)
		}
	} else {
		f.out.Instead = others(e, &f.Query)
		f.out.promised = promised(e, &f.Query)
	}
	if err == nil && f.out.promised == nil {
		err = f.undo(ctx)
	}
	return f.out, err
}

// promised returns the relations that processes report, if the query is about one that the rules
// of a property derive and no process reports.
func promised(e *recording.Execution, q *syntax.Query) []string {
	if !slices.Contains([]string{"pre", "post", "violation"}, q.Relation) {
		return nil
	}
	all := []string{}
	for _, fact := range e.Facts {
		if !slices.Contains(all, fact.Relation) {
			all = append(all, fact.Relation)
		}
	}
	if slices.Contains(all, q.Relation) {
		return nil
	}
	slices.Sort(all)
	return all[:min(len(all), mostOthers)]
}

func newReasons(query string, s rounds.Schedule, b rounds.Bounds) *Reasons {
	return &Reasons{Query: query, Schedule: s, Past: []Arrival{}, Together: []Arrival{}, Undone: []Undone{}, Instead: []recording.Fact{}, bounds: b}
}

// finder finds the reasons of a fact.
type finder struct {
	Asked
	out *Reasons
}

// execute executes a schedule.
func (f *finder) execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, error) {
	f.out.Executions++
	return f.Execute(ctx, s)
}

// holding returns the facts of an execution that match a query, by their rounds.
func holding(e *recording.Execution, q *syntax.Query) []recording.Fact {
	var all []recording.Fact
	for _, fact := range e.Facts {
		if (q.Round == 0 || fact.Round == q.Round) && Matches(fact, q) {
			all = append(all, fact)
		}
	}
	slices.SortStableFunc(all, func(a, b recording.Fact) int { return a.Round - b.Round })
	return all
}

// Matches tells whether f matches the query q, in whatever round.
func Matches(f recording.Fact, q *syntax.Query) bool {
	if f.Relation != q.Relation || len(f.Args) != len(q.Args) {
		return false
	}
	for i, a := range q.Args {
		if !a.Wildcard && a.Value.Text() != f.Args[i].Text() {
			return false
		}
	}
	return true
}

// others returns some facts of the relation that hold.
func others(e *recording.Execution, q *syntax.Query) []recording.Fact {
	all := []recording.Fact{}
	for _, fact := range e.Facts {
		if fact.Relation == q.Relation && len(all) < mostOthers {
			all = append(all, fact)
		}
	}
	return all
}

const mostOthers = 10

// loseEach tests whether the explained fact holds if one message of its past is lost, the
// latest message first.
func (f *finder) loseEach(ctx context.Context) error {
	for i := len(f.out.Past) - 1; i >= 0; i-- {
		a := &f.out.Past[i]
		if len(f.out.Past)-1-i >= f.Most {
			f.out.Untried = i + 1
			return nil
		}
		var err error
		if a.Needed, a.Later, err = f.without(ctx, *a); err != nil {
			return err
		}
		a.Tried = true
	}
	return nil
}

// loseSome loses all messages of the past, if the fact needs none by itself, and then as
// few as take it away.
func (f *finder) loseSome(ctx context.Context) error {
	if f.out.Untried > 0 || slices.ContainsFunc(f.out.Past, func(a Arrival) bool { return a.Needed }) {
		return nil
	}
	all := f.out.Past
	gone, _, err := f.without(ctx, all...)
	if err != nil || !gone {
		return err
	}
	for i := 0; i < len(all); {
		fewer := schedules.LeaveOut(all, i)
		gone, _, err := f.without(ctx, fewer...)
		switch {
		case err != nil:
			return err
		case gone:
			all = fewer
		default:
			i++
		}
	}
	f.out.Together = all
	return nil
}

// without executes the schedule with some messages lost as well. It tells whether the
// fact that is explained is gone, as gone does.
func (f *finder) without(ctx context.Context, all ...Arrival) (bool, int, error) {
	s := f.Schedule
	s.Faults = slices.Clone(s.Faults)
	for _, a := range all {
		s.Faults = append(s.Faults, a.loss())
	}
	if f.Progress != nil {
		f.Progress("executing it with " + text.Plural(len(all), "message") + " lost")
	}
	e, err := f.execute(ctx, s.Normal())
	if err != nil {
		return false, 0, err
	}
	gone, later := f.gone(e)
	return gone, later, nil
}

// gone tells whether an execution does not have the fact that is explained, and in which
// round it has it instead, 0 for none.
func (f *finder) gone(e *recording.Execution) (bool, int) {
	later := 0
	for _, fact := range e.Facts {
		if fact.Relation != f.out.Fact.Relation || !slices.Equal(fact.Args, f.out.Fact.Args) {
			continue
		}
		if fact.Round == f.out.Fact.Round {
			return false, 0
		}
		if later == 0 || fact.Round < later {
			later = fact.Round
		}
	}
	return true, later
}

// undo tests whether the fact holds without each fault.
func (f *finder) undo(ctx context.Context) error {
	for i, fault := range f.out.Schedule.Faults {
		if fault.Kind == rounds.Choose || fault.Kind == rounds.Restart {
			continue
		}
		fewer, undone := schedules.WithoutTurn(f.out.Schedule, i), rounds.Schedule{Faults: []rounds.Fault{fault}}
		if j := schedules.Next(f.out.Schedule, i); j >= 0 {
			undone.Faults = append(undone.Faults, f.out.Schedule.Faults[j])
		}
		e, err := f.execute(ctx, fewer)
		if err != nil {
			return err
		}
		holds := len(holding(e, &f.Query)) > 0
		if f.out.Fact != nil {
			gone, _ := f.gone(e)
			holds = !gone
		}
		f.out.Undone = append(f.out.Undone, Undone{undone, holds})
	}
	return nil
}

// past has the messages that arrived at a process by a round, and those that arrived at
// their senders before they sent them.
type past struct {
	process string
	round   int
	later   int  // the number of rounds from the sending of a message until the receiver knows it
	lost    bool // instead: the messages that were lost on the way to the process, and its own; of a trace also those of its informants
}

// find returns the messages, earliest first.
func (p *past) find(e *recording.Execution) []Arrival {
	until := map[string]int{p.process: p.round} // by process: the round up to which its messages count
	counts := make([]bool, len(e.Messages))
	for changed := true; changed; {
		changed = false
		for i := len(e.Messages) - 1; i >= 0; i-- { // the latest first, so that once is enough
			m := &e.Messages[i]
			if by, known := until[m.To]; counts[i] || !known || m.Lost && !p.lost || m.From == "" || p.known(m) > by {
				continue
			}
			counts[i], changed = true, true
			until[m.From] = max(until[m.From], m.Round-1+p.later)
		}
	}
	all, known := []Arrival{}, map[rounds.Fault]int{}
	for i := range e.Messages {
		m := &e.Messages[i]
		if (counts[i] || p.lost && p.asked(m, until)) && m.Lost == p.lost && m.From != m.To {
			all = add(all, known, m, p.text(e, m))
		}
	}
	slices.SortStableFunc(all, func(a, b Arrival) int {
		return cmp.Or(a.Round-b.Round, cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return all
}

// known returns the round from which the receiver of a message knows it. A message lost in
// a trace is missed in the round in which it was sent, when its call is given up.
func (p *past) known(m *recording.Message) int {
	if m.Lost {
		return cmp.Or(m.Arrival, m.Round)
	}
	return cmp.Or(m.Arrival, m.Round) + p.later
}

// asked tells whether an informant had sent a message before m, so that an answer was
// missed.
func (p *past) asked(m *recording.Message, until map[string]int) bool {
	if p.later == 0 {
		return m.From == p.process && m.Round < p.round
	}
	by, counts := until[m.From]
	return counts && m.Round <= by
}

// add adds a message to the messages of its link and round, whose indexes are in known.
func add(all []Arrival, known map[rounds.Fault]int, m *recording.Message, text string) []Arrival {
	a := Arrival{From: m.From, To: m.To, Round: m.Round, Arrives: cmp.Or(m.Arrival, m.Round), Messages: []string{text}}
	i, ok := known[a.loss()]
	if !ok {
		if m.Lost {
			a.Cause = m.Cause.String()
		}
		known[a.loss()] = len(all)
		return append(all, a)
	}
	all[i].Arrives = min(all[i].Arrives, a.Arrives)
	if !slices.Contains(all[i].Messages, text) {
		all[i].Messages = append(all[i].Messages, text)
	}
	return all
}

// loss is the fault that loses a message alone.
func (a *Arrival) loss() rounds.Fault {
	return rounds.Fault{Kind: rounds.Omit, Process: a.From, To: a.To, Round: a.Round}
}

// text writes a message; for an answer lost in a trace it also writes the call.
func (p *past) text(e *recording.Execution, m *recording.Message) string {
	text := textOf(m)
	if !p.lost || p.later == 0 {
		return text
	}
	if call := Answered(e, m); call != nil {
		text += fmt.Sprintf(" to %s of %s>%s@%d", call.Relation, call.From, call.To, call.Round)
	}
	return text
}

func textOf(m *recording.Message) string {
	text := m.Relation
	for i, arg := range m.Args {
		if i > 0 && arg.Text() != "" {
			text += " " + arg.Text()
		}
	}
	return text
}
