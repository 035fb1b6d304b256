// Package causality describes how two executions differ, why a fact of a system holds or
// is absent, and which events precede which.
//
// It writes differences as text, and finds the difference of two recordings. A system
// has no rules; so the reasons of a fact are the messages that its process could know,
// and the effects of losing single messages or leaving out single faults.
//
// Each event of a process follows all its possible causes, for viewers that draw such
// events: space-time diagrams by vector clocks, traces, graphs. ShiViz reads logs (I.
// Beschastnikh, P. Wang, Y. Brun and M. D. Ernst, "Debugging distributed systems", CACM
// 2016): two lines for each event, its text and a vector clock. Jaeger and Tempo open
// traces in the JSON of the OpenTelemetry protocol (OTLP, version 1 of its protobuf
// messages as JSON).
//
// A trace of real services is a tree of spans: a service does something, and calls
// other services for it. As an execution it has a process for each service, a message
// for each call and one for its answer, and rounds that follow from the order of
// causes: a call is sent in the round in which its span begins, and its consequences
// are in later rounds. The times of different machines are not compared. Such an
// execution is observed, not made by ldfi, and cannot be executed again.
package causality
