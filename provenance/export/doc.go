// Package export writes the lineage of a promise for other tools: as a formula for
// SAT solvers, as a graph, and as facts of the Mangle language. All three speak
// about every schedule within the bounds at once.
package export
