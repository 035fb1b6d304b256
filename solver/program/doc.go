// Package program lets a SAT solver that is a program of its own decide formulas. For each formula
// it is started anew, with a file in the DIMACS format as its last argument, and has to answer as in
// the SAT competition: a line "s SATISFIABLE" with the values of the variables in lines "v 1 -2 0",
// and exit status 10; or a line "s UNSATISFIABLE" and exit status 20; or "s UNKNOWN", if it gives up.
// Lines that begin with c are comments, and there are no others.
package program
