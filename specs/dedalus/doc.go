// Package dedalus reads programs in Dedalus, which is Datalog in time.
//
// A program has rules that say which facts follow from which, process by
// process and round by round. A rule's head holds in the same round as its body
// (a deductive rule), in the next one at the same place (@next), or, being sent
// as a message, in the next one at another place, if it is not lost (@async):
//
//	log(N, M)        :- bcast(N, M);
//	log(N, M)@next   :- log(N, M);
//	log(Other, M)@async :- log(N, M), node(N, Other);
//	bcast("a", "hello")@1;
//
// The first column of a relation is the location of its facts. A fact that the
// program states, such as the last line, holds in its round alone. Two
// relations say what is promised: whatever pre holds of in the last round, post
// has to hold of, too.
//
//	pre(N, M)  :- log(_, M), node(N, _), notin crash(N, N, _);
//	post(N, M) :- log(N, M);
//
// [Parse] reads files with what they include, checks them, and returns either a
// [Program] or all [specs.Errors] at once. A Program is only syntax, with the
// questions about it that every evaluator has to answer alike: what a relation
// depends on ([Program.Slice]), and which value stands for a process
// ([Program.ProcessValue]). The evaluators are elsewhere, so that one can confirm
// the other.
package dedalus
