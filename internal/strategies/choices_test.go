package strategies_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// clerk is a toy whose state depends on what clients ask as well.
type clerk struct{ toy }

func (p *clerk) Send(s *system.Step) {
	for _, q := range s.Requests() {
		p.state = p.choose("asked", q.Payload) % toyStates
		s.Reply(q, p.state)
	}
	p.toy.Send(s)
}

// choosing returns a toy of which clients ask what a schedule says.
func choosing(seed uint64) target {
	target, r := toySystem(seed)
	s := target.System
	s.Rounds = 3 + r.IntN(2)
	s.New = func(name string, _ *rand.Rand) system.Process {
		return &clerk{toy{seed: seed, name: name, names: s.Processes}}
	}
	if r.IntN(2) == 0 {
		s.Requests = []system.Request{{Round: 1, Process: "a", Payload: "first"}, {Round: 2, Process: "b", Payload: "second"}}
	}
	s.Choices = []system.Choice{
		{Kind: "put", Processes: s.Processes[:1+r.IntN(2)], Values: [][]any{{"x", 1}}, From: 2 - r.IntN(2), To: 2},
		{Kind: "get", Processes: s.Processes[1:2], To: r.IntN(4)},
	}
	b := rounds.Bounds{Choices: 1 + r.IntN(2), Period: 1 + r.IntN(3)}
	switch r.IntN(4) {
	case 0:
		b.Pauses = 1 + r.IntN(2)
	case 1:
		b.Omissions = r.IntN(3)
	case 2:
		b.Isolations, b.Crashes = 1, r.IntN(2)
	default:
		b.Isolations = r.IntN(2)
	}
	if r.IntN(3) == 0 {
		b.Choices = rounds.Unlimited
	}
	target.Bounds = b
	return target
}

// Of systems whose clients ask what a schedule chooses the searches find a violation
// exactly when there is one, with the fewest faults, and of these with the fewest
// requests.
func TestAgreesOnChoices(t *testing.T) { agree(t, choosing) }
