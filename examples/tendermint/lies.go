package tendermint

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// Lies are what a process that lies makes of its messages, by name. A message that a lie
// has nothing to say about stays as it is.
var Lies = map[string]func(system.Message, *rand.Rand) any{
	// ToNil makes a vote one for nil, and a proposal one of nil, which is not valid.
	"ToNil": valued(func(int, string) string { return null }),
	// ToFresh makes a vote one for what the proposer of its round would make up.
	"ToFresh": valued(func(round int, _ string) string { return fresh(round) }),
	// ToTwin makes another value of one, so that what is told to one process conflicts with
	// what is told to the next.
	"ToTwin": valued(func(_ int, value string) string {
		if !valid(value) {
			return value
		}
		return value + "'"
	}),
	// ToLater makes a message one of two rounds later.
	"ToLater": func(m system.Message, _ *rand.Rand) any {
		switch said := m.Payload.(type) {
		case Proposal:
			return Proposal{said.Round + 2, said.Value, said.ValidRound}
		case Prevote:
			return Prevote{said.Round + 2, said.Value}
		case Precommit:
			return Precommit{said.Round + 2, said.Value}
		}
		return m.Payload
	},
	// Garble makes something of it that is no message.
	"Garble": func(_ system.Message, random *rand.Rand) any { return fmt.Sprintf("%016x", random.Uint64()) },
}

// valued is a lie about the value of a message.
func valued(lie func(round int, value string) string) func(system.Message, *rand.Rand) any {
	return func(m system.Message, _ *rand.Rand) any {
		switch said := m.Payload.(type) {
		case Proposal:
			return Proposal{said.Round, lie(said.Round, said.Value), said.ValidRound}
		case Prevote:
			return Prevote{said.Round, lie(said.Round, said.Value)}
		case Precommit:
			return Precommit{said.Round, lie(said.Round, said.Value)}
		}
		return m.Payload
	}
}
