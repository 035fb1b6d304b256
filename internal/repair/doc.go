// Package repair suggests rules that, added to a protocol, let its promise survive the
// faults that break it. What to add follows from the difference between the execution
// that breaks the promise and the one without faults: the messages that one lacks are
// sent again, by others, or to others, or remembered. Each suggestion is checked before
// it is one: the program is decided with it, within the same bounds. It has to hold then,
// or to need more faults than before, and without faults nothing may be missing that the
// promise is about.
package repair
