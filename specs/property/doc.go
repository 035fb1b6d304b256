// Package property says what recorded executions have to satisfy.
//
// A system written in Go promises nothing by itself. What it promises is said
// about a recording of it, by a [Property]: a function that returns what is wrong,
// or rules that derive it. [Agreement], [AgreementPerKey], [PrefixOrder],
// [UniquePerTerm], [Durable] and [EventualProgress] are the usual ones. Package
// rules makes properties of rules, and package linear has linearizability; a
// program links what they need only if it imports them.
package property
