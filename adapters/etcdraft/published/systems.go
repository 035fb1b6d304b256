// Package published has the known bugs of etcd's Raft that Nagendra, "Automated testing of
// distributed protocol implementations", 2024, names in Tables 3.3 and 4.7, as systems of
// the library, each with what mends it. The text describes none of them. The links that
// are lost, and who leads, are those of the artifact of the paper on Netrix
// (github.com/netrixframework/vmcai24-artifact, raft-testing), and the panic is that of
// etcd-io/raft#108.
//
// # Scenarios
//
// The folder scenarios has the unit tests of Raft in Table 3.3 as guides. A filter of the table
// is a rule that decides something; filters that only record or count are not needed. Of a row
// with ^ the thesis counts executions that show a bug: here the bad state is reached with 100 of
// 100 seeds, and with what mends the bug with none. Liveness takes up to 200 rounds,
// ConfChangeBug up to 60, and the seven rows without ^ run on [Five].
//
//	row              filters  outcome  rules  outcome
//	Liveness ^             5       15      2      100
//	LivenessNoCQ ^         5      100      2      100
//	NoLiveness ^           5      100      3      100
//	ConfChangeBug ^        5       55      7      100
//	DropHeartbeat          2      100      2      100
//	DropVotes              1       80      1      100
//	DropFVotes             1      100      1      100
//	DropAppend             1      100      1      100
//	ReVote                 2       74      3      100
//	ManyReVote             2       92      3      100
//	MultiReVote            2       81      5      100
//
// The searches for Liveness, LivenessNoCQ and NoLiveness take links for reliable whose messages
// the scenarios lose: ldfi run --guide liveness.mg needs --reliable none.
//
// # A filter is left out
//
// docs/catalogue/guided.md has Table 3.5: scenarios without one of their filters, where pct draws
// what no rule decides. As in the thesis d is 6: five times the messages of a link are late, by at
// most four rounds, and senders have an order of priority. What differs:
//
//   - All: in the thesis messages are delivered one by one while time goes on. Here they arrive in
//     their round, sender by sender. Those of eleven rounds can be late, which have about 100
//     messages, as in the thesis; of RoundSkip those of all 40.
//   - Liveness, LivenessNoCQ: the thesis does not say which filter has which distance. Here it is all
//     lost links, two of them, and one. In Liveness it is the rule about votes in place of one, which the
//     thesis does not have: without one link there are 0 (s3-s4, s2-s5), about 220 (s1-s4, s1-s5) or
//     980 (s4-s5). In 150 rounds the links alone give 14 and 98 of 100, and the thesis has 15 and 100.
//   - DropAppend: the first entries are late instead of lost, and are sent again before they come.
//   - ReVote: a vote of s4 counts as well if it comes in the round of others, behind the two that elect.
//   - ManyReVote: s4 follows once an answer of it has come, so that its vote is three rounds late.
//   - MultiReVote: nothing of s4 comes before a heartbeat. In the three tests of votes heartbeats are
//     three rounds apart: in the thesis a message takes far less than a tick.
//   - RoundSkip: a height of Algorithm 1, and not the implementation.
package published

import (
	"github.com/lineage-driven/ldfi/rounds/system"
	"go.etcd.io/raft/v3"
)

// Systems returns all of them.
func Systems() []*system.System {
	return []*system.System{Five(), Liveness(), LivenessNoCQ(), Lively(), NoLiveness(), Alive(), NilSnapshot(), Stored(), ConfChange(), ConfChangeLater(), Removals()}
}

// Five is a cluster of five without a bug, and without requests, for 120 ticks.
func Five() *system.System {
	s := five("etcd-five", raft.Config{})
	s.Rounds = 60
	return s
}
