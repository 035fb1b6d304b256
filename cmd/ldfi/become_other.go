//go:build !unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// become lets another program do the rest, on the streams of this one. Both get Ctrl-C.
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
