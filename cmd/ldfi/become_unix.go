//go:build unix

package main

import (
	"fmt"
	"syscall"
)

// become lets another program be this process: it gets its streams and its signals, and
// its exit code is that of this one.
func become(program string, args, environ []string) error {
	return fmt.Errorf("starting %s: %w", program, syscall.Exec(program, args, environ))
}
