// Package universe numbers the faults that are possible within bounds, for
// searches and solvers: a [Universe] counts them up, goes through the schedules
// that they make, and draws some. An [Environment] answers quickly, for one
// schedule, which messages arrive.
package universe
