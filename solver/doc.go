// Package solver asks questions about boolean functions: can this be true, of how few inputs, and
// which others.
//
// A Circuit holds the functions as AND gates with negation, each made once. A Solver decides whether
// a literal of the circuit can be true. A Search lists the smallest sets of inputs that make one true.
// Words evaluates a circuit for 64 assignments at once.
package solver
