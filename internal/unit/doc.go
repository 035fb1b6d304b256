// Package unit is work that can be done anywhere: a question, or a part of one, that
// depends on nothing but what the unit says and on the files that it names by their
// contents.
//
// Who asks (the coordinator) and who does it (a worker) may be one process, or machines
// that trust each other little. So a unit has an address, which is a hash of all that its
// result depends on: two who compute the address of the same unit come to the same one,
// equal addresses have equal results, and it does not matter how often a unit is done, or
// by whom.
//
// Between the two stands a program that carries units: ldfi-cluster. It knows nothing of
// what is asked. ldfi talks to it, and it to the ldfi of a worker, in lines of JSON
// (carry.go, bench.go).
package unit
