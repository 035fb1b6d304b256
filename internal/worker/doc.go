// Package worker does units, one after the other: what is asked, with nothing but the
// files of the unit, which lie in a directory of their own.
//
// It may end with its process: a unit may ask for more than a machine has. Whoever hands
// it units (ldfi-cluster, by ldfi unit) starts another process then.
package worker
