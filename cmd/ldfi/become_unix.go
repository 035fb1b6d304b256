//go:build unix

package main

import (
	"fmt"
	"syscall"
)

// become replaces this process by another program, which gets its streams and signals. The
// exit code is that of the program.
func become(program string, args, environ []string) error {
	return fmt.Errorf("starting %s: %w", program, syscall.Exec(program, args, environ))
}
