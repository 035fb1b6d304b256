// Package coordinator hands out units to workers on other machines. The talk with their
// server is led by a program of its own, ldfi-cluster, which this process starts: so
// ldfi links nothing of it, and whoever works alone needs nothing of it.
//
// Nothing that comes back is taken for a fact here: a result has to be one of the unit
// that was asked, by the same ldfi. What it says is judged by who asked.
package coordinator
