package syntax

// Booted is the relation that holds at a process in the round in which it is back
// after a crash, in programs that read it and have no rules or facts for it.
const Booted = "booted"
