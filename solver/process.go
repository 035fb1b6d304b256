package solver

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/subprocess"
)

// process is a program that runs.
type process struct {
	*exec.Cmd
	out   *io.PipeReader // its output
	err   subprocess.LastOutput
	ended chan error // gets how it ended
}

// mostSaid limits the bytes kept of the program's standard error.
const mostSaid = 2000

// patienceWithKilled is the time to wait for pipes that a child of the program still holds.
const patienceWithKilled = 300 * time.Millisecond

// start starts a program, which is killed with all that it started when the context
// ends.
func start(ctx context.Context, args []string, name string) (*process, error) {
	p := &process{Cmd: exec.CommandContext(ctx, name, args...), err: subprocess.LastOutput{Size: mostSaid}, ended: make(chan error, 1)}
	subprocess.Separate(p.Cmd)
	p.Cancel = func() error { return subprocess.Kill(p.Cmd) }
	p.WaitDelay = patienceWithKilled
	p.Stderr = &p.err
	out, in := io.Pipe()
	p.out, p.Stdout = out, in
	if err := subprocess.Start(p.Cmd); err != nil {
		return nil, fmt.Errorf("cannot be started: %w", err)
	}
	go func() {
		p.ended <- p.Wait()
		in.Close()
	}()
	return p, nil
}

// wait ends the children that the program has left, or the program itself, and returns how
// it ended.
func (p *process) wait() error {
	_ = subprocess.Kill(p.Cmd) // which changes nothing if it has ended by itself
	p.out.Close()
	return <-p.ended
}

// last returns the program's last output to standard error, as an error.
func (p *process) last() error {
	if text := strings.TrimSpace(p.err.String()); text != "" {
		return fmt.Errorf("it said last: %s", strings.ReplaceAll(text, "\n", "\n  "))
	}
	return nil
}
