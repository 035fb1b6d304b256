// Package result has the words in which ldfi answers, the same for protocols and
// for systems, in Go and in JSON.
//
// An [Answer] is what is known about the question whether something keeps its
// promise within bounds: a [Verdict], the [Scope] that it speaks about, and the
// [Counterexample]s, each of which was executed and seen fail. An [Injection] is
// what happened under one schedule. Both say by [Violation]s what is broken.
package result
