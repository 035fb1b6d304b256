// Package recording keeps what happened in an execution under a schedule: the
// facts of each round, and the messages. An [Execution] can be written and read
// as JSON and as JSON lines, and written as facts for the Mangle language.
package recording
