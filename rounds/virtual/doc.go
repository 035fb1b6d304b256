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
// A crash cuts the network, then fences the disk, then stops the server: what it does
// from then on has no effect. A restart starts it anew on the same disk. A pause is
// a clock that stands still.
package virtual
