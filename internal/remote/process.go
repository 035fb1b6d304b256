package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"

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
	ended  chan struct{} // closed when it is waited for
	remove func()        // its temporary directory
	leave  func()        // ends the guard
}

// launch starts the command of a host, which is killed when the context ends.
func launch(ctx context.Context, words []string, o Options) (*process, error) {
	words = unlimited(words)
	p := &process{Cmd: exec.CommandContext(ctx, words[0], words[1:]...), said: &hostLog{to: o.Stderr, tail: subprocess.LastOutput{Size: mostKept}}, ended: make(chan struct{})}
	subprocess.Separate(p.Cmd)
	subprocess.DieWithParent(p.Cmd)
	p.Cancel = func() error { return subprocess.Kill(p.Cmd) }
	p.WaitDelay = patienceWithKilled // for pipes that something it started has taken along
	p.Dir, p.Stderr = o.Dir, p.said
	dir, err := workInOwnDirectory(p.Cmd, words)
	if err != nil {
		return nil, err
	}
	p.remove = removing(dir)
	p.mark = subprocess.Marked(p.Cmd)
	p.Env = append(p.Environ(), gobuild.Alone)
	overlaid(ctx, p.Cmd, o)
	if err = p.connect(words, dir); err == nil {
		err = p.start()
	}
	if err != nil {
		p.remove()
		return nil, err
	}
	p.leave = guard(p.Cmd, p.mark, dir)
	return p, nil
}

// connect settles how the program and ldfi talk: over its standard input and output,
// or by a door if it is a test.
func (p *process) connect(words []string, dir string) (err error) {
	if isTest(p.Cmd, words) {
		return p.openDoor(dir)
	}
	if p.in, err = p.StdinPipe(); err == nil {
		p.out, err = p.StdoutPipe()
	}
	return err
}

// start starts the program, from a thread that lasts as long as it does: Linux
// takes the end of this thread for that of the parent.
func (p *process) start() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.Start()
		started <- err
		if err == nil {
			<-p.ended
		}
	}()
	return <-started
}

var errNoRun = errors.New("its tests called ldfitest.Run for no system: -run names the test that does")

// end kills what still runs of the host, and says how it ended, with what it said
// last if nobody has read that.
func (p *process) end() error {
	defer p.remove()
	defer p.leave()
	defer close(p.ended)
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
