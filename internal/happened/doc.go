// Package happened tells an execution as events of its processes, each behind all
// that could have been its cause, for viewers that draw such events: space-time
// diagrams by vector clocks, traces, graphs.
package happened
