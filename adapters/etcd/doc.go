// Package etcd is what the adapters for the versions of etcd's Raft library
// have in common: the process around a node, what clients ask of it, the facts
// that it reports, and what has to hold of them. The adapters are modules of
// their own, because each needs its version of the library: adapters/etcdraft for
// go.etcd.io/raft/v3, and adapters/coreosraft for github.com/coreos/etcd/raft.
//
// In each round a process ticks, takes the requests of clients, and then does what
// its node wants to be done: it brings what it has to remember to stable storage,
// and only then sends, applies what is committed, answers clients, and stores how
// much it has applied, with the configuration that follows from it. It can crash
// between any two of these steps, at the points before-store, stored, sent, applied
// and answered, to which it comes in rounds in which there is something to do. A
// restart begins with what is stored. What arrives in a round it steps at the end of
// it. It reports
//
//	role(p, role, term)             in each round: "follower", "leader", ...
//	leader(p, term)                 in each round in which p is the leader
//	vote(p, term, candidate)        in each round in which p has voted in its term
//	log(p, index, term)             in each round in which p does not vote, as far as it
//	                                knows: the last entry that it has stored
//	committed(p, index, term, value) once, when p applies it, and again after a restart
//	wrote(p, request, index)        the value or the change of a request was committed
//	read(p, request, index)         a read may be answered from this index on
//
// and of its configuration, when p has applied the log up to an index that changes
// it, at the start and after a restart
//
//	voter(p, index, q)              q is a voter; of a joint one, an incoming voter
//	outgoing(p, index, q)           it is joint, and q is an outgoing voter
//	learner(p, index, q)            q is a learner
//	joint(p, index, how)            it is joint: "implicit" if the leader leaves it by
//	                                itself, else "explicit"
//
// and replies to the request as well as it reports wrote or read. The value of a
// committed change is its text, such as "voter d, remove a, joint".
//
// Requests are [Propose], [ReadIndex], [ConfChange], [TransferLeader] and [Compact];
// [Every] and [EveryLeader] make many of them, and [Retried] repeats them. Schedules ask by
// their texts (ask a@3 "propose x"). What has to
// hold say [Safety], [Membership], [LeaderAfter] and [LeavesJoint]. [Members] and
// [Wrap] are about clusters that begin with some of the processes, and about nodes
// that do something in another way.
package etcd
