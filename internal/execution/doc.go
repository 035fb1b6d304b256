// Package execution has the parts of executing a system that have nothing to do with
// faults: guarded calls, requests of clients, texts of payloads, self-tests, and the
// first difference of two executions.
//
// A guard watches the calls of processes for one that does not return. The execution
// tells the guard once a round that it goes on, which costs next to nothing. Clients
// make the requests that a schedule chooses. Recordings have as text what processes
// written in Go send and report.
package execution
