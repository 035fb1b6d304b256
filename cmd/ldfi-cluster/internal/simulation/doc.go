// Package simulation tells how long a question takes on many workers without having
// them: it goes from event to event of a coordinator, a server and the slots of workers.
//
// What a step costs is measured on real processes (measured_test.go says what, where and how),
// how long units take is measured on real questions or given. What is left out: workers
// are equally fast, the cores of a worker do not slow each other down, and nothing is lost
// on the network but with a worker that dies.
package simulation
