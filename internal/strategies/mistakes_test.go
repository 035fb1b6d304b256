package strategies_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// Small systems with a mistake that real ones have had, for the comparison of
// strategies. None of them has phases of its own, as the replicated log and
// Cassandra have: they go by timeouts, so that what a fault does depends on where
// they are when it comes.

// staleTerms is an election by timeouts. The mistake: a heartbeat sets the term of
// whoever hears it, though it may be that of a leader who was replaced. Then one
// votes twice in a term.
func staleTerms(right bool) target {
	names := []string{"a", "b", "c"}
	return target{
		System: &system.System{
			Name: "stale-terms", Processes: names, Rounds: 32,
			New: func(name string, _ *rand.Rand) system.Process {
				return &elector{place: slices.Index(names, name), right: right}
			},
			Properties: []property.Property{property.UniquePerTerm("leader")},
		},
		Bounds: rounds.Bounds{Isolations: 4, Period: 8},
	}
}

type elector struct {
	place   int // its timeout differs from that of others
	right   bool
	term    int
	leads   bool
	asks    bool   // for votes, in the next round
	vote    string // whom it gives its vote in the next round
	silence int    // rounds without a leader
}

type (
	heartbeat struct{ Term int }
	ask       struct{ Term int }
	ballot    struct{ Term int }
)

func (p *elector) Send(s *system.Step) {
	switch {
	case p.leads:
		s.Broadcast(heartbeat{p.term})
	case p.asks:
		s.Broadcast(ask{p.term})
		p.asks = false
	case p.vote != "":
		s.Send(p.vote, ballot{p.term})
	}
	p.vote = ""
}

func (p *elector) Receive(s *system.Step, inbox []system.Message) {
	p.silence++
	for _, m := range inbox {
		switch m := m.Payload.(type) {
		case heartbeat:
			if m.Term >= p.term || !p.right {
				p.leads = p.leads && m.Term <= p.term
				p.term, p.silence = m.Term, 0
			}
		case ballot:
			if m.Term == p.term && !p.leads { // with its own that is most of three
				p.leads = true
				s.Fact("leader", p.term)
			}
		}
	}
	for _, m := range inbox {
		if a, ok := m.Payload.(ask); ok && a.Term > p.term {
			p.term, p.leads, p.vote, p.silence = a.Term, false, m.From, 0
		}
	}
	if p.silence > 2+p.place && !p.leads {
		p.term, p.asks, p.silence = p.term+1, true, 0
	}
}

// gaps is a log that a primary gives two backups, and that it acknowledges to its
// clients as far as a backup has it. When the primary is not heard of for some
// rounds the next process takes over, with what most have. The mistake: a backup takes
// the last entry that it got for the place up to which it has all of them. One that
// it has missed before is then not sent again.
func gaps(right bool) target {
	names := []string{"a", "b", "c"}
	return target{
		System: &system.System{
			Name: "gaps", Processes: names, Rounds: 30,
			New: func(name string, _ *rand.Rand) system.Process {
				return &backup{name: name, place: slices.Index(names, name), right: right, log: map[int]entry{}, sent: map[string]int{}, writes: true}
			},
			Properties: []property.Property{rules.New("acknowledged once", `violation(I, V, W) :- acked(_, I, V, _), acked(_, I, W, _), V < W.`)},
		},
		Bounds: rounds.Bounds{Isolations: 4, Period: 6},
	}
}

type backup struct {
	name    string
	place   int
	right   bool
	view    int           // its primary is the process of that number, modulo all
	log     map[int]entry // by place, from 1
	silence int           // rounds without its primary

	writes bool           // as the primary: it has what most have
	acked  int            // as the primary
	sent   map[string]int // as the primary: up to where it sent it whom
}

type (
	entry struct {
		View  int // in which it was written
		Value string
	}
	appends struct {
		View, Place int
		Values      []string
	}
	stored struct {
		View, Place int
		Log         map[int]entry
	}
)

func (p *backup) Send(s *system.Step) {
	names := s.Processes()
	if p.view%len(names) != p.place {
		if p.silence == 0 { // it was asked
			s.Send(names[p.view%len(names)], stored{p.view, p.stored(), maps.Clone(p.log)})
		}
		return
	}
	if p.writes { // a client asks for something
		p.log[p.last()+1] = entry{p.view, fmt.Sprint(p.name, s.Round())}
	}
	for _, to := range names {
		if to == p.name {
			continue
		}
		a := appends{View: p.view, Place: p.sent[to] + 1}
		for p.writes && p.sent[to] < p.last() {
			p.sent[to]++
			a.Values = append(a.Values, p.log[p.sent[to]].Value)
		}
		s.Send(to, a)
	}
}

// last is the place of the last entry.
func (p *backup) last() (last int) {
	for place := range p.log {
		last = max(last, place)
	}
	return last
}

// stored is the place up to which the log is that of the primary.
func (p *backup) stored() (place int) {
	for i := 1; i <= p.last(); i++ {
		switch {
		case p.log[i].Value != "" && p.log[i].View == p.view:
			place = i
		case p.right:
			return place
		}
	}
	return place
}

func (p *backup) Receive(s *system.Step, inbox []system.Message) {
	p.silence++
	for _, m := range inbox {
		if a, ok := m.Payload.(appends); ok && a.View >= p.view {
			p.view, p.silence = a.View, 0
			for i, v := range a.Values {
				p.log[a.Place+i] = entry{a.View, v}
			}
		}
	}
	for _, m := range inbox {
		if a, ok := m.Payload.(stored); ok && a.View == p.view {
			p.hear(s, m.From, a)
		}
	}
	if n := len(s.Processes()); p.silence > 3 && (p.view+1)%n == p.place {
		p.view, p.silence, p.writes, p.acked = p.view+1, 0, false, 0
		clear(p.sent)
	}
}

// hear takes what a backup has as the primary.
func (p *backup) hear(s *system.Step, from string, a stored) {
	p.silence = 0
	if p.writes {
		p.sent[from] = a.Place
		for ; p.acked < a.Place; p.acked++ {
			s.Fact("acked", p.acked+1, p.log[p.acked+1].Value)
		}
		return
	}
	last := p.last() // what a backup and it have is what most have
	for place, e := range a.Log {
		if last = max(last, place); e.View > p.log[place].View || p.log[place].Value == "" {
			p.log[place] = e
		}
	}
	for place := 1; place <= last; place++ {
		p.log[place] = entry{p.view, cmp.Or(p.log[place].Value, "nothing")}
	}
	p.writes = true
}

// lateRelease is a server that lends a lock for some rounds. The mistake: whoever
// says that it gives the lock back frees it, though it may say so again because
// it heard nothing, and the lock may by then be another's.
func lateRelease(right bool) target {
	return target{
		System: &system.System{
			Name: "late-release", Processes: []string{"a", "b", "c", "s"}, Rounds: 30,
			New: func(name string, _ *rand.Rand) system.Process {
				if name == "s" {
					return &lender{right: right}
				}
				return &borrower{}
			},
			Properties: []property.Property{rules.New("mutual exclusion", `violation(P, Q) :- holds(P, R), holds(Q, R), P < Q.`)},
		},
		Bounds: rounds.Bounds{Isolations: 3, Period: 5},
	}
}

const lent = 12 // rounds

type (
	want    struct{}
	grant   struct{ Until, Number int }
	release struct{ Number int }
	freed   struct{}
)

type lender struct {
	right  bool
	holder string
	until  int
	number int // of the loan
	after  string
	answer map[string]any
}

func (p *lender) Send(s *system.Step) {
	for _, to := range s.Processes() {
		if a := p.answer[to]; a != nil {
			s.Send(to, a)
		}
	}
	p.answer = map[string]any{}
}

func (p *lender) Receive(s *system.Step, inbox []system.Message) {
	p.answer = map[string]any{}
	if s.Round() > p.until {
		p.holder = ""
	}
	var waiting []string
	for _, m := range inbox {
		switch r := m.Payload.(type) {
		case release:
			p.answer[m.From] = freed{}
			if !p.right || r.Number == p.number {
				p.holder = ""
			}
		case want:
			waiting = append(waiting, m.From)
		}
	}
	if p.holder != "" || len(waiting) == 0 {
		return
	}
	p.holder = waiting[0]
	for _, w := range waiting { // one after the other
		if w > p.after {
			p.holder = w
			break
		}
	}
	p.after, p.until, p.number = p.holder, s.Round()+lent, p.number+1
	p.answer[p.holder] = grant{p.until, p.number}
	s.Fact("lends", p.holder)
}

type borrower struct {
	since, until int // it holds the lock
	number       int // of the loan
	returns      bool
	said         int // rounds in which it has given it back
	rest         int // rounds without a wish for the lock
}

func (p *borrower) Send(s *system.Step) {
	switch {
	case p.returns:
		if p.said++; p.said%3 == 1 {
			s.Send("s", release{p.number})
		}
	case p.until == 0 && p.rest == 0:
		s.Send("s", want{})
	}
}

func (p *borrower) Receive(s *system.Step, inbox []system.Message) {
	p.rest = max(p.rest-1, 0)
	for _, m := range inbox {
		switch m := m.Payload.(type) {
		case grant:
			if s.Round() < m.Until && !p.returns {
				p.since, p.until, p.number = s.Round(), m.Until, m.Number
			}
		case freed:
			p.returns, p.rest = false, 2
		}
	}
	switch {
	case p.until == 0:
	case s.Round() >= p.until || s.Round() >= p.since+4: // its work is done
		p.until, p.returns, p.said = 0, true, 0
	default:
		s.Fact("holds")
	}
}

// Without their mistakes they keep what they promise, as far as schedules that are
// drawn can tell.
func TestMistakesAreWhatIsWrong(t *testing.T) {
	for _, of := range []func(bool) target{staleTerms, gaps, lateRelease} {
		r, err := find(t.Context(), "spread", of(true), search.Options{Executions: 1000})
		require.NoError(t, err)
		require.Equal(t, result.Inconclusive, r.Verdict, r.Summary())
		r, err = find(t.Context(), "lineage", of(false), search.Options{Executions: 1000})
		require.NoError(t, err)
		require.Equal(t, result.Violated, r.Verdict, r.Summary())
	}
}
