// Package system executes distributed systems whose processes are written in Go, in
// lock-step rounds, under a schedule of faults, and records the executions.
//
// In each round a [Process] sends messages and receives those that arrive. Through its
// [Step] it reports facts about itself, such as leader(term) or committed(index,
// value), and answers clients. A [System] is a set of processes, with the requests of
// clients and the properties that have to hold.
//
// [System.Run] executes a system under a [rounds.Schedule]. In each round
//
//  1. processes crash, restart, or stand still, as the schedule says,
//  2. the timers of each process tick, and each process sends (Tick, Send),
//  3. the environment loses the messages that the schedule takes away,
//  4. each process receives the rest (Receive), even if that is nothing.
//
// A message arrives in the round in which it was sent, or never, unless the schedule
// delays or duplicates it, or pauses its receiver. So a process cannot answer a message
// in the round in which it receives it: a Send inside Receive is an error. Messages of
// a process to itself are neither lost nor late. A process must not change a payload
// after sending it.
//
// The faults are those of package rounds. An isolated process runs on, but exchanges
// nothing with others. A crashed process is not called until it restarts with the state
// that its method Restart keeps ([Restarter]). A paused process is not called either;
// messages to it wait, and arrive in the first round after the pause, before the
// messages of that round. Delayed and duplicate messages arrive after the other
// messages of a round.
//
// Everything that the processes do not decide is in the schedule: the faults, the seed
// of the random numbers, and how often timers tick in a round (drawn once for an
// execution, unless the schedule sets it). So an execution is a function of its
// schedule, and the schedule in a recording replays it exactly. That requires
// deterministic processes, for which [System.CheckDeterminism] tests.
//
// # What a process can offer besides
//
//   - [Ticker]: timers.
//   - [Restarter]: restarts after a crash. [System.CheckDurability] tests that no
//     durable fact is forgotten.
//   - [Fingerprinter]: a name for its local state, so that searches recognise equal
//     states. Without a fingerprint, the whole input of the process so far stands for
//     its state. [System.CheckState] tests fingerprints.
//   - [Machined]: a machine with a clock and a disk, and goroutines in an order that
//     can be drawn. Step.Conditions has the faults of the machine, and a DiskCrasher is
//     told what a crash leaves on the disk.
//   - [Snapshotter]: saves and restores its local state, so that a search can go on
//     from a state in several ways; see [Local].
//
// # Speed
//
// A [Runner] executes one schedule after the other, and reuses its memory. Without
// recording it adds less than a microsecond for each process and round to the time of
// the process itself. RunOptions has a hook for every local [Transition].
package system
