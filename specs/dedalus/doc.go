// Package dedalus reads programs in Dedalus, which is Datalog in time.
//
// The rules of a program derive facts from facts, process by process and round by
// round. Where the body of a rule, the part after :-, holds, the head holds too: in the
// same round (a deductive rule); in the next round, at the same process (@next); or in
// the next round, at another process, if the message that brings it there is not lost
// (@async).
//
//	log(N, M)        :- bcast(N, M);
//	log(N, M)@next   :- log(N, M);
//	log(Other, M)@async :- log(N, M), node(N, Other);
//	bcast("a", "hello")@1;
//
// The first column of a fact is its location, the process at which it holds. A fact
// that the program states, such as the last line, holds in its round alone. Two
// relations state the promise: wherever pre(x) holds in the last round, post(x) has to
// hold.
//
//	pre(N, M)  :- log(_, M), node(N, _), notin crash(N, N, _);
//	post(N, M) :- log(N, M);
//
// [Parse] reads files with the files that they include, checks them, and returns either
// a [Program] or all [specs.Errors] at once. A Program is only syntax. Two packages
// evaluate it, provenance and internal/lockstep, so that each can confirm the other.
// This package has the definitions that both must share: what a relation depends on
// ([Program.Slice]), and the value that stands for a process ([Program.ProcessValue]).
package dedalus
