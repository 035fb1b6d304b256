// Package maelstrom runs nodes that were written for Maelstrom, the workbench of Jepsen
// (github.com/jepsen-io/maelstrom), in lock-step rounds: programs as they are, which read and
// write messages as lines of JSON on standard input and output.
//
// A program is built by [process.Build], and each node is a process of its own that runs
// it ([System]). Every line that a node writes to another is a message of the round, which
// can be lost. The requests of a workload are the requests of clients of the system, and
// what the node answers is their reply. Services are machines beside the nodes.
//
// Nodes report, besides what all nodes do (package process), ready(Node) when they have
// answered what they are told first. Lines of the error output that only repeat a message
// are no facts: the libraries of Maelstrom log each.
package maelstrom
