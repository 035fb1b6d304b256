// Package suite checks many protocols and systems at once, as continuous
// integration does for every commit.
//
// A suite is a file, ldfi.yaml, with cases: each is a question (see package subject)
// with the expected answer. [Read] reads a suite, [Suite.Run] decides all cases, and
// the [Report] has the answers that differ from the expected ones.
//
// Answers are cached under a key of everything that they depend on, so that an
// unchanged case costs next to nothing; a damaged entry is ignored. Schedules that
// broke a case that was expected to hold are kept in files beside the suite, and are
// executed first from then on. A case that is not finished is inconclusive, never as
// expected.
package suite
