// Package schedules is the space of the schedules within bounds: how many there are, which,
// in which order, and which are drawn.
//
// A [Universe] numbers the faults that are possible within bounds, for searches and
// solvers. It counts the schedules that they make, lists them and draws some. An
// [Environment] answers quickly, for one schedule, which messages arrive. [Shrink] takes
// away from a schedule under which something fails what is not needed for that.
// [WriteKept] keeps a schedule in a file below testdata/ldfi, which is executed first the
// next time and can be read in a review.
package schedules
