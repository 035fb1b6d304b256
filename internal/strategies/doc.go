// Package strategies has all ways to search a system, and runs the one that fits.
//
// Some execute whole schedules and look at nothing else: drawn at random, which gives no
// certificate, or every one once (enumerate). They need nothing of a system. lineage asks
// why an outcome came about, and executes schedules that would have prevented it.
// exhaustive and learn keep every state that they have met.
package strategies
