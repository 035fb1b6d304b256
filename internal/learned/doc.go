// Package learned has what executions have shown of the processes of a system: in
// which state each does what. A [Table] of that is written as a Dedalus program, which
// ldfi decides as any other, and people can read.
package learned
