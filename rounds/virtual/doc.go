// Package virtual turns servers with goroutines, timers, connections and files into
// processes of a system, without changes to their code.
//
// Each process is a machine of its own, with a clock, a network and a disk. Its
// goroutines run in a bubble of testing/synctest. In every round of an execution
//
//  1. the server gets the requests of clients, each in a goroutine of its own,
//  2. the clock of the machine advances by a tick (Options.Tick), and the goroutines
//     whose timers expire run,
//  3. everything that the server sends until all of its goroutines are at rest becomes
//     the messages of the round, which arrive at its end or are lost, as the schedule
//     says,
//  4. the server reads what arrives, and when it is at rest again it reports facts.
//
// So every answer takes a round. Choose a tick well below the shortest timeout of the
// server; otherwise bugs appear without any fault.
//
// New makes such processes for a system.System. They are searched, replayed and
// explained like all others: in go test by package ldfitest, or by ldfi run, from a
// host whose main calls wire.Serve.
//
// # Faults
//
// A crash cuts the network, then fences the disk, then stops the server, which has no
// effect from then on. A restart starts the server anew on the same disk; the clock has
// advanced meanwhile. A pause stops the clock. A fast or slow clock differs by
// Options.Drift, and a jump lets the time of some rounds pass at once.
//
// # Exactly the same again
//
// In a program that is built with the overlay of the standard library (ldfi overlay),
// everything random in a server follows from the seed of the schedule: select, the
// order of maps, math/rand, crypto/rand, and which goroutine runs first. The same
// schedule always gives the same recording. net.Listen, net.Dial and what is built on
// them use the network of the machine there. Without the overlay everything works with
// the methods of [Machine], but executions of one schedule may differ, and recordings
// say so.
//
// Executions never overlap in one program. During an execution the program uses one
// core, and garbage is collected only between executions, or above Options.Memory; both
// settings are restored when nothing has been executed for some milliseconds. With the
// overlay the first execution of a system in a program is made twice, and the first
// time does not count, because libraries initialise some of their state at first use.
// All processes share the global variables of the program, which real servers do not.
//
// # How servers fail
//
// A panic that is not recovered violates the property "no panic". The end of the
// program (os.Exit, log.Fatal), and a Start that returns an error, violate "no exit".
// The process is dead from then on, and the others go on. With the overlay that holds
// for every goroutine. Without it only panics in Start, Request and Report are caught:
// a panic of a goroutine that the server started, and every os.Exit, end the whole
// program, as they do in Go.
//
// A goroutine that never comes to rest violates "no hang", with its stack: because it
// loops for ever, or waits for something outside of its machine, such as a file or the
// network of the operating system, or, without the overlay, for a mutex. Goroutines
// that are left when their server has stopped are named on standard error, once for
// each place; of more than 500 in a program only some are looked at. Each of them makes
// later executions slower.
package virtual
