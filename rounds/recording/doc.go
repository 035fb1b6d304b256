// Package recording keeps what happened in an execution under a schedule: the
// facts of each round, and the messages.
//
// An [Execution] is what a system returns when it is run (system.System.Run), and
// what every counterexample has (result.Counterexample). It can be written and read
// as JSON and as JSON lines. What rules see of it is told by package
// specs/property/rules.
package recording
