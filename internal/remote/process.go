package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/subprocess"
)

// process is the program of a host.
type process struct {
	*exec.Cmd
	in     io.WriteCloser
	out    io.Reader
	door   *testSocket // by which a test comes in; nil for other programs
	mark   string      // of all that the host starts
	said   *hostLog
	remove func() // its temporary directory
	leave  func() // ends the guard
}

// launch starts the command of a host, which is killed when the context ends.
func launch(ctx context.Context, words []string, o Options) (*process, error) {
	words = ourselves(unlimited(words))
	p := &process{Cmd: exec.CommandContext(ctx, words[0], words[1:]...), said: &hostLog{to: o.Stderr, tail: subprocess.LastOutput{Size: mostKept}}}
	subprocess.Separate(p.Cmd)
	p.Cancel = func() error { return subprocess.Kill(p.Cmd) }
	p.WaitDelay = patienceWithKilled // for pipes that something it started has taken along
	p.Dir, p.Stderr = o.Dir, p.said
	test := isTest(p.Cmd, words)
	dir, remove, err := workInOwnDirectory(p.Cmd, words, test)
	if err != nil {
		return nil, err
	}
	p.remove = remove
	p.mark = subprocess.Marked(p.Cmd)
	p.Env = append(p.Environ(), gobuild.Alone)
	overlaid(ctx, p.Cmd, o)
	if err = p.connect(test, dir); err == nil {
		err = subprocess.Start(p.Cmd)
	}
	if err != nil {
		p.remove()
		return nil, err
	}
	p.leave = guard(p.Cmd, p.mark, dir)
	return p, nil
}

// Self is the path of the program ldfi, for hosts that are ldfi itself; "": it is found
// as others are.
var Self string

// ourselves returns a command with the path of ldfi in place of its name.
func ourselves(words []string) []string {
	if words[0] == "ldfi" && Self != "" {
		return append([]string{Self}, words[1:]...)
	}
	return words
}

// connect settles how the program and ldfi talk: over its standard input and output,
// or by a door if it is a test.
func (p *process) connect(test bool, dir string) (err error) {
	if test {
		return p.openDoor(dir)
	}
	if p.in, err = p.StdinPipe(); err == nil {
		p.out, err = p.StdoutPipe()
	}
	return err
}

var errNoRun = errors.New("its tests called ldfitest.Run for no system: -run names the test that does")

// end kills the processes of the host that still run, and returns how it ended, with its
// last output if that was not passed on.
func (p *process) end() error {
	defer p.remove()
	defer p.leave()
	_ = subprocess.Kill(p.Cmd) // which changes nothing if it has ended by itself
	subprocess.KillMarked(p.Cmd, p.mark)
	_ = p.in.Close()
	err := p.Wait()
	p.said.end()
	if err != nil && isGo(p.Args[0]) {
		if status := p.said.program(p.door != nil, slices.Contains(p.Args, "-v")); status != "" {
			err = errors.New(status)
		}
	}
	if last := p.said.unread(); err != nil && last != "" {
		return fmt.Errorf("%w; it said last: %s", err, strings.ReplaceAll(last, "\n", "\n  "))
	}
	if why := p.said.why(); err != nil && why != "" {
		return fmt.Errorf("%w: %s", err, why)
	}
	if err == nil && p.door != nil && !p.door.entered() {
		return errNoRun
	}
	return err
}

// overlaid makes go build a host that has servers with goroutines so that its executions
// are exactly repeatable. If that is impossible, the reason is written once.
func overlaid(ctx context.Context, cmd *exec.Cmd, o Options) {
	host := gobuild.ForHost(ctx, cmd.Args, o.Dir, cmd.Environ())
	if lost := host.String(); lost != "" && o.Stderr != nil {
		if _, before := told.LoadOrStore(lost, true); !before {
			fmt.Fprintln(o.Stderr, "ldfi: "+lost)
		}
	}
	if host.Ready == nil {
		return
	}
	cmd.Env = host.Ready.Environment(cmd.Environ())
	if own := host.Ready.Command(); own != "" {
		cmd.Path = own
	}
}

// told has the texts that were written already in this run.
var told sync.Map

// workInOwnDirectory makes a go command put its output into a temporary directory, which is
// to be removed: a killed go run leaves its output behind. A test uses the directory for
// its [testSocket]. Other commands are unchanged. The directory is locked while this process
// lives, so that no other ldfi takes it for one of the killed.
func workInOwnDirectory(cmd *exec.Cmd, words []string, test bool) (dir string, remove func(), err error) {
	if !isGo(words[0]) && !test {
		return "", func() {}, nil
	}
	parent := os.Getenv("GOTMPDIR")
	if parent != "" {
		if parent, err = filepath.Abs(parent); err != nil {
			return "", nil, err
		}
	}
	scratch, err := files.NewScratch(parent, "ldfi-host-")
	if err != nil {
		return "", nil, err
	}
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+scratch.Path())
	return scratch.Path(), func() { _ = scratch.Remove() }, nil
}

// isGo tells whether a program is the go command.
func isGo(program string) bool {
	name := filepath.Base(program)
	return name == "go" || name == "go.exe"
}
