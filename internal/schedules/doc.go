// Package schedules counts, lists, orders, draws and shrinks the schedules of faults
// within bounds.
//
// A [Universe] numbers the faults that are possible within bounds, for searches and
// solvers. It counts the schedules that they make, lists them and draws some. An
// [Environment] answers quickly, for one schedule, which messages arrive. [Shrink]
// leaves out of a failing schedule the faults and settings that it does not need to
// fail. [WriteKept] writes a schedule to a file below testdata/ldfi, so that it is
// executed first the next time and can be read in a review.
package schedules
