// Package search has the types that all searches of systems share: the [Target] that is
// searched, the [Strategy] that decides which schedules are executed, and the [Session]
// that executes them within a budget and reports the results. A schedule that violates
// a property is made smaller before it is reported.
//
// Package strategies has the strategies, and runs the one that fits.
package search
