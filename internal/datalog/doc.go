// Package datalog holds recordings as relations and evaluates rules over them.
//
// A table has the relations that rules read of a recording; it can be written in the
// Mangle language as well. Rules are a Dedalus program of one round over the table of
// a recording ([Tabulator]), in which every rule is fired by the fact [Always] and not
// at a process. Package specs/property has some, and specs/property/rules makes them
// of rules in the language of Mangle. Rules that have no such program bring an
// [Engine].
package datalog
