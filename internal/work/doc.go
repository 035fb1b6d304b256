// Package work defines units of work that any machine can do, and hands them to workers
// on other machines.
//
// A unit is a question, or a part of one, that depends only on its fields and on files
// that it names by their contents. The asker and the worker may be one process, or
// machines that trust each other little. So a unit has an address, which is a hash of
// everything that its result depends on: everybody computes the same address for a
// unit, equal addresses have equal results, and it does not matter how often a unit is
// done, or by whom.
//
// A [Coordinator] hands units out. It starts the program ldfi-cluster, which talks to
// the server of the workers, so that ldfi does not link that. ldfi-cluster does not
// interpret the units. ldfi exchanges lines of JSON with it, and it does so with the
// ldfi of a worker (carry.go, task.go).
//
// Results are not trusted: a result has to belong to the unit that was asked, and to
// come from the same version of ldfi. The asker verifies its content.
package work
