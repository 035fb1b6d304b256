// Package explain explains why a fact holds under a schedule of faults, or why it does
// not: by the rules that derive it or could derive it, the facts that each rule needs,
// and the faults that prevented them.
//
// It reads the graph that package provenance makes. [New] takes one execution of
// it, [Explainer.Explain] answers a question at length (as text, JSON or DOT), and
// [Explainer.Reason] in a few lines.
//
// A [Contrast] explains why a fact holds in one world and not in another: by the facts
// of its derivation that the other world lacks, or has although they must be absent,
// and by the faults that caused that. A fact that differs is explained in the world in
// which it holds, by its derivation. Something that the derivation needs differs in the
// other world: a fact is missing, and is explained in the same way; or a fact is there
// and must be absent, and is explained in the other world in turn; or the faults
// differ. So every fact of the explanation differs, and it begins with faults.
//
// A [Lineage] is the lineage of a promise over all schedules within the bounds, for
// other tools: a formula for SAT solvers, a graph, and facts of the Mangle language. A
// [Circuit] has the conditions of all facts and messages, small enough to be part of a
// page.
//
// The package is internal to ldfi, and may change in any version.
package explain
