// Package spans reads traces of real services as executions. A trace is a tree of
// spans: a service does something, and asks other services for it. As an execution it
// has a process for each service, a message for each call and one for its answer, and
// rounds that follow from what came before what: a call is sent in the round in which
// its span begins, and what it leads to happens in later ones. The times of different
// machines are not compared.
//
// Such an execution is of one trace. It was seen, not made by ldfi, and cannot be
// executed again.
package spans
