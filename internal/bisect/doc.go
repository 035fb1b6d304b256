// Package bisect finds the versions of a protocol or system in which a promise can be
// broken, and the changes between them.
//
// A bug in fault tolerance is tied to a space of schedules and not to an input: a
// schedule that breaks one version proves nothing about the next, which may have the
// same bug under other faults. So [Run] searches every version afresh within the same
// bounds. Then it replays the schedules found in each version on all others, to tell
// which bugs a replay would have missed (Ramasubramanian et al., "Growing a protocol",
// 2017, sections 2 and 4.2).
//
// Versions are files or directories ([Paths]), git revisions ([Revisions]) or
// releases of a Go module ([Releases]). Checking them out and building them
// leaves nothing outside a temporary directory.
package bisect
