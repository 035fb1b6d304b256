package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"golang.org/x/sys/unix"
)

// startSteps starts a process that speaks the step protocol. It has the environment of
// ldfi: an interpreter needs to be found, and what it loads.
func (p *program) startSteps() (_ *talk, err error) {
	t := &talk{cmd: exec.Command(p.File, p.Args...), in: -1, out: -1, errs: -1, stderr: &subprocess.LastOutput{Size: 1 << 14}}
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			t.closePipes()
		}
	}()
	for i, ours := range []*int{&t.in, &t.out, &t.errs} {
		var pair [2]int
		if err := unix.Pipe2(pair[:], unix.O_CLOEXEC); err != nil {
			return nil, fmt.Errorf("a pipe: %w", err)
		}
		if i == 0 {
			slices.Reverse(pair[:])
		}
		*ours, theirs = pair[0], append(theirs, os.NewFile(uintptr(pair[1]), "pipe"))
		if err := unix.SetNonblock(*ours, true); err != nil {
			return nil, err
		}
	}
	t.cmd.Dir = p.cluster.Dir
	t.cmd.Env = append(append(os.Environ(), "PYTHONHASHSEED=0", "TZ=UTC"), p.Env...)
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	subprocess.Separate(t.cmd)
	if err := subprocess.StartConfined(t.cmd); err != nil {
		return nil, err
	}
	return t, nil
}

// ask makes a request, and returns the line that comes back. What the process has printed
// before that line is in whole.
func (t *talk) ask(q *stepRequest) ([]byte, error) {
	t.id++
	q.ID, t.last = t.id, 0
	request, err := q.line()
	if err != nil {
		return nil, err
	}
	var answer []byte
	limit := t.limit()
	for {
		ready := []unix.PollFd{{Fd: int32(t.out), Events: unix.POLLIN}, {Fd: int32(t.errs), Events: unix.POLLIN}, {Fd: int32(t.in), Events: unix.POLLOUT}}
		if t.silent {
			ready[1].Fd = -1
		}
		if len(request) == 0 {
			ready[2].Fd = -1
		}
		if _, err := unix.Poll(ready, int(looks.Milliseconds())); err != nil && err != unix.EINTR {
			return nil, fmt.Errorf("waiting for its answer: %w", err)
		}
		if err := limit(); err != nil {
			return nil, err
		}
		if len(request) > 0 && ready[2].Revents != 0 {
			switch n, err := unix.Write(t.in, request); {
			case err == nil:
				request = request[n:]
			case err != unix.EAGAIN && err != unix.EINTR: // it reads no more, which its answer may explain
				request = nil
			}
		}
		more, ended := t.read(t.out, mostStep+1-len(answer))
		answer = append(answer, more...)
		line, rest, whole := bytes.Cut(answer, []byte("\n"))
		if err := t.print(); err != nil {
			return nil, err
		}
		switch {
		case whole && len(rest) > 0:
			return nil, fmt.Errorf("its answer %.200q is more than one line", answer)
		case whole:
			t.heard = true
			return line, nil
		case len(answer) > mostStep:
			return nil, fmt.Errorf("its answer has more than %d MiB", mostStep>>20)
		case ended:
			return nil, errEnded
		}
	}
}

// read returns what can be read without waiting, so many bytes at most, and whether it is
// the last.
func (t *talk) read(from, most int) (all []byte, ended bool) {
	var part [1 << 16]byte
	for most > len(all) {
		n, err := unix.Read(from, part[:min(len(part), most-len(all))])
		switch {
		case n > 0:
			all = append(all, part[:n]...)
		case err == unix.EINTR:
		default:
			return all, err != unix.EAGAIN
		}
	}
	return all, false
}

// print takes what was printed by now.
func (t *talk) print() error {
	said, ended := t.read(t.errs, mostPrinted+1-t.last)
	t.silent = ended
	if t.last += len(said); t.last > mostPrinted {
		return fmt.Errorf("it prints more than %d MiB to its standard error with one answer", mostPrinted>>20)
	}
	_, _ = t.stderr.Write(said)
	t.whole = append(t.whole, t.lines.add(said)...)
	return nil
}

// limit returns a function that reports that the process does not come to rest.
func (t *talk) limit() func() error {
	w, next := newWatch(t.cmd), time.Now().Add(looks)
	return func() error {
		if time.Now().Before(next) {
			return nil
		}
		next = time.Now().Add(looks)
		return w.look()
	}
}

// end kills the process, if it is still there.
func (t *talk) end() {
	if !t.over {
		t.over = true
		_ = subprocess.Kill(t.cmd)
		_ = t.cmd.Wait()
		t.closePipes()
	}
}

// wait waits for the end of a process that closes its standard output.
func (t *talk) wait() {
	timer := time.AfterFunc(mostExit, func() { _ = subprocess.Kill(t.cmd) })
	defer timer.Stop()
	_ = t.cmd.Wait()
	t.over, t.last = true, 0
	_ = t.print()
	t.closePipes()
}

func (t *talk) closePipes() {
	for _, fd := range []*int{&t.in, &t.out, &t.errs} {
		if *fd >= 0 {
			unix.Close(*fd)
			*fd = -1
		}
	}
}
