package upon_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/examples/upon"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Ben-Or's consensus for three processes of which one may crash. A process reports its
// value; upon n - f reports, it proposes the value that most processes have reported,
// or nothing; upon n - f proposals, it adopts what was proposed, decides if f + 1 have
// proposed it, and throws a coin if nothing was proposed.

const (
	faulty  = 1
	nothing = 2 // proposed
)

type voter struct {
	Value   int
	Decided bool
}

func benOr() upon.Protocol[voter] {
	return upon.Protocol[voter]{
		Init: func(process string) voter { return voter{Value: int(process[0]-'a') % 2} },
		Start: upon.Rule[voter]{
			Name: "begin", Sends: []upon.Tag{{Kind: "report"}},
			Do: func(e *upon.Event[voter], _ []upon.Message) { e.Broadcast("report", 0, e.State.Value) },
		},
		Rules: []upon.Rule[voter]{
			{Name: "propose", Kind: "report", Count: upon.AllBut(faulty), Sends: []upon.Tag{{Kind: "proposal"}}, Do: propose},
			{Name: "adopt", Kind: "proposal", Count: upon.AllBut(faulty), Sends: []upon.Tag{{Kind: "report", Round: 1}}, Do: adopt},
		},
	}
}

func propose(e *upon.Event[voter], got []upon.Message) {
	proposal := nothing
	for v, n := range tally(got) {
		if v != nothing && n > len(e.Processes())/2 {
			proposal = v
		}
	}
	e.Broadcast("proposal", 0, proposal)
}

func adopt(e *upon.Event[voter], got []upon.Message) {
	v, n := most(tally(got))
	switch {
	case n > faulty && !e.State.Decided:
		e.State.Value, e.State.Decided = v, true
		e.Fact("decided", v)
	case n > 0:
		e.State.Value = v
	default:
		e.State.Value = e.Rand().IntN(2)
	}
	e.Broadcast("report", 1, e.State.Value)
}

// tally counts the messages with each value.
func tally(got []upon.Message) (counts [3]int) {
	for _, m := range got {
		counts[m.Value.(int)]++
	}
	return counts
}

// most returns the value that was proposed most often, and how often.
func most(counts [3]int) (value, n int) {
	if counts[1] > counts[0] {
		return 1, counts[1]
	}
	return 0, counts[0]
}

// byHand is the same protocol as a state machine that counts lock-step rounds itself.
type byHand struct {
	voter
	proposal          int
	reports, proposes int // in this round of the protocol
}

func newByHand(name string, _ *rand.Rand) system.Process {
	return &byHand{voter: voter{Value: int(name[0]-'a') % 2}, reports: 1}
}

// said is a message.
type said struct {
	kind         string
	round, value int
}

func (m said) Kind() string   { return m.kind }
func (m said) String() string { return fmt.Sprintf("%d: %d", m.round, m.value) }

func (p *byHand) Send(s *system.Step) {
	round := (s.Round() + 1) / 2
	for _, to := range s.Processes() {
		switch {
		case s.Round()%2 == 1 && p.reports == round:
			s.Send(to, said{"report", round, p.Value})
		case s.Round()%2 == 0 && p.proposes == round:
			s.Send(to, said{"proposal", round, p.proposal})
		}
	}
}

func (p *byHand) Receive(s *system.Step, inbox []system.Message) {
	round := (s.Round() + 1) / 2
	var counts [3]int
	n := 0
	for _, m := range inbox {
		if heard := m.Payload.(said); heard.round == round && (heard.kind == "report") == (s.Round()%2 == 1) {
			counts[heard.value]++
			n++
		}
	}
	switch {
	case n < len(s.Processes())-faulty:
	case s.Round()%2 == 1:
		p.proposes, p.proposal = round, nothing
		for v := range 2 {
			if counts[v] > len(s.Processes())/2 {
				p.proposal = v
			}
		}
	default:
		p.adopt(s, counts)
		p.reports = round + 1
	}
}

func (p *byHand) adopt(s *system.Step, counts [3]int) {
	v, n := most(counts)
	switch {
	case n > faulty && !p.Decided:
		p.Value, p.Decided = v, true
		s.Fact("decided", v)
	case n > 0:
		p.Value = v
	default:
		p.Value = s.Rand().IntN(2)
	}
}
