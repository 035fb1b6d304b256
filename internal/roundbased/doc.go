// Package roundbased looks at the rules of a program for what has to be so that an
// asynchronous execution of it looks to each process like one in lock-step rounds.
//
// # Why that is enough
//
// In an asynchronous execution each process goes through its rounds 1..EOT at its own
// pace, and what it sends in its round s reaches the receiver in any of the receiver's
// rounds, or never. Suppose that rules read and write facts of one process only, and
// that whatever is read of a message in round r was sent in the sender's round r-1. Then
// the facts of a process in its round r follow from its facts in round r-1 and from what
// others sent it in their rounds r-1 and arrived by then; so, round by round, they are
// those of the lock-step execution that loses what did not arrive by then. Facts of
// messages themselves are no state of a process: a late one is there, and nobody reads it.
//
// # How it is found out
//
// Some relations depend on no message and no fault: clocks, who is there, who leads in
// which round. Their facts in each round are known, from one execution (timed.go). By
// them a rule that sends is known to send in certain rounds, with certain values in some
// columns (sends.go), and a rule that reads messages to do so in certain rounds, with
// certain values (uses.go). Everything else that a rule reads is left out, as if it always
// held. If even so no message of another round fits what is read, none ever is.
package roundbased
