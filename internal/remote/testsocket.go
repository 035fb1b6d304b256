package remote

import (
	"bytes"
	"debug/buildinfo"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/messages"
)

// testSocket is the connection to a test that is to be a host. The go command gives tests
// no standard input, and keeps their output to itself, so the host and ldfi talk over a
// socket.
type testSocket struct {
	net.Listener
	came   chan struct{} // closed when the test is in, or does not come any more
	silent chan struct{} // closed when no process is left that could print
	test   net.Conn      // nil if it did not come
}

// openDoor opens a socket in a directory for the program of a host, if that is a test. The
// output of the program is written to standard error.
func (p *process) openDoor(dir string) error {
	listener, err := net.Listen("unix", filepath.Join(dir, "host"))
	if err != nil {
		return err
	}
	printed, err := p.StdoutPipe()
	if err != nil {
		_ = listener.Close()
		return err
	}
	d := &testSocket{Listener: listener, came: make(chan struct{}), silent: make(chan struct{})}
	p.Env = append(p.Environ(), messages.Door+"="+listener.Addr().String())
	p.in, p.out, p.door = d, d, d
	go d.accept()
	go d.listen(printed, p.said)
	return nil
}

// accept waits for the test, and accepts no further connection.
func (d *testSocket) accept() {
	defer close(d.came)
	d.test, _ = d.Accept()
	_ = d.Listener.Close()
}

// listen passes on the output of the test and the go command. When they have ended no
// connection comes any more.
func (d *testSocket) listen(printed io.Reader, to io.Writer) {
	_, _ = io.Copy(to, printed)
	close(d.silent)
	_ = d.Listener.Close()
}

// Read reads the messages of the test. At their end it waits for the last output of the
// test, which explains the end.
func (d *testSocket) Read(b []byte) (int, error) {
	if !d.entered() {
		return 0, io.EOF
	}
	n, err := d.test.Read(b)
	if err != nil {
		select {
		case <-d.silent:
		case <-time.After(patienceWithLastWords):
		}
		return n, io.EOF
	}
	return n, nil
}

// patienceWithLastWords is the time that the go command may take to print the output of a
// test that has ended.
const patienceWithLastWords = 2 * time.Second

// Write writes to the test.
func (d *testSocket) Write(b []byte) (int, error) {
	if !d.entered() {
		return 0, io.ErrClosedPipe
	}
	return d.test.Write(b)
}

// Close ends the talk.
func (d *testSocket) Close() error {
	_ = d.Listener.Close()
	if d.entered() {
		return d.test.Close()
	}
	return nil
}

// isTest tells whether the command of a program runs tests: go test, or a program built by
// go test -c, whatever its name is. Such programs get flags of tests, and so do programs
// that pass them on; a Go program that is no test has flags of its own.
func isTest(cmd *exec.Cmd, words []string) bool {
	if goTest(words) > 0 {
		return true
	}
	flag := func(word string) bool {
		return strings.HasPrefix(word, "-") && strings.HasPrefix(strings.TrimLeft(word, "-"), "test.")
	}
	if !slices.ContainsFunc(words[1:], flag) {
		return false
	}
	file := cmd.Path
	if !filepath.IsAbs(file) {
		file = filepath.Join(cmd.Dir, file)
	}
	if _, err := buildinfo.ReadFile(file); err != nil {
		return true
	}
	found := finder{text: []byte("_testmain.go")} // which go test writes for every test
	err := files.Copy(&found, file, 1<<30)
	return err != nil || found.met
}

// finder tells whether a text is in the data written to it. It keeps only as much as a text
// across two writes needs: a program has tens of megabytes.
type finder struct {
	text, end []byte
	met       bool
}

func (f *finder) Write(p []byte) (int, error) {
	f.end = append(f.end, p...)
	f.met = f.met || bytes.Contains(f.end, f.text)
	f.end = f.end[:copy(f.end, f.end[max(0, len(f.end)-len(f.text)+1):])]
	return len(p), nil
}

// entered tells whether the test came in.
func (d *testSocket) entered() bool {
	<-d.came
	return d.test != nil
}

// goTest returns the place of the word test in a command go test, 0 in others.
func goTest(words []string) int {
	if !isGo(words[0]) {
		return 0
	}
	at := 1
	switch {
	case len(words) > 3 && (words[1] == "-C" || words[1] == "--C"):
		at = 3
	case len(words) > 2 && strings.HasPrefix(strings.TrimPrefix(words[1], "-"), "-C="):
		at = 2
	}
	if at >= len(words) || words[at] != "test" {
		return 0
	}
	return at
}

// unlimited removes the time limit of a go test, unless the command sets one: go ends tests
// after ten minutes, in the middle of a search.
func unlimited(words []string) []string {
	at := goTest(words)
	if at == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(strings.TrimLeft(w, "-"), "timeout") && w[0] == '-' }) {
		return words
	}
	return slices.Insert(slices.Clone(words), at+1, "-timeout=0")
}
