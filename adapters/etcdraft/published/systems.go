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
