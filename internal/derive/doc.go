// Package derive evaluates rules over recordings.
//
// Rules are a Dedalus program of one round over the table of a recording
// (relations.Tabulator), in which every rule is fired by the fact [Always] and
// not at a process. Package specs/property has some, and specs/property/rules
// makes them of rules in the language of Mangle. Rules that have no such program
// bring an [Engine].
package derive
