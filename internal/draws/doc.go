// Package draws hands the executions of a search out whose executions follow from a seed
// and their number alone: a unit has some that come one after the other.
//
// Who asks then makes the search itself, without those of which it is known that they do
// not end it. So the answer is the one of a search in one process, and whatever is
// violated was executed by who says so.
package draws
