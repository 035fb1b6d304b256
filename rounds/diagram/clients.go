package diagram

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Recordings of systems have what clients ask, and are told, as the facts
// request(process, id, payload) and reply(process, id, payload). A client is who
// asks one process, as in package specs/property/linear.

// operation is a request or a reply.
type operation struct {
	fact       recording.Fact
	client     string // the process that it asks
	lane       int    // the column of the client, -1 if it has none
	process    int    // the column of the process that is asked or replies, -1 if it is none
	unanswered bool   // a request that gets no reply
}

// isReply tells a reply from a request.
func (o operation) isReply() bool { return o.fact.Relation == reply }

// text is what is asked or told.
func (o operation) text() string { return o.fact.Args[1].Text() + ": " + o.fact.Args[2].Text() }

const (
	request = "request"
	reply   = "reply"

	mostClients    = 8 // that have a lane
	mostOperations = 8 // the requests, and the replies, of a round that are shown
)

// operations returns the requests and replies of an execution, sorted by round.
func operations(e *recording.Execution) []operation {
	if e.System == "" {
		return nil
	}
	var all []operation
	clients := map[specs.Value]string{} // by the id of their first request
	answered := map[specs.Value]int{}   // the round of the last reply
	for _, f := range e.Facts {
		if f.Relation != request && f.Relation != reply || len(f.Args) != 3 {
			continue
		}
		all = append(all, operation{fact: f, client: f.Args[0].Text()})
		if f.Relation == reply {
			answered[f.Args[1]] = max(answered[f.Args[1]], f.Round)
		} else if _, known := clients[f.Args[1]]; !known {
			clients[f.Args[1]] = f.Args[0].Text()
		}
	}
	for i := range all {
		o := &all[i]
		if o.isReply() {
			if client, known := clients[o.fact.Args[1]]; known {
				o.client = client
			}
			continue
		}
		o.unanswered = answered[o.fact.Args[1]] < o.fact.Round
	}
	return all
}

// addOperations gives clients their lanes and rounds their operations.
func (m *model) addOperations(e *recording.Execution, column map[string]int) {
	all := slices.DeleteFunc(operations(e), func(o operation) bool { return !m.selects(o.fact.Relation) })
	place := func(name string) int {
		if i, ok := column[name]; ok {
			return i
		}
		return len(m.processes)
	}
	for _, o := range all {
		if !slices.Contains(m.clients, o.client) {
			m.clients = append(m.clients, o.client)
		}
	}
	slices.SortFunc(m.clients, func(a, b string) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b)) })
	if more := len(m.clients) - mostClients; more > 0 {
		m.clients, m.moreClients = m.clients[:mostClients], more
	}
	for _, o := range all {
		o.lane, o.process = slices.Index(m.clients, o.client), place(o.fact.Args[0].Text())
		if o.process == len(m.processes) {
			o.process = -1
		}
		if o.lane >= 0 {
			o.lane += len(m.processes)
		} else {
			m.beside.add(o)
		}
		m.operations[o.fact.Round] = append(m.operations[o.fact.Round], o)
	}
}

// columns is the number of lifelines.
func (m *model) columns() int { return len(m.processes) + len(m.clients) }

// acts tells whether a client with a lane does something in a round.
func (m *model) acts(round int) bool {
	return slices.ContainsFunc(m.operations[round], func(o operation) bool { return o.lane >= 0 })
}

// drawn returns the requests or the replies of a round that are drawn, and how many
// more there are.
func (m *model) drawn(r round, replies bool) (shown []operation, more tally) {
	for _, o := range r.operations {
		switch {
		case o.isReply() != replies || o.lane < 0:
		case len(shown) == mostOperations && !m.options.All:
			more.add(o)
		default:
			shown = append(shown, o)
		}
	}
	return shown, more
}

// remark is what there is to say about an operation that its arrow does not show.
func (m *model) remark(o operation) string {
	switch {
	case o.process < 0 && o.isReply():
		return fmt.Sprintf("from %q, which is no process", o.fact.Args[0].Text())
	case o.process < 0:
		return fmt.Sprintf("to %q, which is no process", o.fact.Args[0].Text())
	case o.unanswered:
		return "no reply"
	default:
		return ""
	}
}

// apart says which clients have no lane, and what they do.
func (m *model) apart() string {
	if m.moreClients == 0 {
		return ""
	}
	return fmt.Sprintf("%s left out, with %s", text.Plural(m.moreClients, "client"), m.beside)
}

// tally counts requests and replies.
type tally struct{ requests, replies, unanswered int }

func (t *tally) add(o operation) {
	switch {
	case o.isReply():
		t.replies++
	case o.unanswered:
		t.unanswered++
		fallthrough
	default:
		t.requests++
	}
}

// String returns, for example, "3 requests (1 without a reply) and 2 replies".
func (t tally) String() string {
	var parts []string
	if t.requests > 0 {
		parts = append(parts, text.Plural(t.requests, request))
		if t.unanswered > 0 {
			parts[0] += fmt.Sprintf(" (%d without a reply)", t.unanswered)
		}
	}
	switch {
	case t.replies == 1:
		parts = append(parts, "1 reply")
	case t.replies > 1:
		parts = append(parts, fmt.Sprintf("%d replies", t.replies))
	}
	return text.List(parts, "and")
}
