package fle

import "github.com/lineage-driven/ldfi/specs/property/rules"

// Joins is asked of ZOOKEEPER-790: who follows a leader joins it.
var Joins = rules.New("joins", `violation(S, L) :- refuses(S, L, _).`)

// Ends is asked of ZOOKEEPER-975: nobody ends its election when it hears from a leader
// and who follows that.
var Ends = rules.New("ends", `violation(S, L) :- usurps(S, L, _).`)

// Settles is asked of ZOOKEEPER-1419: nobody changes its vote six times in an election.
var Settles = rules.New("settles", `violation(S, C) :- circles(S, C, _).`)
