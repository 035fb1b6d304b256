// Package wire lets ldfi execute systems that live in another program.
//
// The program, the host, links its systems and calls Serve in its main. ldfi
// starts it with Start, and the two talk over the standard input and output of
// the host in lines of JSON: ldfi sends schedules, the host executes them, and
// answers with what they violate. One host serves any number of executions, and
// several at once. The protocol is described in docs/wire.md, so that a host can
// be written in any language.
//
// Neither side trusts the other to be correct: a line that is too long or is
// none of the protocol, an answer to nothing, and no answer at all are errors
// that say so, and the host is killed.
package wire
