// Package vet analyses Dedalus programs: it finds probable mistakes, checks whether
// lock-step rounds cover asynchronous executions, and finds processes that are
// symmetric.
//
// # Conditions of asynchronous executions
//
// The sentence about asynchronous executions follows from two reductions: communication
// closure and uniform rounds (Dragoi, Enea, Ozkan, Majumdar and Niksic, "Testing
// consensus implementations using communication closure", 2020, Def. 4.3 and Thm 5.3),
// and sequentialization (Dragoi and Inzaghi Pronesti, "A sequentialization procedure for
// fault-tolerant protocols", 2022, section 4.2). Their side conditions are looked for in
// the rules of a program.
//
// In an asynchronous execution each process goes through its rounds 1..EOT at its own
// pace, and what it sends in its round s reaches the receiver in any of the receiver's
// rounds, or never. Suppose that rules read and write facts of one process only, and
// that every message that is read in round r was sent in the sender's round r-1. Then
// the facts of a process in its round r follow from its facts in round r-1 and from
// what others sent it in their rounds r-1 and arrived by then; so, round by round, they
// are those of the lock-step execution that loses what did not arrive by then. Facts of
// messages themselves are no state of a process: a late one is there, and nobody reads
// it.
//
// # How the conditions are found
//
// Some relations depend on no message and no fault: clocks, the processes, the leader
// of each round. Their facts in each round are known, from one execution (timed.go).
// They limit the rounds in which a rule sends, with the values of some columns
// (sends.go), and the rounds in which a rule reads messages, with their values
// (uses.go). Everything else that a rule reads is assumed to hold always. If even then
// a rule reads no message of another round, it never does.
//
// # Counterexamples to communication closure
//
// FindUnclosed searches for delayed executions of a program that differ, for some
// process, from every execution in lock-step rounds.
//
// A delayed execution is executed: a late message is first lost, and then stated as a
// fact in the round in which it arrives (delayed.go). The local history of a process is
// its state in each round, without repetitions (history.go). The solver decides whether
// some choice of losses gives all processes the same histories, over the conditions of
// all facts under all losses; its answer is executed too (match.go).
//
// # Symmetry
//
// SymmetryOf finds the processes that a program and its bounds do not tell apart: their
// names can be permuted everywhere in the program, its facts, its choices and the
// bounds without a change of these. Then an execution under a schedule with permuted
// names is the execution under the schedule, with permuted names.
//
// A value can stand for a process in one column and be a mere value in another. Names
// are permuted in the columns of processes: locations of rules, destinations of
// messages, the columns of crash, and all columns from or to which a rule takes values
// of these. In no such column may a rule compute, compare sizes, or take a minimum,
// maximum, sum or average; a program that does has no symmetry here.
package vet
