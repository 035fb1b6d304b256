// Package result has the types in which ldfi answers, the same for protocols and
// for systems. Their JSON form is what --output json writes.
//
// An [Answer] says whether a protocol or a system keeps its promise within bounds: by
// a [Verdict], the [Scope] that it speaks about, and [Counterexample]s, each of which
// was executed and seen to break the promise. An [Injection] is what happened under
// one schedule. In both, each [Violation] is one thing that is broken.
package result
