// Package files reads files within limits, replaces them atomically, and makes
// temporary directories that do not stay behind.
//
// A read stops at a limit, and refuses files that may block or never end, unless the
// user names them. A repository decides which files a run reads: suites name programs,
// programs include others, and schedules are kept in directories. Such a file may be a
// pipe without a writer, or a link to an endless device. ldfi reads all files by this
// package, so that no other place has to handle that.
//
// Nobody sees half of a file that Replace writes. The next command removes the
// temporary directories of processes that were killed.
package files
