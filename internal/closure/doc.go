// Package closure looks for delayed executions of a program that no execution in
// lock-step rounds looks like, to its processes: counterexamples to communication
// closure (Dragoi, Enea, Ozkan, Majumdar and Niksic, "Testing consensus implementations
// using communication closure", 2020, Def. 4.3).
//
// A delayed execution is executed: what is late is lost at first, and then stated in the
// round in which it arrives (delayed.go). The local history of a process is what it keeps
// in each round, without repetitions (history.go). That some choice of losses gives all
// processes the same histories is one question to the solver, over the conditions of all
// facts under all losses; what it answers is executed too (match.go).
package closure
