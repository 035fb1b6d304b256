// Package remote executes and searches systems that are in another program, a host. It
// starts the host, and exchanges the lines of package messages with it.
//
// Neither side trusts the other to be correct: a line that is too long or not of the
// protocol, an answer without a request, and a missing answer are errors, and the host
// is killed.
package remote
