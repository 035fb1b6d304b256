// Package explain says why a fact holds under one schedule of faults, or why it
// does not: the rules that gave it or could have given it, what each needed, and
// which fault took away what was missing.
//
// It reads the graph that package provenance makes. [New] takes one execution of
// it, [Explainer.Explain] answers a question at length (as text, JSON or DOT), and
// [Explainer.Reason] in a few lines.
//
// The package is inside of ldfi, no promise: it may change in any version.
package explain
