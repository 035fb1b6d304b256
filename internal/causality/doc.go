// Package causality describes how two executions differ, and why a fact of a system
// holds or is absent.
//
// It writes differences as text, and finds the difference of two recordings. A system
// has no rules; so the reasons of a fact are the messages that its process could know,
// and the effects of losing single messages or leaving out single faults.
package causality
