// Package datalog stores recordings as relations and evaluates rules over them.
//
// A table has the relations of a recording that rules read; it can also be written in
// the Mangle language. Rules are a Dedalus program of one round over the table of a
// recording ([Tabulator]), in which every rule is fired by the fact [Always] and not at
// a process. Package specs/property has some rules, and specs/property/rules translates
// rules in the language of Mangle. Rules without a translation have an [Engine] of
// their own.
package datalog
