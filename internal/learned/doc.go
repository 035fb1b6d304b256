// Package learned stores the observed behaviour of the processes of a system: the step
// that a process takes in each local state. A [Table] of it can be written as a Dedalus
// program, which ldfi decides like any other, and people can read.
package learned
