package tendermint

import (
	"fmt"
	"strings"
)

// The messages of Algorithm 1, all of one height. As text they begin with the round of
// Tendermint that they are of, as in "round 0: a0". A message without a value is for nil.
type (
	// Proposal is what the proposer of a round sends. ValidRound is the round in which its
	// value got a quorum of prevotes; -1: none did.
	Proposal struct {
		Round      int
		Value      string
		ValidRound int
	}
	// Prevote is the first vote of a round.
	Prevote struct {
		Round int
		Value string
	}
	// Precommit is the second one.
	Precommit struct {
		Round int
		Value string
	}
)

// null is the value of votes for nil.
const null = "nil"

func (m Proposal) Kind() string  { return "Proposal" }
func (m Prevote) Kind() string   { return "Prevote" }
func (m Precommit) Kind() string { return "Precommit" }

func (m Proposal) String() string {
	text := content(m.Round, m.Value)
	if m.ValidRound != none {
		text += fmt.Sprintf(", valid %d", m.ValidRound)
	}
	return text
}
func (m Prevote) String() string   { return content(m.Round, m.Value) }
func (m Precommit) String() string { return content(m.Round, m.Value) }

func content(round int, value string) string { return fmt.Sprintf("round %d: %s", round, value) }

// proposer returns who proposes in a round.
func proposer(round int) int { return round % len(validators) }

// fresh is the value that the proposer of a round makes up: a0, b1, c2, d3, a4.
func fresh(round int) string { return fmt.Sprintf("%s%d", validators[proposer(round)], round) }

// valid tells whether an application accepts a value: a fresh one, or the twin of one (a0').
func valid(value string) bool {
	for i, name := range validators {
		var round int
		n, _ := fmt.Sscanf(strings.TrimSuffix(value, "'"), name+"%d", &round)
		if n == 1 && proposer(round) == i && strings.TrimSuffix(value, "'") == fresh(round) {
			return true
		}
	}
	return false
}

// ballot has the votes of one kind of a round, by sender; "" for none.
type ballot [4]string

// of counts the votes for a value.
func (b *ballot) of(value string) (count int) {
	for _, vote := range b {
		if vote == value {
			count++
		}
	}
	return count
}

// all counts the votes.
func (b *ballot) all() int { return len(b) - b.of("") }

// cast keeps the first vote of a sender: who votes twice is a liar.
func (b *ballot) cast(from int, value string) {
	if b[from] == "" {
		b[from] = value
	}
}

// received is what a process has got for one round of Tendermint, its own messages included.
type received struct {
	proposal             Proposal
	proposed             bool // there is a proposal
	prevotes, precommits ballot
}

// senders counts the processes that have sent something.
func (r *received) senders(round int) (count int) {
	for i := range validators {
		if r.prevotes[i] != "" || r.precommits[i] != "" || r.proposed && proposer(round) == i {
			count++
		}
	}
	return count
}
