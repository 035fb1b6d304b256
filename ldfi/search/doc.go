// Package search looks for schedules of faults under which a system written in
// Go (package rounds/system) violates one of its properties. In a go test, package
// ldfitest does that, and keeps what it finds.
//
// [Run] searches by a strategy, which decides which schedules are executed, in
// which order, and when enough is known. They differ in what they ask of the
// system, and in what they can say when they find nothing:
//
//   - sample, spread and drop draw schedules at random. They need nothing, and
//     say with which probability they would have met an execution.
//
//   - exhaustive goes through all global states, from snapshots. It finds a
//     smallest schedule, or certifies that there is none.
//
//   - learn executes whole schedules only. It takes every recorded transition
//     of a process as a rule, and follows these rules to a schedule that violates
//     a property, or to a transition that it has not seen. When there is
//     neither, that too is a certificate.
//
//   - lineage executes whole schedules too, and asks nothing of the processes.
//     It asks why an outcome came about, and executes schedules that would have
//     prevented it.
//
// Without a name Run takes the one that fits, and the answer says why. Every
// strategy executes what it reports: an answer that is violated has a
// counterexample that was run once more and failed, without what it does not need.
package search
