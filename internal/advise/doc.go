// Package advise finds changes with which a protocol keeps its promise, and larger
// bounds within which its verdict stays the same.
//
// Suggest finds rules that, added to a protocol, let its promise survive the faults
// that break it. The rules follow from the difference between the execution that breaks
// the promise and the one without faults: the missing messages are sent again, by other
// processes, or to other processes, or remembered. Each suggestion is checked by
// deciding the changed program within the same bounds. The promise has to hold then, or
// to need more faults to break than before; and without faults nothing may be missing
// that the promise is about.
//
// Weakest finds the largest budgets of faults, and the weakest assumptions, with which
// a protocol still keeps its promise. Margin (ldfi run --margin) decides the protocol
// with one more fault of each kind, and with one more round.
package advise
