package syntax

// Crash is the relation crash(Observer, Process, Round), which is built in.
const Crash = "crash"
