// Package advise says what would let a protocol keep its promise, and how far its
// verdict reaches beyond the bounds.
//
// Suggest finds rules that, added to a protocol, let its promise survive the faults that
// break it. The rules follow from the difference between the execution that breaks the
// promise and the one without faults: the messages that the broken one lacks are sent
// again, by others, or to others, or remembered. Each suggestion is checked: the program
// is decided with it, within the same bounds. It has to hold then, or to need more faults
// than before, and without faults nothing may be missing that the promise is about.
//
// Weakest finds the largest budgets of faults, and the weakest assumptions, with which a
// protocol still keeps its promise. Margin (ldfi run --margin) decides it with one more
// fault of each kind, and with one more round.
package advise
