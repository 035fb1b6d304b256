// Package solver decides questions about boolean functions: whether a function can be
// true, and by which smallest sets of inputs.
//
// In fault injection an input is a fault that may happen, and a function says under which faults
// something holds: a message arrives, a fact is derived, a promise is broken. Such functions share
// most of their parts, so all of them live in one Circuit: AND gates with negation for free, each
// made only once and simplified as it is made. Building a circuit is cheap; the questions are what
// costs.
//
//   - A Solver decides whether some functions can be true together, and names a contradiction among
//     them if not. It hands the SAT solver gini only those gates that a question depends on.
//   - A Search lists the minimal sets of inputs that make a goal true, smallest first: which faults,
//     as few as possible, break the promise?
//   - Transitions is a system that goes from state to state: Reach finds out whether a bad step is ever
//     reached, or an invariant that excludes it, Tighten makes that smaller, and CheckInvariant trusts
//     neither. Their questions are very many and easy, and go to a solver that is made for them.
//   - Words evaluates functions for 64 assignments of the inputs at once. That finds what is easy to
//     find before a solver is asked, and checks its answers where all assignments can be tried.
//   - A Program lets a SAT solver that is a program of its own decide formulas. For each formula it
//     is started anew, with a file in the DIMACS format as its last argument, and has to answer as in
//     the SAT competition: a line "s SATISFIABLE" with the values of the variables in lines
//     "v 1 -2 0", and exit status 10; or a line "s UNSATISFIABLE" and exit status 20; or
//     "s UNKNOWN", if it gives up. Lines that begin with c are comments, and there are no others.
//
// Everything is deterministic: the same calls in the same order give the same answers.
//
// The package is internal to ldfi, and may change in any version.
package solver
