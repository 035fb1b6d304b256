package work

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/text"
)

// How long the child has to end by itself, and when it is killed, how long its pipes may
// stay open. Together with what ldfi has to say both are below two seconds.
const (
	patience           = 700 * time.Millisecond
	patienceWithKilled = 200 * time.Millisecond
)

// mostOfReport is how long a report may be, in bytes.
const mostOfReport = 512 << 20

// How much is kept of what the child writes to standard error, in bytes, and how many lines
// of that are shown.
const (
	mostKept  = 4 << 10
	lastLines = 3
)

// child is the program that talks to the server.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     io.Reader
	said    subprocess.LastOutput
	outbox  *outbox
	closing atomic.Bool
	left    error // how it ended after it was told to; to be read when it has ended
}

// start starts the program, in a process group of its own: Ctrl-C on a terminal is meant
// for ldfi, which tells it then what to do. When ldfi dies its standard input ends.
func start(o Options) (*child, error) {
	program, err := o.Program, error(nil)
	if program == "" {
		if program, err = Find(); err != nil {
			return nil, err
		}
	}
	c := &child{cmd: exec.Command(program, "carry", "--nats", o.Server), said: subprocess.LastOutput{Size: mostKept}, outbox: newOutbox()}
	subprocess.Separate(c.cmd)
	c.cmd.Stderr, c.cmd.WaitDelay = &c.said, patienceWithKilled
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.out, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", text.Safe(program), err)
	}
	return c, nil
}

// write writes orders until there are no more, or nobody reads them.
func (c *child) write() {
	defer c.in.Close()
	for {
		orders := c.outbox.take()
		if orders == nil {
			return
		}
		for _, o := range orders {
			line, err := WriteLine(o)
			if err == nil {
				_, err = c.in.Write(line)
			}
			if err != nil {
				return // the reader knows why
			}
		}
	}
}

// read reads reports until there are no more, or one is wrong.
func (c *child) read(take func(Report) error) error {
	lines := bufio.NewScanner(c.out)
	lines.Buffer(nil, mostOfReport)
	for lines.Scan() {
		var r Report
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("ldfi-cluster writes what this ldfi does not understand (%w): %q; install both of the same version", err, cut(lines.Text()))
		}
		if err := take(r); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("ldfi-cluster reports more than %d MiB at a time", mostOfReport>>20)
	}
	return nil // or the pipe is broken, of which the child knows more
}

// cut is the beginning of a text.
func cut(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// end ends the child after its last report, and returns why there are no more.
func (c *child) end(why error) error {
	c.outbox.close()
	_ = c.in.Close()
	kill := time.AfterFunc(patience, func() { _ = subprocess.Kill(c.cmd) })
	err := c.cmd.Wait()
	killed := !kill.Stop()
	if c.closing.Load() {
		c.left = err
	}
	switch {
	case why != nil:
		return why
	case killed:
		err = errors.New("it closed its output, and did not end")
	case err == nil:
		err = errors.New("it ended by itself")
	}
	if said := c.said.Lines(lastLines); said != "" {
		return fmt.Errorf("ldfi-cluster: %w; it said last: %s", err, said)
	}
	return fmt.Errorf("ldfi-cluster: %w, and said nothing", err)
}

// close lets the child end, and kills it if it does not.
func (c *child) close(over <-chan struct{}) error {
	c.closing.Store(true)
	c.outbox.close() // behind which standard input ends
	select {
	case <-over:
		return c.complaint()
	case <-time.After(patience):
	}
	_ = subprocess.Kill(c.cmd)
	select {
	case <-over:
	case <-time.After(patienceWithKilled): // something that it started has taken its pipes along
	}
	return errors.New("ldfi-cluster did not end, and was killed: workers may go on with this question for some seconds")
}

// complaint is what the child said at its end, if something was wrong.
func (c *child) complaint() error {
	if c.left == nil {
		return nil
	}
	return fmt.Errorf("ldfi-cluster: %w: %s", c.left, c.said.Lines(lastLines))
}

// carrier is the name of the program that talks to a server.
const carrier = "ldfi-cluster"

// errMissing says how to get it.
var errMissing = fmt.Errorf("%s, which talks to a server and its workers, lies neither beside ldfi nor in PATH; install it by\n  go install github.com/lineage-driven/ldfi/cmd/ldfi-cluster@latest", carrier)

// Find returns the file of the program, see [Program].
func Find() (string, error) {
	found, err := Program(carrier)
	if err != nil {
		return "", errMissing
	}
	return found, nil
}

// Program returns the file of a program: beside this one, which was installed together with
// it, or in PATH.
func Program(name string) (string, error) {
	if own, err := os.Executable(); err == nil {
		if beside, err := exec.LookPath(filepath.Join(filepath.Dir(own), name)); err == nil {
			return beside, nil
		}
	}
	return exec.LookPath(name)
}
