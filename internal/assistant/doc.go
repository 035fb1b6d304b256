// Package assistant serves questions to AI assistants, as tools of the Model Context
// Protocol. The package implements the protocol only: a [Tool] declares its arguments
// and gives the answers.
//
// Wrong arguments are no error of the protocol: the tool answers what is wrong, so that
// the client can correct them.
package assistant
