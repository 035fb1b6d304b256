// Package tendermint is how a process of Tendermint goes from round to round while nothing
// is decided, as Go processes, with the bug LaggingReplica and without: sections 3.5.2 and
// 3.6 of S. Nagendra, "Automated testing of distributed protocol implementations", thesis,
// 2024. The same as a program is testdata/protocols/catalogue/round_skip.ded.
//
// Four processes, of which one may be faulty, send each other the votes of the round that
// they are in. A process that has votes of three for its round waits, and goes on to the
// next one. Votes of two for a later round tell a process that it is behind.
//
// The bug: it then goes on by one round, and so takes the longer the more rounds it has
// missed. In Buchman, Kwon and Milosevic, "The latest gossip on BFT consensus", 2018, it
// goes to the round that the votes are of.
package tendermint
