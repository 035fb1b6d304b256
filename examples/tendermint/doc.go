// Package tendermint is two systems about consensus of Tendermint, as Go processes, with
// bugs and without: Buchman, Kwon and Milosevic, "The latest gossip on BFT consensus", 2018,
// and S. Nagendra, "Automated testing of distributed protocol implementations", thesis,
// 2024. Four processes, of which one may be faulty, go from round to round.
//
// # A whole height
//
// [Height] is Algorithm 1 of the paper: proposals, prevotes, precommits, locks, timeouts,
// decisions, and the way to a later round. Its bugs are those of the implementation that
// Table 3.3 of the thesis marks. The proposer of round 0 is a, and its value is a0; b
// proposes b1 in round 1, unless it knows a value that got a quorum of prevotes.
//
// The paper assumes that a message which one correct process gets comes to all. Here a lost
// message stays lost: whatever is lost, nothing wrong is decided, but maybe nothing at all.
//
// A process reports at(round), step(round, step), proposed(value, round), proposal(value,
// round) when it gets one, prevoted(value, round), precommitted(value, round), locked(value,
// round), unlocked(round), decided(value, round), upon(line, round) for each rule of
// Algorithm 1 that it follows, and behind(round, later) if it stays in a round although it
// has messages of two processes of a later one. [Lies] are what a process that lies makes of
// its messages.
//
// # Scenarios
//
// The folder scenarios has the unit tests of Tendermint in Table 3.3 as guides. Each names
// who is h, faulty and rest in the table: c, d, and a and b. A filter of the table is a rule
// that decides something; filters that only record or count are not needed. Of a row with *
// the thesis counts executions that show a bug. Here its good state is reached without the
// bug, and the bad one with it, both with 100 of 100 seeds: ldfi check
// examples/tendermint/scenarios asks all of them.
//
//	row                      filters  outcome  rules  outcome
//	ExpectUnlock *                 3       41      3      100
//	Relocked *                     4       53      3      100
//	LockedCommit *                 3      100      3      100
//	LaggingReplica *               3      100      3      100
//	ForeverLaggingReplica *        5      100      4      100
//	RoundSkip                      3       90      3      100
//	BlockVotes                     2       33      2      100
//	PrecommitInvariant             1      100      1      100
//	CommitAfterRoundSkip           3       36      3      100
//	DifferentDecisions             8       20      5      100
//	NilPrevotes                    2       99      1      100
//	ProposalNilPrevote             1       56      1      100
//	NotNilDecide                   2      100      2      100
//	GarbledMessage                 1       30      1      100
//	HigherRound                    1       37      1      100
//
// # From round to round
//
// [Lagging] and [Skipping] are how a process goes from round to round while nothing is
// decided, with the bug LaggingReplica and without: sections 3.5.2 and 3.6 of the thesis.
// The same as a program is testdata/protocols/catalogue/round_skip.ded.
//
// The processes send each other the votes of the round that they are in. A process that has
// votes of three for its round waits, and goes on to the next one. Votes of two for a later
// round tell a process that it is behind.
//
// The bug: it then goes on by one round, and so takes the longer the more rounds it has
// missed. In Algorithm 1 it goes to the round that the votes are of.
package tendermint
