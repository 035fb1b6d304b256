package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/subprocess"
)

// insideKey is the environment variable of an ldfi that has been started in a namespace of
// users, in which it has rights.
const insideKey = "LDFI_INSIDE"

// confirmInside carries out the same command in a namespace of users, in which there are the
// rights that were missing, unless it is carried out there already.
func (s *session) confirmInside(ctx context.Context, missing error) error {
	advice := "run ldfi as root, or in a container with all rights (docker run --privileged)"
	if os.Getenv(insideKey) != "" || os.Getuid() == 0 || remote.Self == "" {
		return fmt.Errorf("confirm needs the right to make networks for the nodes: %w; %s", missing, advice)
	}
	s.progress.stop()
	cmd := exec.CommandContext(ctx, remote.Self, s.args...)
	cmd.Env = append(os.Environ(), insideKey+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.in, &s.exact, s.stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	err := subprocess.Start(cmd)
	if err != nil {
		return fmt.Errorf("confirm needs the right to make networks for the nodes: %w; nor is there a namespace of users: %w; %s", missing, err, advice)
	}
	if err = cmd.Wait(); err == nil || errors.As(err, new(*exec.ExitError)) {
		s.code = cmd.ProcessState.ExitCode()
		return nil
	}
	return err
}
