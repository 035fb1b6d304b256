// Package rounds describes the faults of a distributed system that runs in lock-step
// rounds: schedules of faults, and the bounds within which schedules are searched.
//
// In each round every process sends messages, the environment loses some, and every
// process receives the rest. A message arrives in the round in which it was sent or
// never, unless it is delayed or duplicated. A [Schedule] lists the faults of one
// execution; [ParseSchedule] reads a schedule from its text:
//
//	crash a@2; isolate b@5..8; omit a>c@1; delay a>b@2+1
//
// From its crash round on a process sends nothing to others; it may restart with its
// durable state. An isolated process exchanges nothing with others for some rounds. An
// omission loses the messages of one process to another in one round. The messages of a
// process to itself are not lost. Systems written in Go (package system) have more: a
// paused process stands still while its messages wait, clocks and disks fail, and a
// schedule has settings: the seed of random choices, and how often timers tick.
//
// [Bounds] limit the schedules: which processes take part, for how many rounds, and how
// many faults of each kind a schedule may have.
//
// Package recording stores what happened in an execution, and package diagram draws it.
package rounds
