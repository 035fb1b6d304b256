package hunt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/lineage-driven/ldfi/internal/processgroup"
	"github.com/lineage-driven/ldfi/internal/tail"
	"github.com/lineage-driven/ldfi/internal/unit"
)

// Ask is what a unit asks: that a test is run with some seeds. The files of the unit are
// the program of the tests, and in module those that it needs, as they lie in the module.
type Ask struct {
	Package string   `json:"package"`        // the directory in the module where the tests are run
	Run     string   `json:"run"`            // a regular expression for the names of the tests
	Seeds   Seeds    `json:"seeds"`          //
	Args    []string `json:"args,omitempty"` // further arguments of the tests
}

// Answer is the answer to a unit.
type Answer struct {
	Passed bool   `json:"passed"`
	Output string `json:"output,omitempty"` // the end of it
}

// The names of files in a unit.
const (
	program = "hunt.test"
	module  = "module"
)

// mostOutput is how much of the output of a test is kept, in bytes.
const mostOutput = 64 << 10

// arguments are those of the program of the tests.
func (a *Ask) arguments() []string {
	return append([]string{"-test.run=" + a.Run, "-test.timeout=0", "-test.count=1",
		"-long=" + strconv.FormatUint(a.Seeds.Count, 10), "-seed=" + strconv.FormatUint(a.Seeds.First, 10)}, a.Args...)
}

// Do runs the test of a task, in the directory of the task. That the test fails is an
// answer, and no error.
func Do(ctx context.Context, t *unit.Task, a *Ask) (*Answer, error) {
	if !t.Hosts {
		return nil, errors.New("the tests are a program that came with the unit, and none is to be started here")
	}
	if !filepath.IsLocal(a.Package) {
		return nil, fmt.Errorf("the tests are to be run in %q, which lies outside of the module", a.Package)
	}
	dir := filepath.Join(t.Dir, module, a.Package)
	path := filepath.Join(t.Dir, program)
	if err := cmp.Or(os.MkdirAll(dir, 0o700), os.Chmod(path, 0o700)); err != nil {
		return nil, fmt.Errorf("the unit lacks its tests: %w", err)
	}
	output := &tail.Tail{Size: mostOutput}
	cmd := exec.CommandContext(ctx, path, a.arguments()...)
	processgroup.Separate(cmd)
	cmd.Cancel = func() error { return processgroup.Kill(cmd) }
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, output, output, time.Second
	cmd.Env = append(cmd.Environ(), "HOME="+t.Dir, "TMPDIR="+t.Dir)
	if t.Workers > 0 {
		cmd.Env = append(cmd.Env, "GOMAXPROCS="+strconv.Itoa(t.Workers))
	}
	err := cmd.Run()
	exited := (*exec.ExitError)(nil)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.As(err, &exited):
		return nil, fmt.Errorf("starting the tests: %w", err)
	}
	return &Answer{Passed: err == nil, Output: output.String()}, nil
}
