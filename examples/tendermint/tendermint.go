package tendermint

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

var validators = []string{"a", "b", "c", "d"}

const (
	quorum = 3 // more than two thirds
	honest = 2 // one of so many is not faulty
	none   = -1
)

// Together is asked of both versions: four rounds after the last loss nobody is more than
// one round of Tendermint behind.
var Together = rules.New("together", `violation(P, Q) :- at(P, M, 16), at(Q, N, 16), K = fn:plus(M, 1), K < N.`)

// Lagging and Skipping return the system with the bug and without: one process is isolated
// for up to twelve rounds.
func Lagging() *system.System  { return tendermint("round-skip", false) }
func Skipping() *system.System { return tendermint("round-skip-fixed", true) }

func tendermint(name string, skips bool) *system.System {
	return &system.System{
		Name: name, Processes: validators, Rounds: 16,
		New: func(name string, _ *rand.Rand) system.Process {
			v := &validator{self: slices.Index(validators, name), skips: skips}
			v.local = local{waits: none, heard: nothing}
			return v
		},
		Properties: []property.Property{Together},
		Faults:     rounds.Bounds{Isolations: 1, Period: 12, EFF: 13},
	}
}

// votes are the rounds that the last votes of all processes are of, none of whom there is
// none.
type votes [4]int

var nothing = votes{none, none, none, none}

// validator is one process. All of its state is in fields of the type local.
type validator struct {
	self  int
	skips bool
	local
}

// local is the state of a validator.
type local struct {
	at    int   // its round
	waits int   // the round that it had a quorum for, and waits in; none: it does not wait
	heard votes // what came in the last round, its own vote included
}

// Send votes, and goes to another round by what came before.
func (v *validator) Send(s *system.Step) {
	s.Fact("at", v.at)
	for i, to := range validators {
		if i != v.self {
			s.Send(to, v.at)
		}
	}
	next, waits := v.next(), none
	if v.of(v.at) >= quorum {
		waits = v.at
	}
	voted := v.at
	v.local = local{at: next, waits: waits, heard: nothing}
	v.heard[v.self] = voted
}

// next returns the round that follows.
func (v *validator) next() int {
	later := none
	for _, round := range v.heard {
		if round > v.at && v.of(round) >= honest {
			later = max(later, round)
		}
	}
	switch {
	case later == none && v.waits == v.at:
		return v.at + 1
	case later == none:
		return v.at
	case v.skips:
		return later
	default:
		return v.at + 1
	}
}

// of counts the votes for a round.
func (v *validator) of(round int) (count int) {
	for _, voted := range v.heard {
		if voted == round {
			count++
		}
	}
	return count
}

// Receive keeps the votes.
func (v *validator) Receive(_ *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		v.heard[slices.Index(validators, m.From)] = m.Payload.(int)
	}
}

// Snapshot and Restore let a search go on from a state.
func (v *validator) Snapshot() any        { return v.local }
func (v *validator) Restore(snapshot any) { v.local = snapshot.(local) }

// Fingerprint names the state.
func (v *validator) Fingerprint() string { return fmt.Sprintf("%+v", v.local) }
