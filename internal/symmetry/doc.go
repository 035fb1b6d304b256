// Package symmetry finds the processes that a program and its bounds do not tell
// apart: those that can change their names, wherever the program, its facts, its choices
// and the bounds have them, so that all of these stay what they are. Whatever happens
// under a schedule then happens under the schedule with the names changed, with the
// names changed.
//
// A value can stand for a process in one column and be a mere value in another. Names
// are changed in the columns that have to do with processes: where rules are located,
// where messages go, what crash says, and all columns from or to which a rule takes
// values of these. In no such column may a rule compute, compare sizes, or take a
// minimum, maximum, sum or average; a program that does has no symmetry here.
package symmetry
