// Package ldfi decides which faults, within stated bounds, make a protocol
// break its promise, and says why.
//
// Start with [New]: it makes a [Model] of a program and its bounds, and the
// methods of the model answer questions about it. [Model.Check] decides it,
// [Model.Inject] executes one schedule and judges it, [Model.Hypotheses] lists the
// smallest fault sets under assumptions, [Model.Why] explains a fact or its
// absence, [Model.Loop] decides it one execution after the other and tells each turn,
// [Model.Export] writes the lineage for other tools, [Model.Support] says what the
// good outcome rests on, and [Model.Vet] collects warnings about the program itself.
// Answers are of package ldfi/result.
//
// The programs are those of package specs/dedalus. A system written in Go is searched
// by package ldfi/ldfitest in its go test, and by package ldfi/search elsewhere.
//
// # How it decides
//
//  1. The program says what the system does and what it promises (package
//     specs/dedalus), and bounds say which faults may happen (package rounds).
//     Together they are a set of schedules, often astronomically large.
//  2. The program is evaluated over all these schedules at the same time: each
//     fact that is possible at all gets a condition over the faults (package
//     provenance). What the promise asks for becomes one such condition too:
//     "pre(x) holds at the end and post(x) does not".
//  3. The first of the smallest sets of faults that meet the condition is searched
//     for: small sets are tried one and all, 64 at a time, and a solver is asked for
//     larger ones (package solver). What is found is a hypothesis. Where the
//     conditions grow, truth tables over lists of schedules are tried beside them,
//     fewest faults first; where they grow too large, one case after the other of who
//     crashes when. All find the same sets in the same order.
//  4. The hypothesis is executed, round by round and without any solver
//     (package internal/lockstep), and has to break the promise there. Only then is
//     it reported, as a [result.Counterexample]. One that does not is a bug of ldfi,
//     an error that says so.
//  5. If there is no set of faults that meets the condition, the promise holds in
//     every scenario of the scope: a certificate within these bounds.
//
// # What is promised
//
// A program promises something by the relations that it defines:
//
//   - pre and post, of one arity, looked at in the last round: whenever pre(x)
//     holds, post(x) must. With witnessed goals only the tuples count that
//     post has without faults.
//   - violation: no such fact, in any round.
//   - good, in programs without pre and post: each of its tuples in the last
//     round of the run without faults must be there in every run.
//
// Only what these relations depend on is evaluated and judged.
//
// # Limits
//
// [Options] limit the facts and the gates of the circuit, and the context limits the
// time. Where a limit ends the search, the verdict is [result.Inconclusive], and the answer says what grew, what to
// try, and up to how many rounds the question is decided. At first only the whole
// number of rounds is decided. When that has taken half of the time, or meets a limit in
// every way, the same question is decided for 1 round, for 2 rounds and so on, and
// schedules are executed one by one. These are other questions, because pre and post are looked at in the
// last round: a schedule that breaks the promise at fewer rounds is executed over all
// rounds, and if it breaks it there too the verdict is [result.Violated], by a fault
// set that may not be minimal.
package ldfi
