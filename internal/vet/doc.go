// Package vet finds what a program says but probably does not mean, whether its
// asynchronous executions look to each process like executions in lock-step rounds, and
// which processes nothing tells apart.
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
// that whatever is read of a message in round r was sent in the sender's round r-1. Then
// the facts of a process in its round r follow from its facts in round r-1 and from what
// others sent it in their rounds r-1 and arrived by then; so, round by round, they are
// those of the lock-step execution that loses what did not arrive by then. Facts of
// messages themselves are no state of a process: a late one is there, and nobody reads it.
//
// # How the conditions are found
//
// Some relations depend on no message and no fault: clocks, who is there, who leads in
// which round. Their facts in each round are known, from one execution (timed.go). By
// them a rule that sends is known to send in certain rounds, with certain values in some
// columns (sends.go), and a rule that reads messages to do so in certain rounds, with
// certain values (uses.go). Everything else that a rule reads is left out, as if it always
// held. If even so no message of another round fits what is read, none ever is.
//
// # Counterexamples to communication closure
//
// FindUnclosed looks for delayed executions of a program that no execution in lock-step
// rounds looks like, to its processes.
//
// A delayed execution is executed: what is late is lost at first, and then stated in the
// round in which it arrives (delayed.go). The local history of a process is what it keeps
// in each round, without repetitions (history.go). That some choice of losses gives all
// processes the same histories is one question to the solver, over the conditions of all
// facts under all losses; what it answers is executed too (match.go).
//
// # Symmetry
//
// SymmetryOf finds the processes that a program and its bounds do not tell apart: those
// that can change their names, wherever the program, its facts, its choices
// and the bounds have them, so that all of these stay what they are. Whatever happens
// under a schedule then happens under the schedule with the names changed, with the
// names changed.
//
// A value can stand for a process in one column and be a mere value in another. Names
// are changed in the columns that have to do with processes: where rules are located,
// where messages go, what crash says, and all columns from or to which a rule takes
// values of these. In no such column may a rule compute, compare sizes, or take a
// minimum, maximum, sum or average; a program that does has no symmetry here.
package vet
