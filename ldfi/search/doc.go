// Package search searches for schedules of faults under which a system written in Go
// (package rounds/system) violates one of its properties. In a go test use package
// ldfitest, which also keeps the schedules that it finds.
//
// [Run] searches by a strategy, which decides which schedules are executed, in which
// order, and when the search ends. Strategies differ in what they require of the
// system, and in what it means when they find nothing:
//
//   - spread, uniform, sample and drop draw schedules at random, and require nothing of
//     the processes. When they find nothing, the answer has the least probability with
//     which a schedule within the bounds was drawn, and the number of executions that
//     makes it 95 %. With uniform this probability is the same for all schedules. With
//     sample isolations are drawn by Algorithm 1 of "Testing Consensus Implementations
//     Using Communication Closure" (Drăgoi et al., 2020). With spread seven of eight
//     schedules have at most one isolation in a phase, because these find most mistakes
//     soonest, and one of eight is drawn as by uniform. With drop each message is lost
//     with probability 1/4: the bounds have to allow any number of omissions, and
//     nothing else.
//
//   - pct draws which messages come late, and in which order of senders they arrive: PCTCP in
//     rounds.
//
//   - bonus, negrl and waypoint decide faults while an execution goes on, by what came of
//     faults in the same state: baselines of the literature. One of eight schedules is drawn
//     as by uniform. They need the processes in this program.
//
//   - exhaustive visits all global states, from snapshots of the processes. It finds a
//     smallest schedule that violates a property, or certifies that there is none.
//
//   - learn needs no snapshots: it executes whole schedules. It remembers every step of
//     a process that it has seen as a rule, and follows these rules to a schedule that
//     violates a property, or to a step that it has not seen. When there is neither, it
//     certifies that no schedule violates a property.
//
//   - lineage executes whole schedules too, and requires nothing of the processes. It
//     determines why an outcome came about, and executes schedules that would prevent
//     it.
//
// When [Options] name no strategy, Run chooses the one that fits, and the answer says
// why. With every strategy a counterexample was executed and violated a property, and
// no fault of it can be left out unless the search ended early.
package search
