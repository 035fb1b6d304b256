// Package subprocess runs child processes: it ends a program together with everything
// that the program started, keeps the last lines of its output, and lets several
// goroutines share a writer.
package subprocess
