// Package assistant serves questions as tools of the Model Context Protocol, so that
// programs that work for people can ask them. It knows the protocol, and not what is
// asked: a [Tool] says what it can be given, and answers.
//
// Whatever a client sends, wrong arguments are an answer of the tool that says what is
// wrong, so that who asked can mend it.
package assistant
