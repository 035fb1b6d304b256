package process

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/internal/subprocess"
)

// child is an operating-system process that runs a node.
type child struct {
	name   string
	cmd    *exec.Cmd
	socket *os.File
	stderr *subprocess.LastOutput // what the runtime prints at a panic
	lines  map[byte]*lines        // of its output
	hung   chan error             // why it was killed

	disk  func(log []byte) error // takes what the node does to its disk
	image []byte                 // of its disk, which it was not sent yet

	next  int64 // the time of its next timer; 0: it has none
	heap  uint64
	short bool // it has collected garbage by itself
	over  bool
	heard bool // it has answered
}

// What a node and its driver tell each other is in the file
// internal/gobuild/node/internal/poll/ldfi_node.go.txt.
const (
	frameVersion = "4"
	runs         = 1<<32 - 1 // the status of a node that has not ended
	goesOn       = 1<<32 - 2 // the status of a part of an answer
	collects     = 1         // the flag of a step that begins with a collection of garbage
	failsSync    = 2         // the flag of a step in which syncs fail

	output      = 'O'
	errorOutput = 'E'
	listens     = 'L'
	ofDisk      = 'K'
	refuses     = 'N'
	signals     = 'S'

	sizeOfAnswer = 28
	sizeOfEvent  = 13

	mostAnswer = 1 << 30 // bytes
	mostHeap   = 1 << 29 // bytes, after which garbage is collected
	mostMemory = 1 << 30 // bytes, from which on a node collects garbage by itself
	shortBit   = 1 << 63 // of the heap: it has done so

	fills = 1 << 26 // bytes of memory in a second, in which a program does so
)

// mostResident is how many bytes of memory a node may use: its heap, its disk, and garbage.
var mostResident uint64 = 3 << 30

// killed is the status of a program that was ended by SIGKILL.
const killed = 128 + int(syscall.SIGKILL)

// launch starts the program of a node at a time.
func (p *process) launch(now int64, seed, order uint64) (*child, error) {
	c, err := p.waiting()
	if err != nil {
		return nil, fmt.Errorf("starting node %s: %w", p.Name, err)
	}
	c.disk, c.image = p.replay, p.disk.Image()
	next, step := p.requests()
	_, _ = io.WriteString(c.socket, fixed(uint64(now))+fixed(seed)+fixed(order)+fixed(uint64(next))+":"+fixed(uint64(step))) // the first step says that it is not there
	return c, nil
}

// begin starts an operating-system process for a program. It waits for what launch says.
func (p *program) begin() (*child, error) {
	ours, theirs, err := socketPair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	c := &child{name: p.Name, socket: ours, stderr: &subprocess.LastOutput{Size: 1 << 20}, hung: make(chan error, 1),
		lines: map[byte]*lines{output: {}, errorOutput: {}}}
	args, env := p.ofTest()
	c.cmd = exec.Command(p.File, append(args, p.Args...)...)
	c.cmd.Args[0] = filepath.Base(p.File)
	c.cmd.Dir = "/"
	zero := fixed(0)
	c.cmd.Env = append([]string{
		"LDFI_NODE=" + frameVersion + ":3", "LDFI_ALONE=1", "LDFI_NAME=" + p.Name, "LDFI_HOSTS=" + p.cluster.hosts(),
		"LDFI_NOW=" + zero, "LDFI_SEED=" + zero, "LDFI_ORDER=" + zero, "LDFI_REQUESTS=" + zero + ":" + zero,
		"GOGC=off", "GOMEMLIMIT=" + strconv.Itoa(mostMemory), "HOME=" + homeDir, "TMPDIR=" + tempDir, "PWD=" + dataDir, "PATH=/usr/local/bin:/usr/bin:/bin", "TZ=UTC", "USER=node",
	}, slices.Concat(p.assertsTo(), env, p.Env)...)
	c.cmd.ExtraFiles = []*os.File{theirs}
	c.cmd.Stdout, c.cmd.Stderr = c.stderr, c.stderr
	subprocess.Separate(c.cmd)
	if err := subprocess.StartConfined(c.cmd); err != nil {
		ours.Close()
		return nil, err
	}
	return c, nil
}

// fixed writes a number with as many digits as the largest: where things lie in the memory
// of a program depends on the length of its environment.
func fixed(n uint64) string { return fmt.Sprintf("%020d", n) }

// answer is what a node tells of a step.
type answer struct {
	ended  bool
	code   int
	events []network.Event
}

// step lets events happen at a time, and the clock advance until another. Syncs may fail
// meanwhile.
func (c *child) step(at, until int64, failing bool, events []network.Event) (answer, error) {
	size := 17
	for _, e := range events {
		size += sizeOfEvent + len(e.Bytes)
	}
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+size), uint32(size))
	b = binary.LittleEndian.AppendUint64(b, uint64(at))
	b = binary.LittleEndian.AppendUint64(b, uint64(until))
	flags := byte(0)
	if c.heap > mostHeap {
		flags = collects
	}
	if failing {
		flags |= failsSync
	}
	b = append(b, flags)
	for _, e := range events {
		b = binary.LittleEndian.AppendUint64(append(b, e.Kind), e.ID)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(e.Bytes)))
		b = append(b, e.Bytes...)
	}
	if image := c.image; image != nil {
		c.image = nil
		b = slices.Concat(binary.LittleEndian.AppendUint32(nil, uint32(len(image))), image, b)
	}
	stop := c.watching()
	_, err := c.socket.Write(b)
	stop()
	if err != nil {
		return answer{}, c.lost(err)
	}
	for {
		stop := c.watching() // not while what was done to the disk is taken
		b, err := c.receive()
		stop()
		if err != nil {
			return answer{}, err
		}
		a, err := c.read(b)
		if err != nil || a.code != goesOn {
			return a, err
		}
		if len(a.events) > 0 {
			return answer{}, c.wrong("events before its end")
		}
	}
}

// receive reads an answer, or a part of it that has only what was done to the disk.
func (c *child) receive() ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(c.socket, length[:]); err != nil {
		return nil, c.lost(err)
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n < sizeOfAnswer || n > mostAnswer {
		return nil, c.wrong(fmt.Sprintf("an answer of %d bytes", n))
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(c.socket, b); err != nil {
		return nil, c.lost(err)
	}
	return b, nil
}

// read takes an answer apart.
func (c *child) read(b []byte) (a answer, err error) {
	c.heard = true
	c.next, c.heap = int64(binary.LittleEndian.Uint64(b[8:])), binary.LittleEndian.Uint64(b[16:])
	c.short, c.heap = c.heap&shortBit != 0, c.heap&^shortBit
	status := binary.LittleEndian.Uint32(b[24:])
	a.ended, a.code = status != runs, int(status)
	for b = b[sizeOfAnswer:]; len(b) > 0; {
		if len(b) < sizeOfEvent {
			return a, c.wrong("a part of an event")
		}
		size := binary.LittleEndian.Uint32(b[9:])
		if uint64(len(b)) < sizeOfEvent+uint64(size) {
			return a, c.wrong("a part of an event")
		}
		end := sizeOfEvent + int(size)
		if b[0] == ofDisk {
			if err := c.disk(b[sizeOfEvent:end]); err != nil {
				return a, &diskError{c.name, err}
			}
			b = b[end:]
			continue
		}
		a.events = append(a.events, network.Event{Kind: b[0], ID: binary.LittleEndian.Uint64(b[1:]), Bytes: b[sizeOfEvent:end:end]})
		b = b[end:]
	}
	return a, nil
}

// wrong is the error of a node that says something that no node says.
func (c *child) wrong(what string) error {
	return &saysError{c.name, what}
}

type saysError struct{ name, what string }

func (e *saysError) Error() string {
	return fmt.Sprintf("node %s answers ldfi with %s, which is no answer: it was not built as a node, or uses descriptor 3 itself", e.name, e.what)
}

// diskError is the error of a node that does to its disk what cannot be done.
type diskError struct {
	name string
	err  error
}

func (e *diskError) Error() string {
	return fmt.Sprintf("node %s has written to its disk what ldfi cannot read: %v", e.name, e.err)
}

// lost returns why a node does not answer: it has ended, or hung.
func (c *child) lost(err error) error {
	select {
	case why := <-c.hung:
		return why
	default:
		return err
	}
}

// A step may take so much processor time, or wait so long for something else than a
// processor.
const (
	mostCPU  = 5 * time.Second
	mostWait = 20 * time.Second
	looks    = time.Second
)

// watching kills a node that does not come to rest: first by a signal at which the runtime
// prints the stacks.
func (c *child) watching() (stop func()) {
	w := newWatch(c.cmd)
	var timer *time.Timer
	look := func() {
		why := w.look()
		if why == nil {
			timer.Reset(looks)
			return
		}
		c.hung <- why
		_ = c.cmd.Process.Signal(syscall.SIGQUIT)
		time.Sleep(looks)
		_ = subprocess.Kill(c.cmd)
	}
	timer = time.AfterFunc(time.Hour, look)
	timer.Reset(looks) // now that look has it
	return func() { timer.Stop() }
}

// watch looks at a process once a second while it makes a step.
type watch struct {
	cmd    *exec.Cmd
	begun  bool
	used   time.Duration // processor time at the last look
	counts time.Duration // of what was used since the first look
	memory uint64        // bytes at the last look
	waited time.Duration // neither running, nor ready to run: other programs may keep it from that
}

func newWatch(cmd *exec.Cmd) *watch { return &watch{cmd: cmd} }

// look says why the step has taken too long, or too much; nil if it has not. A second in
// which a program fills memory does not count: that has a limit of its own.
func (w *watch) look() error {
	used, memory := usedBy(w.cmd)
	if w.begun && memory < w.memory+fills {
		w.counts += used - w.used
	}
	w.begun, w.used, w.memory = true, used, memory
	if !ready(w.cmd) {
		w.waited += looks
	}
	switch {
	case memory > mostResident:
		return &memoryError{mostResident}
	case w.counts > mostCPU:
		return &hangError{fmt.Sprintf("it runs for more than %v of processor time", mostCPU)}
	case w.waited > mostWait:
		return &hangError{"it waits for something outside of the cluster, such as a terminal or a blocking system call"}
	}
	return nil
}

// memoryError is the error of a node that was ended because it used so many bytes.
type memoryError struct{ most uint64 }

func (e *memoryError) Error() string {
	return fmt.Sprintf("it has filled more than %d MiB of memory and was ended: several nodes share the memory of this machine, and each may need 1 GiB", e.most>>20)
}

// ready tells whether a thread of a process runs, or would if it had a processor, or waits
// for a page of its memory.
func ready(cmd *exec.Cmd) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", cmd.Process.Pid))
	return slices.ContainsFunc(threads, func(file string) bool {
		words := statOf(file)
		return len(words) > 0 && (words[0] == "R" || words[0] == "D")
	})
}

// statOf returns the words of a file stat in /proc behind the name of the program.
func statOf(file string) []string {
	text, err := files.Read(file, files.Text)
	if err != nil {
		return nil
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return strings.Fields(after)
}

// usedBy returns the processor time that a process has used, and the bytes of memory that it
// uses.
func usedBy(cmd *exec.Cmd) (time.Duration, uint64) {
	words := statOf(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	if len(words) < 22 {
		return 0, 0
	}
	user, _ := strconv.ParseInt(words[11], 10, 64)
	system, _ := strconv.ParseInt(words[12], 10, 64)
	pages, _ := strconv.ParseUint(words[21], 10, 64)
	return time.Duration(user+system) * time.Second / 100, pages * uint64(os.Getpagesize())
}

// hangError says why a node was ended that did not come to rest.
type hangError struct{ why string }

func (e *hangError) Error() string { return e.why }

// end kills the process, if it is still there.
func (c *child) end() {
	if !c.over {
		c.over = true
		_ = subprocess.Kill(c.cmd)
		_ = c.cmd.Wait()
		c.socket.Close()
	}
}

// ends waits for the end of a process that has said that it ends, and returns what the
// runtime has printed.
func (c *child) ends() (last string) {
	timer := time.AfterFunc(mostExit, func() { _ = subprocess.Kill(c.cmd) })
	defer timer.Stop()
	_ = c.cmd.Wait()
	c.over = true
	c.socket.Close()
	return c.stderr.String()
}

// mostExit is how long a process takes at most to end that has said so.
const mostExit = 10 * time.Second

// statusOf returns the status of a process that has ended.
func statusOf(cmd *exec.Cmd) int {
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// endText says how a node has ended.
func endText(code int, last string) string {
	for line := range strings.Lines(last) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return strings.TrimSpace(line)
		}
	}
	return exitText + strconv.Itoa(code)
}

const exitText = "exit status "

// stackOf returns the functions of the first goroutine that runs, of what the runtime of Go
// prints at its end: each with its file, with the last directory only, and its line.
func stackOf(last string) (stack []string) {
	_, block, found := strings.Cut(last, " [run")
	if !found {
		return nil
	}
	block, _, _ = strings.Cut(block, "\n\n")
	lines := strings.Split(block, "\n")[1:]
	for i := 0; i+1 < len(lines) && len(stack) < deepestStack; i += 2 {
		function, _, _ := strings.Cut(strings.TrimPrefix(lines[i], "created by "), " in goroutine ")
		if open := strings.LastIndex(function, "("); open > 0 && strings.HasSuffix(function, ")") {
			function = function[:open]
		}
		place, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +")
		file := filepath.Base(place)
		if dir := filepath.Base(filepath.Dir(place)); dir != "." {
			file = dir + "/" + file
		}
		if function == "panic" || strings.HasPrefix(function, "runtime.") {
			continue
		}
		stack = append(stack, function+" at "+file)
	}
	return stack
}

const deepestStack = 32
