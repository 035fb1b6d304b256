// Package heard counts what can be lost in the rounds of which something is taken for
// granted: from how many processes each receives some, and whether there is a kernel, a
// process that exchanges messages with all others.
package heard
