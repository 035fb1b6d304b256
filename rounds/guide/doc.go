// Package guide reads guides and evaluates them round by round.
//
// A guide says which faults are injected, by rules over what has been recorded, in the
// language of package specs/property/rules:
//
//	# The votes of the first election get lost, and two rounds later its candidate crashes.
//	drop(M) :- message(M, _, _, "MsgVoteResp", _, R), R < 8.
//	crash(P, S) :- role(P, "candidate", 1, R), S = fn:plus(R, 2).
//
// Rules whose head is one of these decide:
//
//	drop(M)  deliver(M)             message M of the round gets lost; it must arrive
//	hold(M)  release(M, R)          M arrives in the first round R, from its own on, with a release
//	lie(M, Name)                    its payload becomes what System.Lies[Name] makes of it
//	crash(P, R)  restart(P, R)  pause(P, R)  isolate(P, R)  part(P, Q, R)
//	tick(P, N, R)                   P ticks N more times in round R, at least once
//	ask(P, Payload, R)              a client sends P a request; the payload is a text
//	goto(From, To)                  moves an automaton, which begins in "start"
//	good(State)  bad(State)         are its ends
//	waypoint(N, R)                  waypoint N is reached in round R
//
// Bodies read the relations of recordings, message(M, From, To, Kind, Text, Round) with the
// messages numbered from 1 in the order of sending and kinds as in faults, in(State, Round), relations that other
// rules derive, and what was decided before: drop(M), crash(P, R) and so on, but not goto,
// good and bad. :string:contains(Text, "x"), :string:starts_with and :string:ends_with
// compare texts. What message
// and sent have of a message is what its sender says, whatever a lie makes of it.
//
// Identical messages of a round, of one sender, receiver, kind and text, are one message: it has
// one number, M as well as the n of omit a>b@3/Vote#n, counts once, and what hits it hits all.
// Where only recordings are known, those of a sender have the order of recordings in a round.
//
// # What a guide means
//
// The decisions of round r are those heads of round r that the rules derive, as Datalog,
// from what is known in round r: all that was recorded and decided in rounds before r, in of
// those rounds, round(R) up to r, and the messages of rounds up to r. A head about a message
// has the round of that message. So a variable for a round that nothing bounds stands for
// everything so far. A rule that could only hold by what is recorded in its own round, or
// later, is refused; waypoint(N, R) may read round R. A message that is not sent any more, because a
// process crashes in that round, say, has no fate.
//
// What happens to processes in round r, by crash, restart, tick or ask, can make them send other messages in it. Of those
// that are sent only because of it, what rules derive with it is decided: a rule can drop what a process answers when it
// is asked.
//
// Of one message, drop, deliver and hold exclude each other, as do drop and a lie, and two
// lies. The first rule of the file wins, and that is a [Finding], unless the line of the
// winner ends with "# first". A release of what is not held does nothing. On a link with latency a message that
// was held arrives so many rounds after its release.
//
// A guide does not allow a schedule under which a message is lost, late or not sent that must
// arrive, or that decides itself what the guide decides otherwise: a message to be lost or held
// that is late or comes twice, a crash of a process that crashes later. Nor does it allow any
// if what it decides contradicts the assumptions of the bounds, such as reliable links.
//
// What happens in round r is in this order: round(r), its messages in the order of sending,
// then what is recorded in it (its faults, its messages by what became of them, what
// processes report, each sorted), what the guide decided in it, in(State, r) with the
// state at its end, and waypoint(N, r). Each of these is one event. The automaton moves, at
// most once per event, by the first rule of the file from its state whose body holds by then
// in a way that needs something new: a row of an atom without ! that is true since this
// event.
//
// Nothing touches a message of a process to itself.
//
// Waypoints are reached one after the other, each in a later round than the one before.
//
// With --hold a search leaves unharmed what leads to waypoints: only violations count that
// reach as many waypoints as any schedule of a program does, or as any execution of the search
// of a system. The strategy lineage holds a way to each: the faults of an execution up to
// the round of the waypoint, the messages that arrived for the facts from which its rules
// derive it there (for all facts, if they read more than what processes report), and the
// processes that sent these. A violation that reaches fewer is named, and makes the answer
// inconclusive.
//
// Relations such as raft.leader_in_term(T, R) are in a library (library.mg): a guide has
// those of its rules that it reads, and can replace the rules of each relation, as in
// raft.term(P, T, R) :- role(P, _, T, R).
//
// The messages of a round of a Dedalus program are sent in the order of their senders, receivers,
// relations and arguments. Its relations, the kinds of its messages and its processes are known before it is
// executed: a guide that names others does not fit it, which is an error.
//
// A rule that never fires, a state that is never entered and a waypoint that is never
// reached are probably not meant; a line that ends with "# may never" says that they may be, and that it may
// name what a program does not have.
package guide
