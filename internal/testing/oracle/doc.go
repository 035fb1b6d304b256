// Package oracle has the second ways to every answer, for tests that hold evaluators, solvers
// and searches against each other.
//
// A [Campaign] runs a check on random programs; [Protocols], [Quick] and [ReadExpected] are
// those of testdata/protocols, with the verdicts expected of them.
//
// [Translate] writes a program within bounds as an answer-set program, for clingo: rules are
// unrolled over the rounds, faults and choices are choice rules, and the answer sets are the
// executions in which the promise is broken. It shares the parser and the bounds with ldfi,
// and nothing that evaluates, numbers faults or searches. Values are numbers and strings; an
// integer beyond 24 bits is n(a,b,c), so that all arithmetic is exact in 64 bits
// (functions.lua). What is not read is an [Unread], which names it.
//
// [CheckProof] checks proofs that formulas cannot be satisfied: formulas in the DIMACS format,
// proofs in the DRAT format (N. Wetzler, M. Heule, W. Hunt: DRAT-trim, SAT 2014), as text or in
// its binary form. It goes forwards, and shares no code with package solver.
//
// [CheckDifference] checks every statement of a difference against executions.
package oracle
