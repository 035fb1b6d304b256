// Package hostbuild builds the program that a command such as go run ./host starts, for
// this platform, so that it can be started often, named by what is in it, or brought to
// another machine. A host that has servers with goroutines in it is built so that these
// are exactly repeatable.
package hostbuild
