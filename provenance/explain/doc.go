// Package explain says why a fact holds under one schedule of faults, or why it
// does not: the rules that gave it or could have given it, what each needed, and
// which fault took away what was missing.
//
// It reads the graph that package provenance makes. [New] takes one execution of
// it, [Explainer.Explain] answers a question at length (as text, JSON or DOT), and
// [Explainer.Reason] in a few lines.
//
// A [Contrast] says why a fact holds in one world and not in another one: which
// facts that it comes from the other world lacks, or has although they must not be
// there, and which faults are behind that. A fact that differs is explained in the
// world in which it holds, by its derivation. One of the facts that the derivation
// needs is otherwise in the other world: it is missing, and is explained in the same
// way; or it is there and must not be, and is explained in the other world in turn; or
// the faults differ. So every fact on the way differs, and all of them begin with
// faults.
//
// A [Lineage] is the lineage of a promise for other tools, about every schedule within
// the bounds at once: a formula for SAT solvers, a graph, and facts of the Mangle
// language. A [Circuit] is the conditions of all facts and messages, small enough to
// be sent along with a page.
//
// The package is inside of ldfi, no promise: it may change in any version.
package explain
