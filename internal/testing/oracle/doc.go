// Package oracle has independent second implementations, with which tests compare
// evaluators, solvers and searches.
//
// A [Campaign] runs a check on random programs; [Protocols], [Quick] and [ReadExpected]
// give the programs of testdata/protocols, with their expected verdicts.
//
// [Translate] writes a program within bounds as an answer-set program, for clingo:
// rules are unrolled over the rounds, faults and choices are choice rules, and the
// answer sets are the executions in which the promise is broken. It shares the parser
// and the bounds with ldfi, and nothing that evaluates, numbers faults or searches.
// Values are numbers and strings; an integer beyond 24 bits is n(a,b,c), so that all
// arithmetic is exact in 64 bits (functions.lua). A program that cannot be translated
// is an [Unread], which names the reason.
//
// [CheckProof] checks proofs that formulas cannot be satisfied: formulas in the DIMACS format,
// proofs in the DRAT format (N. Wetzler, M. Heule, W. Hunt: DRAT-trim, SAT 2014), as text or in
// its binary form. It goes forwards, and shares no code with package solver.
//
// [CheckDifference] checks every statement of a difference against executions.
package oracle
