package diagram

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// model is what is drawn of an execution, whatever it is drawn in.
type model struct {
	options   Options
	bounds    rounds.Bounds
	processes []string
	eot       int
	settings  rounds.Settings
	faults    []rounds.Fault // in normal form; omissions only if no message shows them
	idle      map[rounds.Fault]bool
	unreached []rounds.Fault // crashes at points to which the process did not come
	rounds    []round

	clients     []string            // those with a lane behind the processes: whom they ask
	moreClients int                 // that have none
	beside      tally               // what those without a lane do
	operations  map[int][]operation // by round

	folded []string // what comes again and again, in words

	reports bool // facts are what a system reports in a round, not what holds when it begins
}

// round is what is drawn of one round.
type round struct {
	number   int
	faults   []rounds.Fault // that begin
	starts   []int          // the columns of processes that start, if not all do in round 1
	crashes  []rounds.Fault // within the round
	messages []recording.Message
	arrows   []arrow // the messages by sender, relation and receiver
	remarks  []string

	operations []operation // what clients ask and are told
	states     []state     // facts that are shown
	repeats    bool        // nothing begins, nothing is remarked, no fact is shown, no client acts in it or in the round before, and the arrows are those of the round before
}

// arrow stands for the messages of one relation over one link in a round.
type arrow struct {
	from, to int // columns of processes; -1 for what is no process
	target   string
	relation string
	says     string // what is written at it: the relation, or what the message says
	lost     bool
	cause    rounds.Fault
	coming
	copies int
	losses // that are not drawn
}

// coming is when messages arrive that do not arrive at once. The zero value is those
// that do.
type coming struct {
	arrival int  // the round
	late    bool // they are delayed, or come again, or their link has a latency: otherwise they wait for a paused process
	again   bool // they have arrived before, or will: these are their duplicates
}

// newModel chooses what to draw.
func newModel(e *recording.Execution, o Options) *model {
	m := &model{options: o, bounds: e.Bounds, processes: e.Bounds.Processes, eot: e.Bounds.EOT, settings: e.Schedule.Settings, idle: map[rounds.Fault]bool{}, unreached: e.Unreached.Faults, operations: map[int][]operation{}, reports: e.System != ""}
	for _, f := range e.Schedule.Normal().Faults {
		m.idle[f] = idle(f, e)
		if f.Kind != rounds.Omit || m.idle[f] || unrecorded(e) {
			m.faults = append(m.faults, f)
		}
	}
	byRound := map[int][]recording.Message{}
	for _, message := range e.Messages {
		if m.shows(e, message) {
			byRound[message.Round] = append(byRound[message.Round], message)
		}
	}
	column := make(map[string]int, len(m.processes))
	for i, name := range m.processes {
		column[name] = i
	}
	m.addOperations(e, column)
	states := m.states(e, column)
	for number := 1; number <= m.eot; number++ {
		r := round{number: number, messages: byRound[number], arrows: m.arrows(byRound[number], column), starts: m.starts(number), remarks: o.remarks(number), operations: m.operations[number], states: states[number]}
		for _, f := range m.faults {
			switch {
			case f.Round != number:
			case within(f):
				r.crashes = append(r.crashes, f)
			default:
				r.faults = append(r.faults, f)
			}
		}
		m.rounds = append(m.rounds, r)
	}
	if o.Fold {
		m.fold()
	}
	if m.reports && !o.All {
		m.foldLost()
	}
	for i := 1; i < len(m.rounds); i++ {
		r := &m.rounds[i]
		r.repeats = !o.All && len(r.faults)+len(r.starts)+len(r.crashes)+len(r.remarks)+len(r.states) == 0 && !m.acts(r.number) && !m.acts(r.number-1) && slices.Equal(r.arrows, m.rounds[i-1].arrows)
	}
	return m
}

// shows tells whether a message is drawn.
func (m *model) shows(e *recording.Execution, s recording.Message) bool {
	seen := s.Round < m.eot || e.System != ""
	return seen && (s.From != s.To || m.options.All) && m.selects(s.Relation) && !slices.Contains(m.options.Hide, Says(s))
}

// selects tells whether a relation is one that is drawn.
func (m *model) selects(relation string) bool {
	return !slices.Contains(m.options.Hide, relation) && (m.options.Relations == nil || slices.Contains(m.options.Relations, relation))
}

// arrows joins the messages of a round that are drawn in the same way.
func (m *model) arrows(messages []recording.Message, column map[string]int) []arrow {
	place := func(name string) int {
		if i, ok := column[name]; ok {
			return i
		}
		return -1
	}
	index := map[arrow]int{}
	var all []arrow
	for _, s := range messages {
		a := arrow{from: place(s.From), to: place(s.To), target: s.To, relation: s.Relation, says: says(s), lost: s.Lost, cause: s.Cause}
		if !m.slow(s) { // it is said below the diagram
			a.coming = m.coming(s)
		}
		i, known := index[a]
		if !known {
			i = len(all)
			index[a] = i
			all = append(all, a)
		}
		all[i].copies++
	}
	slices.SortStableFunc(all, func(a, b arrow) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.relation, b.relation), cmp.Compare(a.says, b.says), cmp.Compare(a.to, b.to))
	})
	return all
}

const mostNotes = 4 // the notes of a round that are shown

// remarks returns the notes about a round that are not those about the round
// before.
func (o Options) remarks(round int) []string {
	var texts []string
	for _, n := range o.Notes {
		if n.Round == round && (o.All || !slices.Contains(o.Notes, Note{round - 1, n.Text})) {
			texts = append(texts, n.Text)
		}
	}
	if more := len(texts) - mostNotes; more > 0 && !o.All {
		texts = append(texts[:mostNotes], fmt.Sprintf("and %d more", more))
	}
	return texts
}

// within tells whether a fault is a crash within its round, after what the process
// has done until then.
func within(f rounds.Fault) bool { return f.Point() != "" }

// crashedBy tells whether a process has crashed in a round or before; within the
// round only if it is looked at when that ends. A process can crash again in the
// round in which it restarts, but only within it.
func (m *model) crashedBy(p, round int, end bool) bool {
	down, up := 0, 0 // since when
	for _, f := range m.faults {
		if f.Process != m.processes[p] || f.Round > round {
			continue
		}
		switch {
		case within(f) && (end || f.Round < round):
			down = max(down, f.Round+1)
		case f.Kind == rounds.Crash && !within(f):
			down = max(down, f.Round)
		case f.Kind == rounds.Restart:
			up = max(up, f.Round)
		}
	}
	return down > up
}

// parted tells whether a process is on the other side of a partition than the first
// process in a round.
func (m *model) parted(p, round int) bool {
	return slices.ContainsFunc(m.faults, func(f rounds.Fault) bool {
		if f.Kind != rounds.Partition || round < f.Round || round > f.Until {
			return false
		}
		return crosses(f, m.processes[0], m.processes[p])
	})
}

// crosses tells whether a partition stands between two processes.
func crosses(f rounds.Fault, a, b string) bool {
	side, others, _ := strings.Cut(f.Detail, "|")
	if side == "*" {
		side = others
	}
	members := strings.Split(side, ",")
	return slices.Contains(members, a) != slices.Contains(members, b)
}

// during tells whether a round is one of a fault that lasts.
func (m *model) during(kind rounds.Kind, name string, round int) bool {
	return slices.ContainsFunc(m.faults, func(f rounds.Fault) bool {
		return f.Kind == kind && f.Process == name && f.Round <= round && round <= f.Until
	})
}

// coming says when a message arrives that does not arrive at once.
func (m *model) coming(s recording.Message) coming {
	late := s.Again || slices.ContainsFunc(m.faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Delay && f.Hits(s.Relation) && f.Process == s.From && f.To == s.To && f.Round == s.Round
	})
	return coming{s.Arrival, s.Arrival > 0 && (late || m.slow(s)), s.Again}
}

// slow tells whether a message arrives later because of the latency of its link alone.
func (m *model) slow(s recording.Message) bool {
	later, _ := m.settings.LatencyOf(s.From, s.To)
	return later > 0 && !s.Again && s.Arrival == min(s.Round+later, m.eot+1)
}

// starts returns the processes that start in a round, if not all do in round 1.
func (m *model) starts(round int) (columns []int) {
	for p, name := range m.processes {
		if at, _ := m.settings.StartOf(name); at == round && round > 1 {
			columns = append(columns, p)
		}
	}
	return columns
}

// absent tells whether a process has not started yet.
func (m *model) absent(p, round int) bool {
	at, _ := m.settings.StartOf(m.processes[p])
	return round < at
}

// latencies says how late links are, "" if they are not.
func (m *model) latencies() string {
	var all []string
	for _, from := range m.processes {
		for _, to := range m.processes {
			if later, _ := m.settings.LatencyOf(from, to); later > 0 {
				all = append(all, fmt.Sprintf("%s>%s %d", from, to, later))
			}
		}
	}
	if all == nil {
		return ""
	}
	return "links with a latency, in rounds: " + strings.Join(all, ", ")
}

// comes says the same in words.
func (m *model) comes(c coming) string {
	switch {
	case c.arrival == 0:
		return "is a duplicate" // that is lost
	case c.arrival > m.eot:
		return "waits until the end"
	case c.again:
		return fmt.Sprintf("arrives again in round %d", c.arrival)
	case c.late:
		return fmt.Sprintf("arrives in round %d", c.arrival)
	}
	return fmt.Sprintf("waits until round %d", c.arrival)
}
