// Package recording has what happened in an execution under a schedule: the facts of
// each round, and the messages.
//
// system.System.Run returns an [Execution], and every result.Counterexample has one. It
// can be written and read as JSON and as JSON lines. Package specs/property/rules
// describes the relations that rules see of it.
package recording
