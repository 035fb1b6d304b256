// Package rules makes properties of rules, and queries recordings with them.
//
// Rules are Datalog, in the language of Mangle (github.com/google/mangle):
//
//	# Two processes lead in one term.
//	violation(T, P, Q) :- leader(P, T, _), leader(Q, T, _), P != Q.
//
// Every fact violation(..) is a violation. A promise that something happens is
// two relations: whenever pre(x) holds, post(x) must hold too, by the end of the
// execution.
//
//	# What is asked in the first 20 rounds is answered.
//	pre(ID) :- request(_, ID, _, R), R <= 20.
//	post(ID) :- reply(_, ID, _, _).
//
// Rules see the whole execution at once, as a table of relations. Every execution
// has these:
//
//	eot(Rounds)
//	round(Round)
//	process(Process)
//	before(Process, Process)               in the order of the system
//	crashed(Process, Round)
//	crashed_at(Process, Point, Round)      within the round
//	restarted(Process, Round)
//	isolated(Process, Round)               in every round that it lasts
//	paused(Process, Round)
//	parted(Process, Process, Round)        on different sides of a partition
//	sent(From, To, Kind, Text, Round)
//	delivered(From, To, Kind, Text, Round)
//	lost(From, To, Kind, Text, Round)
//
// A fact that a process reported is there with the process first and the round
// last: leader("a", 3, 7) for what a says in round 7. Requests and replies of
// clients are facts too, request(process, id, payload, round) and reply(process,
// id, payload, round).
//
// What Mangle does not allow in the name of a relation is _, a capital at its
// beginning is a small letter, and a relation of the system that has the name of
// one of these has _ behind it. A relation that no fact is recorded of is empty.
// Rules that begin with declarations, "Decl leader(P, T, R).", may read no others,
// so that a slip of the finger is an error.
//
// The whole language of Mangle is there but packages, the functions whose result
// depends on the order of a set (fn:collect, fn:pick_any), and rules that Mangle
// itself reads in different ways. Recursion is; what depends on its own absence
// is refused. A value that rules make is at most 4,096 bytes large, or as large as
// the largest one of the recording.
//
// # What an outcome needs
//
// A search that prevents outcomes (strategy lineage) has to know which messages an
// outcome came from. It takes what its process had received by then, and what the
// senders had, and so on. Rules may say it more exactly, of an outcome post(x..) or,
// where there is only violation(..), of any columns x:
//
//	needs(x.., From, To, Round)                   what From sends To in a round, of which all
//	needs_some(x.., Group, N, From, To, Round)    the same, of which at least N of each group
//
// They are about the execution at hand: what was needed for what came about in it.
//
//	# A value is chosen by two acknowledgements in one round.
//	needs_some(V, R, 2, Q, P, R) :- chosen(P, V, R), delivered(Q, P, "ack", V, R).
//
// # How they are evaluated
//
// Mangle's engine has bugs that lose facts without a word, and is too slow for a
// search that executes a system thousands of times a second. So rules are
// translated to a Dedalus program and evaluated like one, some fifty times faster. The tests compare the two, and both with the
// definition. Only what has no translation, such as functions on strings, goes to
// Mangle, after it is rewritten around those bugs.
//
// The translation serves another purpose: over facts that hold only under
// conditions on the faults, the same program says under which of them a property
// is violated.
//
// # Hosts
//
// A host (package wire) can be asked to judge rules that it does not have. It does
// so if it links this package, which a blank import is enough for, and else leaves
// that to who asks.
package rules
