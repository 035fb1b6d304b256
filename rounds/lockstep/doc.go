// Package lockstep executes Dedalus programs: one program, one schedule of
// faults, every fact that holds and every message that is sent.
package lockstep
