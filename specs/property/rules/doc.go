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
// Rules see the whole execution at once, as relations. Every execution has these:
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
// A fact that a process reported has the process as its first column and the round as
// its last: leader("a", 3, 7) for leader(a, 3) in round 7. Requests and replies of
// clients are facts too: request(process, id, payload, round) and reply(process, id,
// payload, round).
//
// In names of relations, characters that Mangle does not allow become _, a capital at
// the beginning becomes a small letter, and a relation of the system with the name of
// one of the relations above gets a _ at its end. A relation without recorded facts is
// empty. Rules that begin with declarations, "Decl leader(P, T, R).", may read only
// declared relations, so that a misspelt name is an error.
//
// The language is Mangle without packages, without the functions whose result depends
// on the order of a set (fn:collect, fn:pick_any), and without rules that Mangle itself
// reads in different ways. Recursion is allowed, but not through negation. A value that
// rules make has at most 4,096 bytes, or as many as the largest value of the recording.
//
// # What an outcome needs
//
// A search that prevents outcomes (strategy lineage) has to know the messages that an
// outcome needs. By default these are the messages that its process had received by
// then, those that their senders had received, and so on. Rules may state them more
// exactly, for an outcome post(x..) or, where there is only violation(..), for any
// columns x:
//
//	needs(x.., From, To, Round)                   what From sends To in a round, of which all
//	needs_some(x.., Group, N, From, To, Round)    the same, of which at least N of each group
//
// They are about the execution at hand: the messages that its outcomes needed.
//
//	# A value is chosen by two acknowledgements in one round.
//	needs_some(V, R, 2, Q, P, R) :- chosen(P, V, R), delivered(Q, P, "ack", V, R).
//
// # How they are evaluated
//
// Mangle's engine has bugs that silently lose facts, and is too slow for a search that
// executes a system thousands of times a second. So rules are translated to a Dedalus
// program and evaluated like one, some fifty times faster. The tests compare the two,
// and both with the definition. Only rules without a translation, such as those with
// functions on strings, are evaluated by Mangle, after they are rewritten to avoid
// those bugs.
//
// The translation has another use: evaluated over facts with conditions on the faults,
// the same program gives the conditions under which a property is violated.
//
// # Hosts
//
// ldfi can ask a host (package wire) to judge rules that it sends. The host does so if
// it links this package, by a blank import for example; otherwise ldfi judges them.
package rules
