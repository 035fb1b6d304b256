// Package strategies implements the strategies of searching a system, and runs the one
// that fits.
//
// Some only execute whole schedules: drawn at random, which gives no certificate, or
// each one once (enumerate). They require nothing of a system. lineage determines why
// an outcome came about, and executes schedules that would prevent it. exhaustive and
// learn remember every state that they have met.
package strategies
