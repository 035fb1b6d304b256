// Package virtual makes processes of servers as engineers write them: with
// goroutines, timers, connections and files. Nothing in their code has to know that.
//
// Each process is a machine of its own, with a clock, a network and a disk. Its
// goroutines run in a bubble of testing/synctest. In every round of an execution
//
//  1. the requests that clients make of the server are handed to it, each in a
//     goroutine of its own,
//  2. the clock of the machine goes on by a tick ([Options.Tick]), and whatever waits
//     for a time of it runs,
//  3. what the server has sent until all of its goroutines are at rest are the
//     messages of the round. They arrive at its end or are lost, as the schedule says,
//  4. what arrives is read by the server, and when it is at rest again it reports
//     facts.
//
// So every answer takes a round. Choose a tick well below the shortest timeout of the
// server: otherwise bugs appear without any fault.
//
// [New] makes such processes for a [system.System]. They are searched, replayed and
// explained as all others are: in go test by package ldfitest, or by ldfi run, from a
// host whose main calls wire.Serve.
//
// # Faults
//
// A crash cuts the network, then fences the disk, then stops the server: what it does
// from then on has no effect. A restart starts it anew on the same disk; meanwhile its
// clock has gone on. A pause is a clock that stands still. A clock that is fast or slow
// differs by [Options.Drift], one that jumps lets the time of some rounds pass at once.
//
// # Exactly the same again
//
// In a program that is built with the overlay of the standard library (ldfi overlay),
// all that is random in a server follows from the seed of the schedule: select, the
// order of maps, math/rand, crypto/rand, and which goroutine runs first. The same
// schedule gives the same recording, always. net.Listen, net.Dial and what is built on
// them use the network of the machine there. Without the overlay everything works with
// the methods of [Machine], but executions of one schedule may differ, and recordings
// say so.
//
// Executions never overlap in one program. Meanwhile it runs on one core, and garbage is
// collected between executions only, or above [Options.Memory]; both are put back when
// nothing has been executed for some milliseconds. With the overlay the first execution
// of a system in a program is executed twice, and the first time does not count:
// libraries make some of what they need when they need it first. What is global in a
// program is shared by all of its processes, as it is by none that runs by itself.
//
// # How servers fail
//
// A panic that nobody recovers violates the property "no panic", and the end of the
// program (os.Exit, log.Fatal) or a Start that returns an error "no exit". The process
// is dead from then on, and the others go on. That holds for every goroutine with the
// overlay. Without it a panic of a goroutine that the server started itself, and every
// os.Exit, end the whole program, as they do in Go; only what this package calls (Start,
// Request, Report) is caught.
//
// A goroutine that never comes to rest violates "no hang", with its stack: one that runs
// in circles, waits for something outside of its machine, such as a file or the network
// of the operating system, or, without the overlay, for a mutex. Goroutines that are
// left when their server has stopped are named on standard error, once for each place;
// of more than 500 in a program only some are looked at. Each costs later executions time.
package virtual
