// Package lockstep executes Dedalus programs: one program under one schedule of faults.
// It confirms every verdict: a counterexample from the circuit of package provenance,
// which covers all schedules at once, is executed here under its one schedule before it
// is reported. So the two packages share nothing but the parsed program.
//
// # How it works
//
// A [Machine] is a program compiled for some [rounds.Bounds]. Every rule becomes
// nested loops over the atoms of its body, in an order chosen once, with the
// comparisons and negated atoms as far outside as their variables allow. Values
// are small integers while a program runs, and a table has a hash index for each
// set of columns by which some loop searches it. A machine reuses its memory, so
// that a run of a small protocol takes some ten microseconds.
//
// The unit of evaluation is a node: a relation in a round. Since p(..)@5 can be read in
// round 2, the order of evaluation is that of the strongly connected components of the
// graph of nodes; for most programs that is round by round, stratum by stratum. A
// component without recursion runs once. A recursive component runs to its least
// fixpoint, by semi-naive evaluation. If the recursion goes through a negation or an
// aggregate, the component has its well-founded model, computed by the alternating
// fixpoint: a fact that is neither certain nor impossible in the end depends on its own
// absence, and is an error that names the cycle.
//
// # What a program means
//
// docs/language.md defines it. These are the points that it leaves open:
//
//   - What needs a value that does not exist does not hold: neither a comparison
//     nor its opposite, and no binding in which an argument of a body atom,
//     negated or not, or of the head has no value. There is no value for a
//     division by zero, a result beyond 64 bits, and arithmetic on strings.
//     [Run.NoValue] lists the rules where that happened.
//   - sum and avg are exact: their total has to fit 64 bits, whatever the order.
//   - An aggregate in the head of a message is for each sender.
//   - A rule without a location sends from nobody. Such messages are not lost,
//     except that a stopped process receives nothing.
//   - With crash=stop a process that stops keeps every fact of it, in column 0,
//     that some @next or @async rule can write: as if there were a rule
//     p(P, ..)@next :- p(P, ..) for that process alone.
//   - Where a recursion goes through an aggregate, the value of a group is
//     certain once all rows that it possibly has are certain. Until then every
//     value is possible that some choice of the uncertain ones would give.
//
// # Ends
//
// Every run ends, by itself, by a limit, or soon after its context does: a
// recursion that makes new values has a bounded number of turns, and
// [Options.MaxFacts] bounds the facts and, at three times as many, the firings of
// rules.
package lockstep
