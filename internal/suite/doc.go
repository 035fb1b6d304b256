// Package suite checks many protocols and systems at once, as continuous
// integration does for every commit.
//
// A suite is a file, ldfi.yaml, with cases: what is asked ([subject.Subject]), and
// which answer is expected. [Read] reads it, [Suite.Run] asks all cases, and the
// [Report] says which answers differ from what was expected.
//
// Three things make this quick and keep it honest. Answers are kept in a cache
// under a name for everything that they depend on, so that an unchanged case
// costs next to nothing; a damaged entry is no entry. Schedules that broke a case
// that was expected to hold are kept in files beside the suite, and are executed
// first from then on. And what was not finished is inconclusive, never as expected.
package suite
