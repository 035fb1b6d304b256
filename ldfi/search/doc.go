// Package search looks for schedules of faults under which a system written in
// Go breaks one of its properties.
//
// A [Target] is a system of package rounds/system, its properties, and the bounds of
// what may go wrong. A [Strategy] decides which schedules are executed, in which
// order, and when enough is known. They differ in what they ask of the system,
// and in what they can say when they find nothing:
//
//   - [Sample], [Spread] and [Drop] draw schedules at random. They need nothing, and
//     say with which probability they would have met an execution.
//
//   - [Exhaustive] goes through all global states, from snapshots. It finds a
//     smallest schedule, or certifies that there is none.
//
//   - [Learn] executes whole schedules only. It takes every recorded transition
//     of a process as a rule, and follows these rules to a schedule that violates
//     a property, or to a transition that it has not seen. When there is
//     neither, that too is a certificate.
//
//   - [Lineage] executes whole schedules too, and asks nothing of the processes.
//     It asks why an outcome came about, and executes schedules that would have
//     prevented it.
//
// [Default] chooses, and says why. Every strategy executes what it reports: an
// answer that is violated has a counterexample that was run once more and failed,
// after [Minimise] took away what it did not need.
package search
