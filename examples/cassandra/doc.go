// Package cassandra is the lightweight transactions of Cassandra 2.0.0 as Go
// processes, with the bug CASSANDRA-6023 and without: section 7.1 of Dragoi,
// Enea, Ozkan, Majumdar and Niksic, "Testing consensus implementations using
// communication closure", 2020.
//
// Three replicas hold one row. Clients submit three transactions, one after the
// other: 1 and 2 write the same column, 3 another. An execution has 24 rounds,
// four phases of six. In a phase one replica, the coordinator, in turn, runs
// Paxos for the first transaction that is not committed yet:
//
//	Prepare   to all: a ballot, which is the number of the phase
//	Promise   to the coordinator: what the replica last accepted, and committed
//	Propose   to all: what the most recent ballot of a quorum of promises
//	          accepted without committing it, else the next transaction
//	Accept    to the coordinator
//	Commit    to all, once a quorum has accepted
//	Ack       to the coordinator
//
// The coordinator acts on the first quorum of replies. Ballots grow, so the
// transactions have to be committed in an order in which none comes back once
// another has followed it.
//
// The bug: a replica has one ballot for what it promised and what it accepted. A
// replica that accepted a transaction, but missed its commit and those after it,
// dates it anew with each Prepare that it gets. A coordinator that hears of it
// takes it for one that was never finished, and commits it a second time. The
// fix keeps the two ballots apart.
package cassandra
