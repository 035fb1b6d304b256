// Package fle is ZooKeeper's fast leader election as Go processes, with bugs of it and
// without: those of Leesatapornwongsa et al., "SAMC: semantic-aware model checking for fast
// discovery of deep bugs in cloud systems", 2014, Table 2. The same as programs are
// testdata/protocols/catalogue/zookeeper_790.ded and zookeeper_975.ded, of which the tests show that
// they break under the same schedules, and zookeeper_1419.ded, which has the votes alone.
//
// Who looks for a leader votes for itself, and tells everybody its vote in each round. It
// takes a better one for its own, and leads or follows when a majority has that. Who leads
// or follows tells that too, and who looks joins a leader that another server follows. Who
// has not heard from its leader for three rounds, and a leader that nobody has followed
// for three, looks again. Elections of a server have a number, its clock, which is 1 when
// it starts; who hears of a later election joins that.
//
// A leader begins the epoch after the last one that it knows of, and tells it to those who
// follow it. On its disk a server has the epoch that it has joined last, and its last zxid;
// nothing else survives a crash. What comes in a round waits in a queue, and is taken in the
// next one, as the threads of ZooKeeper that receive hand it to the one that elects.
package fle
