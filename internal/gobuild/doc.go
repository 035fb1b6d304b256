// Package gobuild builds hosts: it takes go run and go test apart, builds the program
// that they start, and edits the standard library so that its executions repeat.
//
// A host is built for this platform, so that it can be started often, named by what
// is in it, or brought to another machine.
//
// The overlay makes executions of goroutines exactly repeatable: it edits the
// standard library of the installed Go for `go build -overlay`, so that in bubbles
// which have a seed everything that is random follows from it, and package net asks
// the machine whose bubble it is. The edits are in edits/edits.txt, each with its
// reason; the files that are added are beside it. An edit refers to a text that must
// occur exactly once in a file of the installed Go. Where one does not, or where
// there is no table for the minor release, nothing is written and the error says
// which.
package gobuild
