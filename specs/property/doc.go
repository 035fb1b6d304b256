// Package property checks whether recorded executions satisfy properties.
//
// The code of a system does not state what the system promises. A [Property] does: it
// checks the recording of an execution, by a function or by rules, and returns the
// violations. [Agreement], [AgreementPerKey], [PrefixOrder], [UniquePerTerm],
// [Durable], [EventualProgress] and [Convergence] are ready-made. Package rules makes
// properties of rules in the language of Mangle, and package linear has linearizability
// and its weaker relatives. These are packages of their own because they need large
// libraries.
package property
