// Package syntax has the types of the syntax tree of Dedalus programs: rules, facts,
// atoms and expressions, each with its position.
//
// Package dedalus parses and checks them. The package also finds which vertices of a
// directed graph depend on each other, such as relations of a program, and reads patterns
// of links from one process to another, such as a>b, *>m and m>*.
package syntax
