// Package limits holds a question within its memory and its time.
//
// The memory of evaluations is counted, not measured. Facts differ: one with a
// hundred columns takes as much as forty with two. Cells are counted, a column of a
// fact each, and what belongs to a fact beside them, in bytes. The memory that a
// program comes to depends neither on when garbage is collected nor on what else goes
// on: each evaluation counts for itself, up to a share of the whole.
//
// When the time is up, work has a short grace to say what it knows; then nobody
// waits for it any more. So no parser, no read of a pipe and no host holds up an
// answer.
package limits
