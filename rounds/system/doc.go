// Package system runs distributed systems whose processes are written in Go, in
// lock-step rounds, under a schedule of faults, and records what happens.
//
// A [Process] says in each round what it sends, and takes what arrives. Through
// its [Step] it reports facts about itself, such as leader(term) or
// committed(index, value), and answers clients. A [System] is a set of processes,
// what clients ask of them and when, and the properties that have to hold.
//
// [System.Run] executes a system under a [rounds.Schedule]. In each round
//
//  1. processes crash, restart, or stand still, as the schedule says,
//  2. the timers of each process tick, and each process sends (Tick, Send),
//  3. the environment loses the messages that the schedule takes away,
//  4. each process receives what is left (Receive), also when that is nothing.
//
// A message arrives in the round in which it was sent, or never, unless the schedule
// delays it, lets it come once more, or pauses its receiver. So a process cannot
// answer a message in the round in which it gets it: a Send inside Receive is an
// error. Messages of a process to itself are not lost, nor late. What a process
// sends must not be changed afterwards.
//
// The faults are those of package rounds. An isolated process runs on, but
// exchanges nothing with others. A crashed process is not called any more, until
// it restarts with what its method Restart keeps ([Restarter]). A paused process
// is not called either; what is sent to it waits, and arrives in the first round
// after the pause, before the messages of that round. What is delayed, or comes once
// more, arrives after those of the round in which it does.
//
// Everything that the processes do not decide is in the schedule: the faults, the
// seed of the random numbers, and how often timers tick in a round (drawn once
// for an execution, unless the schedule says it). So an execution is a function
// of its schedule, and the schedule in a recording replays it exactly. That
// assumes that the processes are deterministic, which [System.CheckDeterminism]
// tests.
//
// # What a process can offer besides
//
//   - [Ticker]: timers.
//   - [Restarter]: to come back after a crash. [System.CheckDurability] tests that
//     it forgets nothing that it must not forget.
//   - [Fingerprinter]: a name for its local state, so that searches can tell that
//     two states are the same. Without one, all that the process was given so far
//     stands for its state. [System.CheckState] tests it.
//   - [Machined]: a machine with a clock and a disk, and goroutines in an order that
//     can be drawn. What faults make of it is in [Step.Conditions], and a
//     [DiskCrasher] is told what a crash leaves on the disk.
//   - [Snapshotter]: to go on from a state in several ways; see [Local].
//
// # Speed
//
// A [Runner] executes one schedule after the other, and reuses its memory. Without
// recording it costs less than a microsecond for each process and round, beside
// what the process itself does. [RunOptions] has a hook for every local
// [Transition].
package system
