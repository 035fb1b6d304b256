// Package work is what can be done anywhere, a unit, and how units come to workers on other machines.
//
// A unit is a question, or a part of one, that depends on nothing but what the unit says and
// on the files that it names by their contents. Whoever asks and whoever does it may be one
// process, or machines that trust each other little. So a unit has an address, which is a
// hash of all that its result depends on: two who compute the address of the same unit come
// to the same one, equal addresses have equal results, and it does not matter how often a
// unit is done, or by whom.
//
// A [Coordinator] hands units out. It starts a program of its own that talks to the server
// of the workers, ldfi-cluster: so ldfi links nothing of it. That program knows nothing of
// what is asked. ldfi talks to it, and it to the ldfi of a worker, in lines of JSON
// (carry.go, task.go).
//
// Nothing that comes back is taken for a fact: a result has to be one of the unit that was
// asked, by the same ldfi. What it says is judged by whoever asked.
package work
