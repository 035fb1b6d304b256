// Package causality says by what two executions differ, and why a fact of a system
// holds or is absent.
//
// A difference is put into words, and found where there are only two recordings.
// Where no rules are known, the reasons of a fact are what its process could know,
// and what happens when single messages are lost or single faults are undone.
package causality
