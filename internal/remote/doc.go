// Package remote executes and searches systems that live in another program, a
// host. It starts the program, and talks to it in the lines of package messages.
//
// Neither side trusts the other to be correct: a line that is too long or is none
// of the protocol, an answer to nothing, and no answer at all are errors that say
// so, and the host is killed.
package remote
