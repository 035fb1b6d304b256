// Package subject asks one question in one way, whatever it is asked about: does
// this protocol, or this system, keep its promise within these bounds?
//
// A [Subject] names the protocol or the system, and the bounds. Opened, it is
// searched for a schedule that breaks the promise, and schedules that were found
// elsewhere or earlier are replayed on it. Both give an [Answer]. Suites of
// regression checks and searches across versions ask through this package, so
// that they mean the same by an answer.
package subject
