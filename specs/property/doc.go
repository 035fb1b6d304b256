// Package property says what recorded executions have to satisfy.
//
// The code of a system does not say what the system promises. A [Property] does: it
// looks at the recording of an execution, and says what is wrong with it, by a
// function or by rules. [Agreement], [AgreementPerKey], [PrefixOrder],
// [UniquePerTerm], [Durable], [EventualProgress] and [Convergence] are ready-made.
// Package rules makes properties of rules in the language of Mangle, and package linear
// has linearizability and its weaker relatives. They need large libraries, and so are
// packages of their own.
package property
