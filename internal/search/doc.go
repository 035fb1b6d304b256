// Package search has what all searches of systems share: the [Target] that is
// searched, the [Strategy] that decides which schedules are executed, and the
// [Session] that executes them, within a budget, and says what was found out.
// What is found is made smaller before it is reported.
//
// The strategies are in packages of their own: draw, states and lineage. Package
// strategies has them all, and runs the one that fits.
package search
