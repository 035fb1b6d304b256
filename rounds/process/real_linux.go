package process

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// real is Real.
func (c Cluster) real(ctx context.Context, schedule rounds.Schedule, round time.Duration) (s *system.System, later func(n int) rounds.Schedule, notes []string, err error) {
	if notes, err = c.confirmable(schedule); err != nil {
		return nil, nil, nil, err
	}
	if s, err = c.System(); err != nil {
		return nil, nil, nil, err
	}
	if schedule, err = apart(ctx, s, schedule); err != nil {
		return nil, nil, nil, err
	}
	scratch, err := files.NewScratch("", "ldfi-confirm-")
	if err == nil {
		err = tryMachine(scratch.Path())
	}
	if err == nil {
		err = c.buildPlain(ctx)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	all, err := c.programs()
	if err != nil {
		return nil, nil, nil, err
	}
	raisePriority()
	starts, w := schedule.Settings, new(wall)
	schedule.Settings.Start, schedule.Settings.Goroutines = "", rounds.Setting{}
	faults := schedule.Faults
	s.Apart, s.Warnings = system.Apart{}, w.warnings
	s.New = func(name string, random *rand.Rand) system.Process {
		i := slices.IndexFunc(all, func(p *program) bool { return p.Name == name })
		if i == 0 { // of another execution
			*w = wall{cluster: &c, ctx: ctx, length: round}
		}
		n := &real{p: &process{program: all[i], random: random}, wall: w, dir: filepath.Join(scratch.Path(), name)}
		n.starts, _ = starts.StartOf(name)
		for _, f := range faults {
			if f.Process == name {
				n.faults = append(n.faults, f)
			}
		}
		w.nodes = append(w.nodes, n)
		return n
	}
	return s, func(n int) rounds.Schedule {
		faults = slices.Clone(schedule.Faults)
		for i := range faults {
			if faults[i].Round += n; faults[i].Until > 0 {
				faults[i].Until += n
			}
		}
		return rounds.Schedule{Settings: schedule.Settings, Faults: faults}
	}, notes, nil
}

// raisePriority puts this process, and so the nodes, before others that are busy, if it may: else
// rounds are late.
func raisePriority() {
	threads, _ := os.ReadDir("/proc/self/task")
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, -15)
		}
	}
}

// buildPlain builds the packages, and has the programs in their place.
func (c *Cluster) buildPlain(ctx context.Context) error {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	return c.replace(func(pkg string) (string, error) {
		if info, err := os.Stat(pkg); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return filepath.Abs(pkg)
		}
		file, err := placeOf("", "plain", dir, pkg)
		if err != nil {
			return "", err
		}
		name, _, _ := strings.Cut(filepath.ToSlash(pkg), "@")
		file = filepath.Join(filepath.Dir(file), cleanName(path.Base(name)))
		return file, gobuild.Plain(ctx, dir, pkg, file)
	})
}

// cleanName returns the name of a program of a package, which may be that of no directory.
func cleanName(base string) string {
	if isWord(base) {
		return base
	}
	return "node"
}

// wall lets rounds last on the clock of this machine.
type wall struct {
	cluster *Cluster
	ctx     context.Context
	length  time.Duration // of a round
	nodes   []*real
	began   time.Time
	round   int           // that has begun
	late    time.Duration // by how much the latest round began late
}

// begin lets a round begin, and those before it pass.
func (w *wall) begin(s *system.Step, round int) {
	for w.round < round {
		if w.round == 0 {
			for _, n := range w.nodes {
				if err := n.prepare(s); err != nil {
					s.Fail(fmt.Errorf("node %s: %w", n.p.Name, err))
					return
				}
			}
			w.began = time.Now()
		}
		w.end(w.round)
		w.round++
		w.late = max(w.late, time.Since(w.began)-time.Duration(w.round-1)*w.length)
		for _, n := range w.nodes {
			if err := n.begin(s, w.round); err != nil {
				s.Fail(fmt.Errorf("node %s: %w", n.p.Name, err))
				return
			}
		}
	}
}

// end waits for the end of a round.
func (w *wall) end(round int) {
	select {
	case <-w.ctx.Done():
	case <-time.After(time.Until(w.began.Add(time.Duration(round) * w.length))):
	}
}

// warnings says that this machine was too slow.
func (w *wall) warnings([]system.Process) []string {
	if w.late <= w.length {
		return nil
	}
	return []string{fmt.Sprintf("a round began %v late: this machine is too busy for rounds of %v (--rounds-as)", w.late.Round(time.Millisecond), w.length)}
}

// real is a node that is a program as it is, on a machine of its own.
type real struct {
	p       *process // without a child that answers
	wall    *wall
	dir     string
	starts  int            // the round in which it starts
	faults  []rounds.Fault // of it
	machine *machine       // nil: it has crashed
	paused  bool
	ended   chan struct{} // closed when the program has ended

	mutex   sync.Mutex
	child   *child // whose output counts
	said    []spoken
	packets []packet
}

// spoken is something that a program has written to its standard output or error.
type spoken struct {
	kind byte
	text []byte
}

// packet is what a node sends another: a packet of the internet protocol.
type packet []byte

// Machine says what faults a real node can have.
func (n *real) Machine() system.Machine {
	return system.Machine{Disk: true, Terminates: !n.p.client, Watches: true, Inexact: "clocks, disks and sockets are real"}
}

// prepare makes the files and the machine of the node.
func (n *real) prepare(s *system.Step) (err error) {
	if n.p.disk, err = n.p.newDisk(s); err != nil {
		return err
	}
	n.p.told = append(n.p.told, n.p.given...)
	if err := layOut(n.dir, n.p.disk, n.p.cluster.hosts()); err != nil {
		return err
	}
	return n.boot()
}

// boot makes the machine, and takes the packets that it sends.
func (n *real) boot() (err error) {
	m, err := newMachine(n.dir, n.p.Name, network.Address(n.p.index), n.p.File)
	if err != nil {
		return err
	}
	n.mutex.Lock()
	n.machine = m
	n.mutex.Unlock()
	go func() {
		for {
			b := make([]byte, 1<<16)
			size, err := m.device.Read(b)
			if err != nil {
				return
			}
			n.mutex.Lock()
			if n.machine == m {
				n.packets = append(n.packets, packet(b[:size:size]))
			}
			n.mutex.Unlock()
		}
	}()
	return nil
}

// begin does what is due at the beginning of a round.
func (n *real) begin(s *system.Step, round int) error {
	p := n.p
	for _, f := range n.faults {
		first, last := f.Round == round, max(f.Until, f.Round)+1 == round
		switch {
		case f.Kind == rounds.Restart && first && n.machine == nil:
			p.ended = false
			if err := n.boot(); err != nil {
				return err
			}
		case f.Kind == rounds.Pause && (first || last):
			n.paused = first
			n.signal(map[bool]syscall.Signal{true: syscall.SIGSTOP, false: syscall.SIGCONT}[first])
		case f.Kind == rounds.Terminate && first && p.child != nil:
			p.until = round
			if f.Until > round {
				p.until = f.Until
			}
			n.signal(syscall.SIGTERM)
		case f.Kind == rounds.Terminate && last && p.child != nil: // a supervisor waits no longer
			n.kill()
			n.hear(s)
			p.over(statusOf(p.child.cmd))
		}
	}
	if p.child == nil && !p.checker && n.machine != nil && !n.paused && !p.ended && round > p.until && round >= n.starts && time.Since(n.wall.began) >= p.again {
		p.until = 0
		return n.start(s)
	}
	return nil
}

// Send waits for the end of the round, and sends what the node has sent in it.
func (n *real) Send(s *system.Step) {
	n.wall.begin(s, s.Round())
	n.wall.end(s.Round())
	p := n.p
	p.round, p.clock = s.Round(), time.Since(n.wall.began)
	if n.machine == nil || n.wall.ctx.Err() != nil {
		return
	}
	n.hear(s)
	if p.child != nil && n.over() {
		last := ""
		if text := p.child.stderr.String(); strings.Contains(text, "\ngoroutine ") {
			for _, begins := range []string{"panic: ", "fatal error: "} {
				if i := strings.LastIndex("\n"+text, "\n"+begins); i >= 0 {
					last = text[i:]
				}
			}
		}
		code := statusOf(p.child.cmd)
		p.over(code)
		p.refused, p.lacks = refusal{}, nil // real programs are refused nothing
		p.died(s, code, last)
	}
	n.mutex.Lock()
	packets := n.packets
	n.packets = nil
	n.mutex.Unlock()
	for _, sent := range packets {
		if to := n.wall.at(sent); to != "" && to != p.Name {
			s.Send(to, sent)
		}
	}
	if p.child != nil && !p.client {
		p.tell("up")
	}
	if p.checker && p.child == nil && !p.ended && !p.waits(s) {
		if err := n.start(s); err != nil {
			s.Fail(err)
		}
	}
	p.tellChecker(s)
	p.report(s)
}

// at returns the name of the node to which a packet goes; "" if it goes to none.
func (w *wall) at(p packet) string {
	if len(p) >= 20 && p[0]>>4 == 4 {
		for i, n := range w.nodes {
			if bytes.Equal(p[16:20], network.Address(i)) {
				return n.p.Name
			}
		}
	}
	return ""
}

// hear tells what the program has printed.
func (n *real) hear(s *system.Step) {
	p := n.p
	n.mutex.Lock()
	all := n.said
	n.said = nil
	n.mutex.Unlock()
	if p.child == nil {
		return
	}
	for _, w := range all {
		p.spoke = w.kind
		for _, line := range p.child.lines[w.kind].add(w.text) {
			before, told, is := strings.Cut(line, toldBegins)
			if is {
				if known, err := p.takeTold([]byte(toldBegins + told)); err != nil {
					s.Fail(fmt.Errorf("node %s: %w", p.Name, err))
				} else if !known {
					before = line
				}
			}
			if !is || before != "" {
				p.log([]string{before})
			}
		}
	}
}

// Receive gives the node what has arrived.
func (n *real) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		switch got := m.Payload.(type) {
		case ended:
			n.p.heard++
		case packet:
			if n.machine != nil {
				_, _ = n.machine.device.Write(got) // one that is full, or down, loses it
			}
		}
	}
	n.p.report(s)
}

// Restart starts the program again, on the same files.
func (n *real) Restart(s *system.Step) { n.wall.begin(s, s.Round()) }

// CrashDisk kills the program, and its machine is gone. What was written is there after it.
func (n *real) CrashDisk(string) {
	n.kill()
	p := n.p
	p.child, p.told, p.again, p.until, n.paused = nil, nil, 0, 0, false
	n.mutex.Lock()
	m := n.machine
	n.machine, n.child, n.said, n.packets = nil, nil, nil, nil
	n.mutex.Unlock()
	if m != nil {
		m.close()
	}
}

// Close ends the node, and removes its files.
func (n *real) Close() {
	n.CrashDisk("")
	_ = os.RemoveAll(n.dir)
}

// start starts the program.
func (n *real) start(s *system.Step) error {
	p := n.p
	c := &child{name: p.Name, stderr: &subprocess.LastOutput{Size: 1 << 20}, lines: map[byte]*lines{output: {}, errorOutput: {}}}
	next, step := p.requests()
	c.cmd = exec.Command(path.Join(programDir, filepath.Base(p.File)), p.Args...)
	c.cmd.Args[0] = filepath.Base(p.File)
	c.cmd.Dir = dataDir
	c.cmd.Env = append([]string{
		"LDFI_NODE=real", "LDFI_REQUESTS=" + strconv.Itoa(next) + ":" + strconv.Itoa(step), // for package ldfi/client
		"HOME=" + homeDir, "TMPDIR=" + tempDir, "PWD=" + dataDir, "PATH=/usr/local/bin:/usr/bin:/bin", "TZ=UTC", "USER=node",
	}, p.Env...)
	c.cmd.Stdout, c.cmd.Stderr = printer{n, c, output}, io.MultiWriter(c.stderr, printer{n, c, errorOutput})
	c.cmd.WaitDelay = time.Second // for programs that it has started
	subprocess.Separate(c.cmd)
	n.mutex.Lock()
	n.child, n.said = c, nil
	n.mutex.Unlock()
	if err := subprocess.StartOn(n.machine.thread, c.cmd); err != nil {
		return fmt.Errorf("starting node %s: %w", p.Name, err)
	}
	p.child, p.words = c, ""
	p.host = network.New(network.Options{Name: p.Name, Names: s.Processes()}) // which nobody reaches
	over := make(chan struct{})
	n.ended = over
	go func() {
		_ = c.cmd.Wait()
		close(over)
	}()
	return nil
}

// printer takes what a program writes.
type printer struct {
	n    *real
	of   *child
	kind byte
}

func (p printer) Write(text []byte) (int, error) {
	p.n.mutex.Lock()
	defer p.n.mutex.Unlock()
	if p.n.child == p.of {
		p.n.said = append(p.n.said, spoken{p.kind, bytes.Clone(text)})
	}
	return len(text), nil
}

// over tells whether the program has ended.
func (n *real) over() bool {
	select {
	case <-n.ended:
		return true
	default:
		return false
	}
}

// signal sends the program, and what it has started, a signal.
func (n *real) signal(s syscall.Signal) {
	if n.p.child != nil && !n.over() {
		_ = syscall.Kill(-n.p.child.cmd.Process.Pid, s)
	}
}

// kill ends the program, if it runs, and what it has started.
func (n *real) kill() {
	if n.p.child != nil {
		_ = subprocess.Kill(n.p.child.cmd)
		<-n.ended
	}
}
