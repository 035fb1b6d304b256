package slot

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/work"
)

// logSize is how much of a log is kept, in bytes.
const logSize = 64 << 10

// child is a process of ldfi that does units, with the one that keeps it.
type child struct {
	keeper *exec.Cmd
	tasks  io.WriteCloser
	said   replies
	log    subprocess.LastOutput
	ended  chan struct{} // closed when both have ended
}

// start starts ldfi.
func (s *Slot) start() error {
	o := &s.options
	dir := s.dir.Path()
	c := &child{said: replies{lines: make(chan []byte, 1), broken: make(chan struct{}), most: o.Answer}, log: subprocess.LastOutput{Size: logSize}, ended: make(chan struct{})}
	c.keeper = exec.Command(o.Keeper[0], slices.Concat(o.Keeper[1:], []string{dir, o.Ldfi, "unit"})...)
	c.keeper.Dir = dir
	c.keeper.Env = s.environment()
	c.keeper.Stdout, c.keeper.Stderr = &c.said, &c.log
	c.keeper.WaitDelay = time.Second // for who got out of sight, and holds the output open
	subprocess.Separate(c.keeper)
	var err error
	if c.tasks, err = c.keeper.StdinPipe(); err == nil {
		err = c.keeper.Start()
	}
	if err != nil {
		return fmt.Errorf("starting ldfi, which does units: %w", err)
	}
	go func() {
		_ = c.keeper.Wait()
		close(c.ended)
	}()
	s.child = c
	return nil
}

// environment is what ldfi and all that it starts see: nothing of what the worker knows.
func (s *Slot) environment() []string {
	dir := s.dir.Path()
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + filepath.Join(dir, homeDir),
		"TMPDIR=" + filepath.Join(dir, temporaryDir),
	}
	if s.options.Memory > 0 {
		env = append(env, fmt.Sprintf("GOMEMLIMIT=%d", s.options.Memory/10*9)) // a collection may come in time
	}
	return env
}

// stop kills ldfi and all that it started, if it runs.
func (s *Slot) stop() {
	c := s.child
	if c == nil {
		return
	}
	s.child = nil
	_ = c.tasks.Close() // whereupon the keeper kills them, and ends
	select {
	case <-c.ended:
		return
	case <-time.After(5 * time.Second):
	}
	for _, pid := range c.processes() {
		kill(pid)
	}
	_ = subprocess.Kill(c.keeper)
	<-c.ended
}

// ask lets ldfi do a unit, whose files are there.
func (s *Slot) ask(ctx context.Context, u *work.Unit, limit time.Duration) (*work.Done, string, error) {
	if s.child == nil {
		if err := s.start(); err != nil {
			return nil, "", err
		}
	}
	c := s.child
	done, err := s.await(ctx, u, limit)
	if err != nil || done.Error != "" || u.Platform != "" || !s.idle() {
		s.stop() // after which the log has its end
	}
	return done, c.log.String(), err
}

// await sends ldfi a unit and waits for what it says.
func (s *Slot) await(ctx context.Context, u *work.Unit, limit time.Duration) (*work.Done, error) {
	c := s.child
	t := work.Task{Unit: u, Dir: filepath.Join(s.dir.Path(), filesDir), Hosts: s.options.Hosts, Workers: s.options.Cores, Limit: limit}
	if s.options.Time > 0 && (limit == 0 || s.options.Time < limit) {
		t.Limit = s.options.Time
	}
	line, err := work.WriteLine(&t)
	if err != nil {
		return nil, breaks("it cannot be written: %v", err)
	}
	c.log.Reset()
	go func() { _, _ = c.tasks.Write(line) }() // which waits for who does not read, until that is killed
	var over <-chan time.Time
	if t.Limit > 0 {
		over = time.After(t.Limit + s.options.Grace)
	}
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case line := <-c.said.lines:
			return answer(line)
		case <-c.said.broken:
			return nil, c.said.err
		case <-c.ended:
			return s.last()
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-over:
			return nil, s.late(limit)
		case <-look.C:
			if s.options.Memory == 0 {
				continue
			}
			if used := memory(c.processes()); used > s.options.Memory {
				return nil, breaks("it took %s of memory, and the worker gives a unit %s: start the worker with a larger --memory", size(used), size(s.options.Memory))
			}
		}
	}
}

// answer reads what ldfi says of a unit.
func answer(line []byte) (*work.Done, error) {
	done := &work.Done{}
	if err := json.Unmarshal(line, done); err != nil || (done.Error == "") == (len(done.Answer) == 0) {
		return nil, breaks("the process that did it has said what is no answer: %.80q", line)
	}
	return done, nil
}

// last is what a process said that has ended.
func (s *Slot) last() (*work.Done, error) {
	c := s.child
	select {
	case line := <-c.said.lines:
		return answer(line)
	case <-c.said.broken:
		return nil, c.said.err
	default:
	}
	switch code := c.keeper.ProcessState.ExitCode(); {
	case code == exitNoStart:
		return nil, fmt.Errorf("starting ldfi, which does units: %s", c.log.String())
	case code == killed || code < 0:
		return nil, breaks("the process that did it was killed, as the system does when it runs out of memory")
	case code > signalled:
		return nil, breaks("the process that did it was ended by signal %d", code-signalled)
	default:
		return nil, breaks("the process that did it has ended without an answer, with exit code %d", code)
	}
}

// idle reports whether ldfi can do another unit: it lives, it has started nothing that
// still does, it has said no more than was asked, and it holds little memory.
func (s *Slot) idle() bool {
	c := s.child
	select {
	case <-c.ended:
		return false
	default:
	}
	all := c.processes()
	return len(all) == 1 && c.said.silent() && (s.options.Memory == 0 || memory(all) < s.options.Memory/2)
}

// processes are ldfi and all that it started.
func (c *child) processes() []int { return descendants(c.keeper.Process.Pid) }

// memory is how much processes hold, in bytes.
func memory(pids []int) (bytes uint64) {
	for _, pid := range pids {
		bytes += resident(pid)
	}
	return bytes
}
