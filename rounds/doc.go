// Package rounds says what can happen to a distributed system that runs in
// lock-step rounds, and keeps what did.
//
// In each round every process sends messages, the environment loses some, and
// every process receives what is left. A message arrives in the round in which
// it was sent or never, so the environment is nothing but the set of messages
// that are lost, and that set is what a [Schedule] describes by its faults:
//
//	crash a@2; isolate b@5..8; omit a>c@1
//
// From its crash round on a process sends nothing to others; an isolated process
// exchanges nothing with others for some rounds; an omission loses what one
// process sends another in one round. What a process sends itself is not lost.
// Systems written in Go (package system) have more: a crashed process can
// restart with what it keeps in stable storage, a paused process stands still
// while its messages wait, and a schedule holds the seed of random choices and
// how often timers tick.
//
// [Bounds] make the schedules finitely many: so many processes, rounds, crashes,
// omissions and isolations. [Bounds.Scenarios] counts them.
//
// What happened under a schedule is recorded in package recording, and drawn by
// package diagram.
package rounds
