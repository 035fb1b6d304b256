// Package limits enforces the limits of a question on memory and time, and has the errors
// of evaluations that ended at one or met a rule that cannot be evaluated.
//
// The memory of evaluations is counted, not measured. Facts differ: a fact with a
// hundred columns takes as much memory as forty facts with two. So the cells of facts
// are counted, one for each column, and the overhead of a fact, in bytes. The count
// depends neither on garbage collection nor on other work: each evaluation counts for
// itself, up to its share of the whole.
//
// When the time is up, the work has a short while to return what it knows; then the
// caller stops waiting. So no parser, no read of a pipe and no host delays an answer.
//
// The errors are the same for every evaluator.
package limits
