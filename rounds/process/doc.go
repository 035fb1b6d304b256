// Package process runs unchanged server programs as processes of a system: each node is
// an operating-system process of its own, from its own main package, and its executions
// are exactly repeatable.
//
// A program is built as a node with an overlay of the standard library ([Build]). All its
// goroutines then run in one bubble with a clock that the driver advances, from package
// initialisation on, and its sockets are those of a virtual network. In every round of an
// execution
//
//  1. the clock of each node advances by a tick ([Cluster.Tick]), and the goroutines whose
//     timers expire run,
//  2. everything that a node sends until all of its goroutines are at rest becomes the
//     messages of the round, which arrive at its end or are lost, as the schedule says,
//  3. each node reads what arrives, and its goroutines run until they are at rest again.
//
// So every answer takes a round. Choose a tick well below the shortest timeout of the
// program. A node for which nothing arrives and no timer ends is not called.
//
// Nodes have the names of their processes as host names, and the addresses 10.0.0.1,
// 10.0.0.2 and so on. A client is one more program, such as a load generator, that never
// crashes.
//
// # Facts
//
// A node reports listens(Node, Port) in the round in which it begins to listen,
// log(Node, Line) for each line that it prints, and exit(Node, Code) when it ends. A node
// that ends violates "no exit", "no panic" or "no hang". A client has to end ("clients
// end"), with status 0 ("clients succeed").
//
// # Faults
//
// A crash kills the program. A restart starts it again in the same directory: the files
// of nodes are real ones, so what was written before a crash is there after it, synced or
// not. A pause stops the clock. A fast or slow clock differs by [Cluster.Drift].
//
// Nodes need Linux and programs without cgo.
package process
