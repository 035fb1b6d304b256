// Package provenance evaluates a Dedalus program under all schedules of faults
// within bounds at once, and keeps the lineage of every fact.
//
// The idea is that of conditional tables. Every fault that the bounds allow is
// a boolean variable, and every fact that some schedule gives has a condition
// over these variables: it holds under exactly the schedules that make its
// condition true. The conditions follow the derivations (Green, Karvounarakis
// and Tannen, "Provenance semirings", PODS 2007, here with negation):
//
//   - a rule fires when all its positive atoms hold: AND;
//   - and no fact that matches a negated atom does: AND NOT (.. OR ..);
//   - the message of an @async rule arrives when no fault loses it: AND;
//   - a fact holds when one of the firings that give it fires: OR;
//   - an aggregate has a value when the rows that are present give that value.
//
// All conditions share one circuit (package solver), in which equal gates are made only
// once, and from which facts that no schedule gives vanish. So one evaluation replaces
// an execution of every schedule, and a question about all schedules is one question
// about the circuit.
//
// The facts and firings form a [Graph]. [Graph.Under] picks one execution of it;
// package explain says why a fact holds there, or why it does not.
//
// # Recursion
//
// Facts of one round may depend on each other. Evaluate then first collects all
// facts that there may be, with their firings, and solves the equations between
// their conditions. Without negation the least solution is meant. Where the
// recursion goes through negations or aggregates it is the well-founded model,
// computed by the alternating fixpoint (Van Gelder, "The alternating fixpoint
// of logic programs with negation", JCSS 1993) on conditions: each fact has one
// for being certain and one for being possible, and these are narrowed in turns
// until they meet. If under some schedule within the bounds they never do, the
// fact depends on its own absence there, and that is an error.
//
// The first step, which collects the facts, works with estimates of their
// conditions. A recursion that makes new values and ends under each schedule for
// a reason that the estimates miss is refused as endless.
//
// The package is internal to ldfi, and may change in any version.
package provenance
