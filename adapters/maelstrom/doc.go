// Package maelstrom runs nodes that were written for Maelstrom, the workbench of Jepsen
// (github.com/jepsen-io/maelstrom), in lock-step rounds: with the library for Go
// that it brings along, package github.com/jepsen-io/maelstrom/demo/go.
//
// Instead of a main that runs a node on standard input and output, such as
//
//	func main() {
//		if err := New().Run(); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// the adapter takes New, which returns the node with its handlers, and a workload:
//
//	func TestBroadcast(t *testing.T) {
//		ldfitest.Run(t, maelstrom.System(New, maelstrom.Broadcast{}))
//	}
//
// Each call of New has to return another node: what a node knows must be in what its
// handlers close over, not in variables of a package, which all nodes would share.
//
// Every line that a node writes to another is a message of the round, which can be
// lost. The requests of a workload are the requests of clients of the system, and what
// the node answers is their reply.
//
// Nodes log what they receive and send with package log. While that writes to the
// standard error, the adapter turns it off: the recording of an execution has all of it.
package maelstrom
