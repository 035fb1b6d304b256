// Package syntax has the syntax tree of Dedalus programs: rules, facts, atoms and
// expressions, each with its position. Package dedalus parses and checks them.
package syntax
