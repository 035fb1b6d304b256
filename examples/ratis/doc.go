// Package ratis is Raft as Apache Ratis has it, as Go processes, with the bugs RATIS-946
// and RATIS-844 and without: section 7.2 of Dragoi, Enea, Ozkan, Majumdar and Niksic,
// "Testing consensus implementations using communication closure", 2020. The same as
// programs are testdata/protocols/catalogue/ratis_entries.ded and ratis_client.ded.
//
// Three servers, of which s0 leads in term 1, keep a log, and a client asks them for four
// entries, one in each of four phases:
//
//	ask            to the server that the client takes for the leader
//	appendEntries  from the leader, who has put the request into its log
//	taken, refuse  to the leader
//	answer         to the client, when a majority has the entry
//
// A leader sends each follower one entry in a round, or a heartbeat, and goes on with the
// next one until the follower refuses. The timers of servers run out in rounds that are
// given; who has not heard of a leader for two rounds asks for votes then. In the phases
// there may be faults, and what is promised has to have happened by the end of the quiet
// rounds behind them. The client is connected with all servers all the time.
//
// The short harness is that of the protocols, whose smallest fault sets break it: a phase
// is four rounds, and a leader has only what clients ask. In the long one a phase is
// twelve, enough for an election, and a leader begins with an entry of its own, as that of
// Ratis does (LeaderState.start). There one isolation is enough for either bug.
//
// With gRPC, RATIS-946: a follower that refuses asks for what comes after its own last
// entry, whatever that is, so that it never gets rid of an entry that the leader does not
// have. With Netty, RATIS-844: a leader that is deposed does not tell the clients that
// wait for it.
package ratis
