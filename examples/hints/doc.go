// Package hints is Cassandra's writes with hints and its reads as Go processes, with the bug
// CASSANDRA-3395 and without: Fig. 6 and Table 2 of Leesatapornwongsa, Hao, Joshi, Lukman
// and Gunawi, "SAMC: Semantic-aware model checking for fast discovery of deep bugs in cloud
// systems", 2014. The same as a program is testdata/protocols/catalogue/cassandra_3395.ded.
//
// A row has a column for each version of a value. The coordinator, a, sends a write to all
// nodes; whom it does not know to have it after two rounds it keeps a hint for, which it
// delivers when it hears from that node. Clients read the newest column in each round: the
// coordinator asks all nodes for it, and puts together what comes when it is of a majority.
// That a first read asks for digests, and only a second one for the columns where these
// differ, is left out.
//
// The bug: what is put together is returned, the newest column of each node, though one
// column was asked for. A node that has come back, and has not got its hint yet, adds the
// column that was replaced. The source says that the coordinator gets confused, and not by
// what; that more columns are returned than were asked for is what Cassandra's list of changes
// says of the report (1.0.2), and its code cuts them off since then (`maybeTrim`).
package hints
