// Package gobuild builds hosts: it takes go run and go test apart, builds the program
// that they start, and edits the standard library so that its executions repeat.
//
// A host is built once, so that it can be started often, named by its contents, or
// copied to another machine.
//
// The overlay makes executions of goroutines exactly repeatable: it edits the standard
// library of the installed Go for `go build -overlay`. In a bubble with a seed, all
// randomness then follows from the seed, and package net uses the machine of the
// bubble. The edits are in edits/edits.txt, each with its reason; added files are
// beside it. An edit refers to a text that must occur exactly once in a file of the
// installed Go. If a text does not, or there is no table for the minor release, nothing
// is written, and an error says so.
package gobuild
