package tendermint

import (
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// Bug is a mistake in a whole height, by the row of Table 3.3 that shows it.
type Bug string

// The mistakes of version 0.34 that Table 3.3 marks.
const (
	NoBug Bug = ""
	// ExpectUnlock: a quorum of prevotes for nil clears a lock (tendermint/tendermint#6849).
	// Alone, as here, it lets two values be decided. In the implementation it comes with the
	// next two, by which who is locked does not vote for nil.
	ExpectUnlock Bug = "unlock"
	// Relocked: who is locked prevotes for its lock, whatever is proposed (#6850).
	Relocked Bug = "relocked"
	// LockedCommit: who is locked takes its lock for the proposal where none is valid (#6850).
	LockedCommit Bug = "locked-commit"
	// LaggingReplica: f+1 messages of a later round take a process one round further, and
	// not to that round (#1496).
	LaggingReplica Bug = "lagging"
	// ForeverLaggingReplica: only 2f+1 prevotes of a later round take a process there (#7452).
	ForeverLaggingReplica Bug = "forever-lagging"
)

// Bugs are all of them.
var Bugs = []Bug{ExpectUnlock, Relocked, LockedCommit, LaggingReplica, ForeverLaggingReplica}

// What every height has to satisfy.
var (
	Agreement = rules.New("agreement", `violation(V, W) :- decided(P, V, M, T), decided(Q, W, N, U), V != W.`)
	Validity  = rules.New("validity", `known(V) :- proposal(P, V, N, T).
violation(P, V) :- decided(P, V, N, T), !known(V).`)

	// Locks: a lock gives way to a later one only.
	Locks = rules.New("locks", `violation(P, N) :- unlocked(P, N, T).`)

	// Answers: a value is prevoted in a round only by who got it in a proposal of that round.
	Answers = rules.New("answers", `got(P, V, N) :- proposal(P, V, N, T).
violation(P, V, N) :- prevoted(P, V, N, T), V != "nil", !got(P, V, N).`)

	// Skips: messages of f+1 processes of a later round take a process there at once.
	Skips = rules.New("skips", `violation(P, M, N) :- behind(P, M, N, T).`)
)

// Height returns a whole height of Algorithm 1, in which one of four processes may be
// faulty: with a bug, or without (NoBug).
func Height(bug Bug) *system.System {
	name := "height"
	if bug != NoBug {
		name += "-" + string(bug)
	}
	return &system.System{
		Name: name, Processes: validators, Rounds: 40, MinTicks: 1,
		New: func(name string, _ *rand.Rand) system.Process {
			return newReplica(slices.Index(validators, name), bug)
		},
		Properties: []property.Property{Agreement, Validity, Locks, Answers, Skips},
		Faults:     rounds.Bounds{Isolations: 1, Period: 4, EFF: 24},
		Lies:       Lies,
	}
}
