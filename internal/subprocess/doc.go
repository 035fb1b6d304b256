// Package subprocess ends a program together with everything that it started, keeps
// the end of what it writes, and lets several goroutines write to one writer.
package subprocess
