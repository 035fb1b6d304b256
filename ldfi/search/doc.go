// Package search looks for schedules of faults under which a system written in
// Go (package rounds/system) violates one of its properties. In a go test, package
// ldfitest does that, and keeps what it finds.
//
// [Run] searches by a strategy, which decides which schedules are executed, in
// which order, and when enough is known. Strategies differ in what they ask of the
// system, and in what they can say when they find nothing:
//
//   - spread, uniform, sample and drop draw schedules at random, and ask nothing
//     of the processes. When they find nothing, they say with which probability at
//     least each schedule of faults within the bounds was drawn, and how many
//     executions make that 95 %. With uniform all schedules have the same. With
//     sample isolations are drawn by Algorithm 1 of "Testing Consensus
//     Implementations Using Communication Closure" (Drăgoi et al., 2020). With
//     spread seven of eight have at most one isolation in a phase, because these
//     find most mistakes soonest, and one of eight is drawn as by uniform. With
//     drop messages are lost, with probability 1/4 each: the bounds have to allow
//     any number of omissions, and nothing else.
//
//   - exhaustive goes through all global states, from snapshots of the processes.
//     It finds a smallest schedule, or certifies that there is none.
//
//   - learn needs no snapshots: it executes whole schedules. It takes every step
//     of a process that it has seen as a rule, and follows these rules to a
//     schedule that violates a property, or to a step that it has not seen. When
//     there is neither, that too is a certificate.
//
//   - lineage executes whole schedules too, and asks nothing of the processes.
//     It asks why an outcome came about, and executes schedules that would have
//     prevented it.
//
// When [Options] name no strategy, Run takes the one that fits, and the answer says
// why. Whatever the strategy, a counterexample was executed and seen to violate a
// property, and unless the time was up no fault of it can be left out.
package search
