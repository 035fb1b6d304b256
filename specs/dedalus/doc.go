// Package dedalus reads programs in Dedalus, which is Datalog in time.
//
// A program has rules that say which facts follow from which, process by
// process and round by round. The body of a rule is what stands behind :-. Where it
// holds, the head holds too: in the same round (a deductive rule); in the next
// round, at the same process (@next); or in the next round, at another process, if
// the message that brings it there is not lost (@async).
//
//	log(N, M)        :- bcast(N, M);
//	log(N, M)@next   :- log(N, M);
//	log(Other, M)@async :- log(N, M), node(N, Other);
//	bcast("a", "hello")@1;
//
// The first column of a relation is the process at which its facts are, their
// location. A fact that the program states, such as the last line, holds in its round alone. Two relations
// say what is promised: wherever pre(x) holds in the last round, post(x) has to hold.
//
//	pre(N, M)  :- log(_, M), node(N, _), notin crash(N, N, _);
//	post(N, M) :- log(N, M);
//
// [Parse] reads files with what they include, checks them, and returns either a
// [Program] or all [specs.Errors] at once. A Program is only syntax. Two packages
// evaluate it, provenance and internal/lockstep, so that one can confirm the other;
// what both have to understand alike is here: what a relation depends on
// ([Program.Slice]), and which value stands for a process ([Program.ProcessValue]).
package dedalus
