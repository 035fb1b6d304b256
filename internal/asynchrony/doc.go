// Package asynchrony has the words for what a certificate about lock-step rounds says
// of asynchronous executions: the side conditions of the two reductions that lead from
// these to those, which of them are met, and the sentence that follows.
//
// The reductions are communication closure and uniform rounds (Dragoi, Enea, Ozkan,
// Majumdar and Niksic, "Testing consensus implementations using communication closure",
// 2020, Def. 4.3 and Thm 5.3), and sequentialization (Dragoi and Inzaghi Pronesti, "A
// sequentialization procedure for fault-tolerant protocols", 2022, section 4.2).
package asynchrony
