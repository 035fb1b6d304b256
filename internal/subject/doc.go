// Package subject asks one question in one way, whatever it is asked about: does
// this protocol, or this system, keep its promise within these bounds?
//
// A [Subject] names the protocol or the system, and the bounds. Opened, it is
// searched for a schedule that breaks the promise, and schedules that were found
// elsewhere or earlier are replayed on it. Both give an [Answer]. Suites of
// regression checks and searches across versions ask through this package, so
// that they mean the same by an answer.
//
// A question can be handed out as a whole. Of a search whose executions follow from a seed
// and their number alone a unit has some that come one after the other: whoever asks then
// makes the search without those of which it is known that they do not end it. So the
// answer is that of a search in one process, and whatever is violated was executed by
// whoever says so.
package subject
