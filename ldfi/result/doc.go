// Package result has the types of the answers of ldfi, the same for protocols and for
// systems. Their JSON form is the output of --output json.
//
// An [Answer] states whether a protocol or a system keeps its promise within bounds: it
// has a [Verdict], the [Scope] of the verdict, and a list of [Counterexample], each of
// which was executed and broke the promise. An [Injection] is the outcome of one
// schedule. In both, a [Violation] is one way in which the promise is broken.
package result
