// Package rounds says which faults can happen to a distributed system that runs in
// lock-step rounds, and when.
//
// In each round every process sends messages, the environment loses some, and
// every process receives what is left. A message arrives in the round in which
// it was sent or never, unless it is delayed or comes once more. So what the
// environment does is to lose messages, or to let them come later, and a
// [Schedule] says which, by its faults. [ParseSchedule] reads one from its text:
//
//	crash a@2; isolate b@5..8; omit a>c@1; delay a>b@2+1
//
// From its crash round on a process sends nothing to others; an isolated process
// exchanges nothing with others for some rounds; an omission loses what one
// process sends another in one round. What a process sends itself is not lost.
// Systems written in Go (package system) have more: a crashed process can
// restart with what it keeps in stable storage, a paused process stands still
// while its messages wait, and a schedule holds the seed of random choices and
// how often timers tick.
//
// [Bounds] limit the schedules: who takes part, for how many rounds, and how many
// faults of each kind there may be. [Bounds.Scenarios] counts the schedules within
// them.
//
// Package recording keeps what happened under a schedule, and package diagram draws
// it.
package rounds
