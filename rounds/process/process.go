package process

import (
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// program is a node of a cluster, with its place in it.
type program struct {
	Node
	cluster  *Cluster
	index    int
	number   int // among its peers, from 1
	client   bool
	checker  bool   // it is a client, too
	image    []byte // of the disk that it begins with
	polls    []poll
	asserts  bool   // it has the SDK of Antithesis
	scripted bool   // it reads the requests of the cluster
	given    []fact // its files
	idle     idle   // of the step protocol
	ahead    ahead
}

// process is a node in rounds. Between crashes it has an operating-system process and a
// host of the network. Its disk survives.
type process struct {
	*program
	random *rand.Rand
	disk   *disk.Disk // nil: it was not started yet
	torn   uint64     // where what a torn disk keeps comes from
	lost   []string   // files of it that the last crash has not left as they were

	calls // of this round

	asserted assertions

	polled  []polled        // of each poll
	toPolls []network.Event // of their connections, for the node
	asks    uint64          // how often it was polled

	child  *child // nil: it does not run
	host   *network.Host
	stdio  Stdio           // nil: its standard input and output are a terminal's
	clock  time.Duration   // since the epoch
	round  int             // in which it was called last
	events []network.Event // that happen at the next step
	told   []fact
	asked  int           // the last ID of its requests
	words  string        // what it printed last, without what explains that
	spoke  byte          // where it printed that: output or errorOutput
	ended  bool          // its program has ended, and only a restart starts it again
	begun  bool          // of a function: it was called
	said   bool          // it has told the checker that
	heard  int           // of a checker, how many clients have told it
	again  time.Duration // a program that has ended is started again at this time of its clock
	until  int           // it was terminated, and is started again behind this round; 0: it was not

	refused refusal         // what the program asked for last that a node does not have
	lacks   []string        // what it asked for so in this step
	endures map[string]bool // what it went on without, when it had asked for it
	doors   doors
}

// refusal is something that a node does not have, and the time at which its program asked
// for it.
type refusal struct {
	what string // with its place
	at   time.Duration
}

// soon is how long after a refusal the error of it may be what a program ends with.
const soon = 2 * time.Second

// refusals are what is in the errors of refused calls. Few other calls of a node have them.
var refusals = []string{
	syscall.EPERM.Error(), syscall.ENOSYS.Error(), syscall.ENOTSUP.Error(), syscall.EAFNOSUPPORT.Error(),
	syscall.ENOSPC.Error(), syscall.EFBIG.Error(),
	"a node of ldfi", "plugin: not implemented", "CGO_ENABLED=0", "requires cgo",
}

// fact is something that a node reports in this round.
type fact struct {
	relation string
	args     []any
}

// Machine says that a node has a clock, a disk and goroutines in an order that can be drawn,
// and a server a program that signals end. Clients have disks, too: crashes of servers keep or
// tear what was not synced only where all nodes have one.
func (p *process) Machine() system.Machine {
	return system.Machine{Clock: true, Goroutines: true, Disk: true, Terminates: !p.client, Watches: true}
}

// Send lets the time of a round pass, and sends what the node has sent.
func (p *process) Send(s *system.Step) {
	conditions := s.Conditions()
	if p.round == 0 && p.child == nil && conditions.Start > 1 { // the clock has gone on meanwhile
		p.clock += time.Duration(conditions.Start-1) * p.cluster.Tick
	}
	p.round = s.Round()
	tick := p.cluster.tick(conditions)
	if p.child == nil && p.round > p.until && !p.ended && !p.cut && (p.clock >= p.again || p.until > 0) && !p.waits(s) {
		p.until = 0
		p.start(s)
	}
	if c := conditions.Terminate; c > 0 && p.child != nil {
		p.until = c
		p.events = append(p.events, network.Event{Kind: signals, ID: uint64(syscall.SIGTERM)})
	}
	if p.host != nil {
		p.host.Settle()
	}
	p.ask(s)
	if p.child != nil {
		p.step(s, p.clock+tick)
	}
	if p.child != nil && p.until > 0 && p.round >= p.until { // a supervisor waits no longer
		p.child.end()
		p.over(killed)
		p.host.Leave()
	}
	p.clock += tick
	p.poll(s)
	if p.host != nil {
		p.host.Collect(s.Send)
	}
	if p.stdio != nil {
		p.stdio.Send(s)
	}
	if p.child != nil && !p.client { // of a client its end is what counts
		p.tell("up")
	}
	p.tellChecker(s)
	p.report(s)
	p.pass(s)
}

// Receive lets the node read what has arrived.
func (p *process) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		if _, is := m.Payload.(ended); is {
			p.heard++
		}
		if p.host != nil {
			p.host.Deliver(m.From, m.Payload)
		}
		if p.stdio != nil {
			p.stdio.Receive(m)
		}
	}
	if p.child != nil && len(p.events) > 0 {
		p.step(s, p.clock)
	}
	p.report(s)
}

// tick returns by how much the clock advances in a round.
func (c *Cluster) tick(on system.Conditions) time.Duration {
	drift := time.Duration(float64(c.Tick) * c.Drift)
	return c.Tick + time.Duration(on.Clock)*drift + time.Duration(on.Jump)*c.Tick
}

// Restart starts the program again. While it was down, its clock went on.
func (p *process) Restart(s *system.Step) {
	p.clock += time.Duration(s.Round()-p.round-1) * p.cluster.Tick
	if !p.waits(s) {
		p.start(s)
	}
}

// mostLost is how many files are told that a crash has not left as they were.
const mostLost = 100

// start starts the program, which runs until its goroutines are at rest.
func (p *process) start(s *system.Step) {
	p.ended, p.begun = false, false
	if p.disk == nil {
		p.torn = p.random.Uint64()
		var err error
		if p.disk, err = p.newDisk(s); err != nil {
			s.Fail(err)
			return
		}
		p.told = append(p.told, p.given...)
	}
	for i, name := range p.lost {
		if i == mostLost {
			p.tell("file_lost", fmt.Sprintf("and %d more", len(p.lost)-mostLost))
			break
		}
		p.tell("file_lost", name)
	}
	p.lost = nil
	order := uint64(0)
	if goroutines := s.Conditions().Goroutines; goroutines.Given {
		order = rand.NewPCG(goroutines.Value, uint64(p.index)).Uint64() | 1
	}
	p.forgetAssertions(p.disk)
	child, err := p.launch(p.now(p.clock), p.random.Uint64(), order)
	if err != nil {
		s.Fail(err)
		return
	}
	p.child, p.asserted, p.words = child, assertions{}, ""
	p.host = network.New(network.Options{
		Name: p.Name, Names: s.Processes(), Text: p.cluster.Text, Latency: s.Latencies(),
		Refused: func(from string, to *net.TCPAddr) { p.doors.refuse(from, to, p.round+1) },
		Elsewhere: func(e network.Event) {
			e.Bytes = append([]byte(nil), e.Bytes...)
			p.events = append(p.events, e)
		},
	})
	p.events = nil
	p.startStdio()
	p.run(s, p.clock, p.clock)
}

func (p *process) now(clock time.Duration) int64 { return p.cluster.Epoch.UnixNano() + int64(clock) }

// step lets the events happen and the clock advance to a time, unless the node would do
// nothing until then.
func (p *process) step(s *system.Step, until time.Duration) {
	if len(p.events) > 0 || p.child.next != 0 && p.child.next <= p.now(until) {
		p.run(s, p.clock, until)
	}
}

// run makes a step.
func (p *process) run(s *system.Step, at, until time.Duration) {
	p.endure()
	events := p.events
	p.events = nil
	c := s.Conditions()
	p.stop(c.Point)
	a, err := p.child.step(p.now(at), p.now(until), c.FailSync, events)
	switch {
	case p.cut && err != nil: // it ended after that
		a = answer{}
	case err != nil:
		p.dies(s, err)
		return
	case p.cut:
		a.events, a.ended = a.events[:min(p.before, len(a.events))], false
	}
	if p.child.short {
		s.Inexact(fmt.Sprintf("node %s collects garbage at other times in each execution: it needs more than 1 GiB of memory, or more than GOMEMLIMIT or GOGC allow", p.Name))
	}
	for _, e := range a.events {
		if err := p.take(e); err != nil {
			s.Fail(fmt.Errorf("node %s: %w", p.Name, err))
			return
		}
	}
	if err := p.takeAssertions(); err != nil {
		s.Fail(fmt.Errorf("node %s: %w", p.Name, err))
		return
	}
	switch {
	case p.cut:
		p.child.end()
		p.child = nil
	case a.ended:
		p.exits(s, a.code)
	}
}

// take takes an event of the node.
func (p *process) take(e network.Event) error {
	if p.takePoll(e) {
		return nil
	}
	switch e.Kind {
	case output, errorOutput:
		if told, err := p.takeTold(e.Bytes); told {
			return err
		}
		if e.Kind == output && p.takeOutput(e.Bytes) {
			return nil
		}
		p.spoke = e.Kind
		p.log(p.child.lines[e.Kind].add(e.Bytes))
		return nil
	case signals: // to itself
		p.events = append(p.events, network.Event{Kind: signals, ID: e.ID})
		return nil
	case refuses:
		for line := range strings.Lines(string(e.Bytes)) {
			line = strings.TrimSpace(line)
			p.refuse(line)
			p.tell("log", "", "ldfi does not offer this to nodes: "+tidy(line), "", "")
		}
		return nil
	case listens:
		if len(e.Bytes) > 5 {
			port := int(e.Bytes[4]) | int(e.Bytes[5])<<8
			p.tell("listens", port)
			p.doors.open(net.IP(e.Bytes[:4]), port)
		}
	}
	return p.host.Take(e)
}

// log tells what the lines say that the program has printed.
func (p *process) log(all []string) {
	for _, line := range all {
		if p.stdio != nil && p.stdio.Repeats(line) {
			continue
		}
		if strings.Contains(line, "CGO_ENABLED=0") || strings.Contains(line, "requires cgo") {
			p.refuse("cgo, as it says: " + tidy(line))
		}
		said := logEntry(line)
		if words := wordsOf(p.words, line, said); words != "" {
			p.words = tidy(words)
		}
		for _, args := range said.facts() {
			p.tell("log", args...)
		}
	}
}

// wordsOf returns what a line says for itself; "" if it is a heading, or belongs to the one
// before, as those do that say how a program is used. Tests of Go, and testify, say what
// failed in lines that belong to a heading.
func wordsOf(before, line string, said entry) string {
	if inset := strings.TrimLeft(line, " \t"); inset != line {
		m := testSays.FindStringSubmatch(line)
		switch {
		case m != nil:
			return m[1]
		case inset != "" && strings.HasSuffix(before, ":"):
			return before + " " + strings.TrimRight(inset, " \t")
		}
		return ""
	}
	if strings.HasSuffix(line, ":") || line == "FAIL" || strings.HasPrefix(line, "--- FAIL: ") {
		return ""
	}
	return strings.TrimSpace(said.message)
}

// testSays is how a test logs a line, and testify says why it fails.
var testSays = regexp.MustCompile(`^\s+(?:[^\s:]+\.go:\d+|Error|Messages):\s+(.*\S)`)

func (p *process) tell(relation string, args ...any) {
	p.told = append(p.told, fact{relation, args})
}

// report reports what the node has told since the last time.
func (p *process) report(s *system.Step) {
	for _, f := range p.told {
		s.Fact(f.relation, f.args...)
	}
	p.told = p.told[:0]
	if p.stdio != nil {
		p.stdio.Report(s)
	}
}

// exits takes note that the program has said that it ends.
func (p *process) exits(s *system.Step, code int) {
	last := p.child.ends()
	p.over(code)
	p.died(s, code, last)
}

// over reports the last lines and the end of a program.
func (p *process) over(code int) {
	for _, kind := range []byte{output, errorOutput} {
		words := p.words
		p.log(p.child.lines[kind].rest())
		if kind != p.spoke && words != "" { // it was begun before these
			p.words = words
		}
	}
	p.tell("exit", code)
	p.child, p.doors.broken = nil, true
}

// died says that a server has ended, as none should unless it is started again. The status
// of a client is judged by a property.
func (p *process) died(s *system.Step, code int, last string) {
	if what := p.lacking(last); what != "" && code != 0 && p.until == 0 {
		how := endText(code, last)
		if strings.HasPrefix(how, exitText) && p.words != "" {
			how += ": " + p.words
		}
		s.Fail(fmt.Errorf("node %s ends (%s) after it asked for what ldfi does not offer to nodes: %s", p.Name, how, what))
		return
	}
	if p.unreached() {
		s.Fail(p.notReached(endText(code, last)))
		return
	}
	if p.client {
		p.log(new(lines).add([]byte(last)))
		if text := endText(code, last); !strings.HasPrefix(text, exitText) {
			p.words = tidy(text)
		}
		if code != 0 && p.words != "" {
			p.tell("last", p.words)
		}
		p.ended = true
		p.host.Leave()
		return
	}
	text := endText(code, last)
	if p.until > 0 && strings.HasPrefix(text, exitText) { // as it was told to
		p.log(new(lines).add([]byte(last)))
		p.host.Leave()
		return
	}
	if again := p.Node.Restart; again > 0 && strings.HasPrefix(text, exitText) {
		p.log(new(lines).add([]byte(last)))
		p.again = p.clock + max(again, p.cluster.Tick)
		p.host.Leave()
		return
	}
	p.ended = true
	p.report(s)
	if strings.HasPrefix(text, exitText) && p.words != "" {
		text += ": " + p.words
	}
	text, panics := strings.CutPrefix(text, "panic: ")
	s.Died(system.PanicError{Exit: !panics, Text: text, Stack: stackOf(last)})
}

// refuse takes note of what the program asks for in vain.
func (p *process) refuse(what string) {
	p.refused = refusal{what, p.clock}
	p.lacks = append(p.lacks, what)
}

// endure takes note that the program has gone on without what it asked for in the last step.
func (p *process) endure() {
	for _, what := range p.lacks {
		if p.endures == nil {
			p.endures = map[string]bool{}
		}
		p.endures[what] = true
	}
	p.lacks = nil
}

// lacking returns what a program asked for in vain that ends for want of it: it ends with the
// error of that or, if it never went on without it, in the same step. Whoever ends otherwise
// has another reason.
func (p *process) lacking(last string) string {
	says, _, panics := strings.Cut(last, "\ngoroutine ")
	if !panics {
		says += "\n" + p.words
	}
	if p.refused.what != "" && p.clock-p.refused.at <= soon {
		multicast := strings.Contains(p.refused.what, "multicast") && strings.Contains(says, syscall.EADDRNOTAVAIL.Error())
		if multicast || slices.ContainsFunc(refusals, func(text string) bool { return strings.Contains(says, text) }) {
			return p.refused.what
		}
	}
	for _, what := range p.lacks {
		if !p.endures[what] {
			return what
		}
	}
	return ""
}

// dies takes note of a program that ended without a word, by a signal or an error of the
// runtime, or that was ended because it did not come to rest.
func (p *process) dies(s *system.Step, err error) {
	switch err.(type) {
	case *saysError, *diskError:
		p.child.end()
		p.child = nil
		s.Fail(err)
		return
	}
	last, heard := p.child.ends(), p.child.heard
	code := statusOf(p.child.cmd)
	p.over(code)
	if full, ok := err.(*memoryError); ok {
		s.Fail(fmt.Errorf("node %s: %w", p.Name, full))
		return
	}
	if hang, ok := err.(*hangError); ok && p.unreached() {
		s.Fail(p.notReached(hang.why))
		return
	} else if ok {
		p.ended = true
		p.report(s)
		s.Died(system.PanicError{Hangs: true, Text: hang.why, Stack: stackOf(last)})
		return
	}
	if code == 0 && !heard {
		s.Fail(fmt.Errorf("node %s ended without a word: to talk to ldfi its program has to import package os, fmt, log or net", p.Name))
		return
	}
	p.died(s, code, last)
}

// Crash kills the program, and its machine loses what was not synced.
func (p *process) Crash() { p.CrashDisk(disk.Lost) }

// CrashDisk is Crash, and says what becomes of what was not synced.
func (p *process) CrashDisk(outcome string) {
	p.Close()
	p.doors.broken = true
	if p.disk == nil {
		return
	}
	p.forgetAssertions(p.disk)
	differ := p.disk.Remember()
	left, err := p.disk.Crash(outcome, rand.New(rand.NewPCG(p.torn, uint64(p.round))))
	if err != nil {
		panic(err)
	}
	p.forgetAssertions(left)
	p.disk, p.lost = left, differ(left)
}

// Close kills the program.
func (p *process) Close() {
	p.endure()
	if p.child != nil {
		p.child.end()
		p.child = nil
	}
	p.host, p.stdio, p.events, p.told, p.again, p.refused, p.calls, p.polled = nil, nil, nil, nil, 0, refusal{}, calls{}, nil
	p.toPolls, p.until = nil, 0
}
