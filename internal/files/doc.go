// Package files reads files within limits, replaces them as a whole, and makes
// temporary directories that do not stay behind.
//
// Reading takes no more than a limit, and nothing that blocks or never ends unless
// the user names it. Which files a run reads is mostly up to a repository: suites
// name programs, programs include others, and schedules are kept in directories.
// Such a file may be a pipe that nobody writes to, or lead to a device without an
// end. Everything that ldfi reads is read here, so that no other place has to think
// of that.
//
// Replace shows nobody half of a file. The temporary directories of owners who were
// killed are removed by the next command.
package files
