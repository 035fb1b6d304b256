// Package execution has what executing a system needs beside its faults: guarded calls,
// requests of clients, texts of payloads, self-tests, and where two executions differ first.
//
// A guard watches the calls of processes for one that does not come back. The process
// tells it once a round that it goes on, which costs next to nothing. Clients make the
// requests that a schedule chooses. Recordings have what processes written in Go send
// and report as text.
package execution
