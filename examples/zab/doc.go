// Package zab is ZooKeeper's broadcast as Go processes, with the bugs ZOOKEEPER-335 and
// ZOOKEEPER-1653 and without: those of Leesatapornwongsa et al., "SAMC: semantic-aware model
// checking for fast discovery of deep bugs in cloud systems", 2014, section 1 and Table 2.
// The same as programs are testdata/protocols/catalogue/zookeeper_335.ded and zookeeper_1653.ded, of
// which the tests show that they break under the same schedules.
//
// ZOOKEEPER-335, in broadcast.go, has three steps of six rounds. In a step all servers
// that are up elect the one with the latest transaction, follow it, and are brought to
// its log; with a majority it logs a request and proposes it to the others:
//
//	Vote      to all: the last zxid and the number; the best of a majority leads
//	Info      to the leader: the last zxid, and the last epoch that the server knows of
//	Sync      from the leader, with a majority: its epoch, and its log where that is lacking
//	Ack       to the leader
//	Propose   from the leader, with a majority: the transaction, which everybody logs
//	Rest
//
// A zxid is an epoch here, as a leader gets one request in a step, and the request is the
// number of the step. On its disk a server has its log, and the epoch of the last leader
// that it has joined if it writes that: what it knows of an epoch else it forgets in a
// crash.
//
// ZOOKEEPER-1653, in recovery.go, is how a server is brought to the state of its leader,
// in the order in which it writes to its disk: it takes a snapshot, and in the next round
// it writes the epoch.
//
// What comes in a round waits, and is taken in the next one.
package zab
