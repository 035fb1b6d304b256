//go:build !unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// become runs another program with the streams of this one, and ends with it. Both get
// Ctrl-C.
func become(program string, args, environ []string) error {
	cmd := exec.Command(program, args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = environ, os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
		return fmt.Errorf("starting %s: %w", program, err)
	}
	os.Exit(cmd.ProcessState.ExitCode())
	return nil
}
