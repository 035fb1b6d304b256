// Package ldfi decides which faults, within stated bounds, make a protocol
// break its promise, and says why.
//
// Start with [New], which makes a [Model] of a program and its bounds. The methods of
// the model answer questions about it. [Model.Check] decides whether the program keeps
// its promise, [Model.Inject] executes one schedule and judges it, [Model.Hypotheses]
// lists the smallest fault sets under assumptions, [Model.Why] explains a fact or its
// absence, [Model.Loop] decides the same as Check, one execution after the other, and
// reports each turn, [Model.Export] writes the lineage for other tools, [Model.Support]
// returns the part of the program that a good outcome needs, and [Model.Vet] collects
// warnings about the program itself. The types of the answers are in package
// ldfi/result.
//
// The programs are those of package specs/dedalus. A system written in Go is searched
// by package ldfi/ldfitest in its go test, and by package ldfi/search elsewhere.
//
// # How it decides
//
//  1. The program states what the system does and what it promises (package
//     specs/dedalus), and bounds state which faults may happen (package rounds). The
//     bounds allow a set of schedules, often astronomically large.
//  2. The program is evaluated over all these schedules at the same time: each fact
//     that is possible at all gets a condition over the faults (package provenance).
//     The violation of the promise becomes a condition too: "pre(x) holds at the end
//     and post(x) does not".
//  3. The search is for the first of the smallest sets of faults that meet the
//     condition: small sets are all tried, 64 at a time, and a solver finds larger ones
//     (package solver). The set found is a hypothesis. Where the conditions grow, truth
//     tables over lists of schedules are tried beside them, fewest faults first. Where
//     they grow too large, the crashes are fixed, one case after the other. All these
//     ways find the same sets in the same order.
//  4. The hypothesis is executed, round by round and without any solver (package
//     internal/lockstep), and has to break the promise there. Only then is it reported,
//     as a [result.Counterexample]. A hypothesis that does not break the promise is a
//     bug of ldfi, and an error says so.
//  5. If no set of faults meets the condition, the promise holds under every schedule
//     within the bounds: that is a certificate.
//
// # What is promised
//
// A program states its promise by the relations that it defines:
//
//   - pre and post, of the same arity, in the last round: whenever pre(x) holds,
//     post(x) must hold too. With witnessed goals only the tuples count that post has
//     without faults.
//   - violation: there must be no such fact in any round.
//   - good, in programs without pre and post: each tuple of good in the last round of
//     the run without faults must be there in every run.
//
// Only the rules that these relations depend on are evaluated.
//
// # Limits
//
// Options limit the facts and the gates of the circuit, and the context limits the
// time. Where a limit ends the search, the verdict is [result.Inconclusive], and the
// answer says what grew, what to try, and up to how many rounds the question is
// decided. At first only the given number of rounds is tried. When that has taken half
// of the time, or meets a limit in every way, the question is decided for 1 round, for
// 2 rounds and so on, and schedules are executed one by one. These are different
// questions, because pre and post are judged in the last round. So a schedule that
// breaks the promise at fewer rounds is executed over all rounds; if it breaks the
// promise there too, the verdict is [result.Violated], by a fault set that may not be
// minimal.
package ldfi
