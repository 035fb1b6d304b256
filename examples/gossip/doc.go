// Package gossip is Cassandra's gossip as Go processes, as far as it decides who is
// taken to be down, with the bug CASSANDRA-3626 and without: Table 2 of
// Leesatapornwongsa, Hao, Joshi, Lukman and Gunawi, "SAMC: Semantic-aware model
// checking for fast discovery of deep bugs in cloud systems", 2014. The same as a program
// is testdata/protocols/catalogue/cassandra_3626.ded.
//
// In each round a node tells the others the heartbeat of each node that it knows of, its
// own included. Who is new to it is up. Whose heartbeat is newer than the one that it has
// is reported to its failure detector, which takes for down of whom it had a report, and
// then none for four rounds.
//
// The bug: who is new is not reported. If no heartbeat of it comes after that, because it
// is down already, the failure detector has never heard of it, and it is up for ever. That
// is what Cassandra's list of changes says of the report (1.0.7: new nodes think that nodes
// that are down are up for ever); in its code who is new is reported since then.
package gossip
