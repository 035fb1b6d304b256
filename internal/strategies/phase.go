package strategies

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// phase is a stretch of rounds, at whose end isolated processes rejoin, with the events
// that executions have shown.
type phase struct {
	Phase
	numbers  map[lineageEvent]int
	events   []lineageEvent    // by number
	supports [][]arrivals      // by event: sets of messages received in the phase, each of which is enough
	first    []int             // the events of the execution without faults, in their order
	stated   []progress        // the progress that rules state; none: the reported facts are the progress
	changed  bool              // since sets of isolations were proposed
	sets     []*outcomeChoices // by how many isolations they have
}

// lineageEvent is that a message of a kind is sent in a round, or a fact reported.
type lineageEvent struct {
	round    int
	from, to int // of a fact both are the process that reports it
	relation string
	fact     bool
}

func newPhase(p Phase) *phase { return &phase{Phase: p, numbers: map[lineageEvent]int{}} }

// number returns the number of an event.
func (p *phase) number(e lineageEvent) int {
	i, known := p.numbers[e]
	if !known {
		i = len(p.events)
		p.numbers[e] = i
		p.events, p.supports = append(p.events, e), append(p.supports, nil)
	}
	return i
}

// text names an event, as a message or fact is named elsewhere.
func (p *phase) text(i int, processes []string) string {
	e := p.events[i]
	if e.fact {
		return fmt.Sprintf("%s of %s in round %d", e.relation, processes[e.from], e.round)
	}
	return fmt.Sprintf("%s %s>%s@%d", e.relation, processes[e.from], processes[e.to], e.round)
}

// reader reads the events of an execution, one phase after the other.
type reader struct {
	execution      *recording.Execution
	index          map[string]int
	lens           *search.Lens
	message, fact  int // the next
	received       []arrivals
	underway       map[int][]int // by round of their arrival: messages that arrive later than they are sent
	happened, seen []int         // in the phase: all events; those that arrived, or that the properties see
}

// read goes through a phase. What it shows is a support of each of its events.
func (r *reader) read(p *phase) {
	r.received, r.underway = make([]arrivals, len(r.index)), map[int][]int{}
	r.seen = r.seen[:0]
	for r.message < len(r.execution.Messages) && r.execution.Messages[r.message].Round < p.First {
		r.message++
	}
	for r.fact < len(r.execution.Facts) && r.execution.Facts[r.fact].Round < p.First {
		r.fact++
	}
	for round := p.First; round <= p.Last; round++ {
		r.messages(p, round)
		r.facts(p, round)
	}
}

// messages reads the messages of a round: a sender has received the messages that arrived
// before.
func (r *reader) messages(p *phase, round int) {
	r.happened = append(r.happened[:0], r.underway[round]...)
	for ; r.message < len(r.execution.Messages) && r.execution.Messages[r.message].Round == round; r.message++ {
		m := &r.execution.Messages[r.message]
		from, known := r.index[m.From]
		to, own := r.index[m.To]
		if !known || !own || from == to {
			continue
		}
		i := p.number(lineageEvent{round, from, to, m.Relation, false})
		p.learn(i, r.received[from])
		switch at := max(m.Arrival, round); {
		case m.Lost:
		case at > round && at <= p.Last && r.slow(m):
			r.underway[at] = append(r.underway[at], i)
		case at == round && !slices.Contains(r.happened, i):
			r.happened = append(r.happened, i)
		}
	}
	for _, i := range r.happened {
		to := p.events[i].to
		r.received[to] = r.received[to].add(i)
	}
	r.seen = append(r.seen, r.happened...)
}

// facts reads the facts of a round.
func (r *reader) facts(p *phase, round int) {
	for ; r.fact < len(r.execution.Facts) && r.execution.Facts[r.fact].Round == round; r.fact++ {
		f := r.execution.Facts[r.fact]
		if len(f.Args) == 0 {
			continue
		}
		process, known := r.index[f.Args[0].Text()]
		if _, seen := r.lens.See(f); !known || !seen {
			continue
		}
		i := p.number(lineageEvent{round, process, process, f.Relation, true})
		p.learn(i, r.received[process])
		if !slices.Contains(r.seen, i) {
			r.seen = append(r.seen, i)
		}
	}
}

// learn records a support of an event.
func (p *phase) learn(i int, received arrivals) {
	more := false
	p.supports[i], more = smallest(p.supports[i], received)
	p.changed = p.changed || more
}

// slow tells whether a message is late by the latency of its link alone.
func (r *reader) slow(m *recording.Message) bool {
	later, _ := r.execution.Schedule.Settings.LatencyOf(m.From, m.To)
	return m.Arrival == m.Round+later
}
