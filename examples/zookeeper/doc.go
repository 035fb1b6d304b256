// Package zookeeper is ZooKeeper's broadcast as Go processes, with the bugs
// ZOOKEEPER-2832 and ZOOKEEPER-3875 and without: section 7.3 of Dragoi, Enea,
// Ozkan, Majumdar and Niksic, "Testing consensus implementations using
// communication closure", 2020. The same as programs are
// testdata/protocols/catalogue/zookeeper_2832.ded and zookeeper_3875.ded.
//
// An execution is a harness of steps. In a step all servers that are not isolated
// start from their disks, elect a leader and get its state, in four rounds:
//
//	Vote      to all: epoch, last zxid and number; the best of a majority leads
//	Info      to the leader: the last zxid
//	Sync      from the leader, with a majority: what the server lacks
//	Ack       to the leader
//
// In most steps one server then gets a request, in four more:
//
//	UpToDate  from the leader, with a majority: serve clients
//	Forward   to the leader: the request, if the server reads what it asks for
//	Propose   from the leader: the transaction, which everybody logs
//	Rest
//
// The epoch of a leader, and the zxid of what it proposes, is the number of the step.
// A server that is isolated from the beginning of a phase on has not been started, or
// has been stopped. On its disk a server has a snapshot and a log: started, it has what
// is in the snapshot, and what is in the log with a later zxid.
//
// The source names steps and states, and not the mistakes. The first here: who takes a
// snapshot of its leader leaves its log as it is, and reads it again at the next start.
// The second: a leader sends what another lacks from its log, though it has some of its
// own state from a snapshot.
package zookeeper
