// Package enginetest makes protocols of any size, for tests and benchmarks of how the
// engine copes with many rounds, processes and schedules. Each is a [Model], the text
// of a program that states its bounds.
package enginetest
