// Package answerset says what a Dedalus program within bounds means in the language
// of answer-set programs, for clingo: rules are unrolled over the rounds, faults and
// choices are choice rules, and the answer sets are the executions in which the
// promise is broken. It is a second way to verdicts, sizes and sets, for tests: it
// shares the parser and the bounds with ldfi, and nothing that evaluates, numbers
// faults or searches.
//
// Values are numbers and strings; an integer beyond 24 bits is n(a,b,c), so that all
// arithmetic is exact in 64 bits (functions.lua). What is not read is an *Unread that
// names it.
package answerset
