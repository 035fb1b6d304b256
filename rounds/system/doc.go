// Package system runs distributed systems whose processes are written in Go, in
// lock-step rounds, under a schedule of faults, and records what happens.
//
// A [Process] says in each round what it sends, and takes what arrives; it
// reports facts about itself through its [Step]. A [System] is a set of them,
// with what clients ask. [System.Run] executes it under a [rounds.Schedule]:
// the schedule decides everything that is not decided by the processes, so the
// same schedule always gives the same [rounds.Execution].
package system
