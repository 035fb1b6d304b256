package process

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// steps is a node in rounds that speaks the step protocol (docs/wire.md). Between crashes it
// has an operating-system process, which may have been that of other nodes before.
type steps struct {
	*program
	random *rand.Rand

	talk    *talk // nil: it does not run
	started bool  // since its last crash, even if it has ended by itself
	draws   bool  // it asks for random numbers
	durable json.RawMessage
	clock   time.Duration
	round   int // in which it was called last
}

// idle are processes of a program that can start again.
type idle struct {
	mutex sync.Mutex
	all   []*talk
}

// Machine says that a node has a clock.
func (p *steps) Machine() system.Machine { return system.Machine{Clock: true, Watches: true} }

// Send lets the time of a round pass, and sends what the node says.
func (p *steps) Send(s *system.Step) {
	conditions := s.Conditions()
	if p.round == 0 && conditions.Start > 1 { // the clock has gone on meanwhile
		p.clock += time.Duration(conditions.Start-1) * p.cluster.Tick
	}
	p.round = s.Round()
	if !p.started {
		p.start(s)
	}
	p.clock += p.cluster.tick(conditions)
	if p.talk == nil {
		return
	}
	q := stepRequest{Do: doSend}
	if p.draws {
		n := p.random.Uint32()
		q.Random = &n
	}
	for _, m := range p.ask(s, q).Send {
		s.Send(m.To, m.payload())
	}
}

// Receive hands over what has arrived.
func (p *steps) Receive(s *system.Step, inbox []system.Message) {
	if p.talk == nil {
		return
	}
	q := stepRequest{Do: doReceive, Messages: make([]stepMessage, 0, len(inbox))}
	for _, m := range inbox {
		said := m.Payload.(stepPayload)
		q.Messages = append(q.Messages, stepMessage{From: m.From, Kind: said.kind, Args: json.RawMessage(said.args)})
	}
	p.ask(s, q)
}

// Restart starts the node again. While it was down, its clock went on.
func (p *steps) Restart(s *system.Step) {
	p.clock += time.Duration(s.Round()-p.round-1) * p.cluster.Tick
	p.round = s.Round()
	p.start(s)
}

// start starts the node, in a process that can start again, or a new one.
func (p *steps) start(s *system.Step) {
	p.started, p.draws = true, false
	var err error
	if p.talk, err = p.process(); err != nil {
		s.Fail(fmt.Errorf("starting node %s: %w", p.Name, err))
		return
	}
	q := stepRequest{Do: doStart, Version: stepsVersion, Node: p.Name, Nodes: s.Processes(), Durable: p.durable}
	if q.Durable == nil {
		q.Durable = json.RawMessage("null")
	}
	a := p.ask(s, q)
	p.draws = a.Random
	if p.talk != nil {
		p.talk.again = a.Again
	}
}

// process returns a process that has nothing to do with what was before.
func (p *steps) process() (*talk, error) {
	p.idle.mutex.Lock()
	defer p.idle.mutex.Unlock()
	if last := len(p.idle.all) - 1; last >= 0 {
		t := p.idle.all[last]
		p.idle.all = p.idle.all[:last]
		t.anew()
		return t, nil
	}
	return p.startSteps()
}

// ask makes a request, and takes the facts of the answer. The answer has nothing in it if
// the node has ended, or the execution has.
func (p *steps) ask(s *system.Step, q stepRequest) (a stepAnswer) {
	q.Round, q.Now = s.Round(), float64(p.clock)/float64(time.Millisecond)
	line, err := p.talk.ask(&q)
	p.log(s, p.talk.printed())
	if err == nil {
		a, err = readStep(line, &q, s.Processes())
	}
	if err != nil {
		p.ends(s, &q, err)
		return stepAnswer{}
	}
	for _, f := range a.Facts {
		s.Fact(f[0].(string), f[1:]...)
	}
	if a.Durable != nil {
		p.durable = bytes.Clone(a.Durable)
	}
	return a
}

// log tells what the lines say that the node has printed.
func (p *steps) log(s *system.Step, all []string) {
	for _, line := range all {
		for _, args := range logEntry(line).facts() {
			s.Fact("log", args...)
		}
	}
}

// ends takes note of a node that has not answered, or with what is no answer.
func (p *steps) ends(s *system.Step, q *stepRequest, err error) {
	t, before := p.talk, p.talk.heard || p.durable != nil
	p.talk = nil
	hang, hangs := err.(*hangError)
	switch {
	case hangs && before:
		t.end()
		s.Died(system.PanicError{Hangs: true, Text: hang.why})
		return
	case hangs:
		err = fmt.Errorf("%s, and has not answered yet: an answer is a line of standard output, which a program has to flush", hang.why)
	case errors.Is(err, errEnded):
		t.wait()
		code := statusOf(t.cmd)
		text := endText(code, t.stderr.String())
		if all := raised.FindAllString(t.stderr.String(), -1); all != nil && strings.HasPrefix(text, exitText) {
			text += ": " + tidy(all[len(all)-1])
		}
		if before {
			p.log(s, t.lines.rest())
			s.Fact("exit", code)
			said, panics := strings.CutPrefix(text, "panic: ")
			s.Died(system.PanicError{Exit: !panics, Text: said})
			return
		}
		err = fmt.Errorf("it ended without an answer: %s%s", exitText+strconv.Itoa(code), indented(t.stderr.Lines(mostLines)))
	}
	t.end()
	s.Fail(fmt.Errorf("node %s, asked to %s in round %d by the step protocol (docs/wire.md): %w", p.Name, q.Do, q.Round, err))
}

// raised is what interpreters print last, or nearly, of an exception.
var raised = regexp.MustCompile(`(?m)^(?:\w+\.)*\w*(?:Error|Exception)(?:: .*)?$`)

// mostLines is how many lines are shown of what a program has printed that never answered.
const mostLines = 12

func indented(lines string) string {
	if lines == "" {
		return ""
	}
	return "\n  " + strings.ReplaceAll(lines, "\n", "\n  ")
}

// Crash ends the node. What it has said is durable stays.
func (p *steps) Crash() {
	p.Close()
	p.started = false
}

// Close ends the node, unless its process can start again.
func (p *steps) Close() {
	t := p.talk
	p.talk = nil
	switch {
	case t == nil:
	case t.again:
		p.idle.mutex.Lock()
		p.idle.all = append(p.idle.all, t)
		p.idle.mutex.Unlock()
	default:
		t.end()
	}
}

// ofSteps tells whether the nodes speak the step protocol. All do or none.
func (c *Cluster) ofSteps() (bool, error) {
	if !slices.ContainsFunc(c.Nodes, func(n Node) bool { return n.Steps }) {
		return false, nil
	}
	without := ""
	for _, n := range c.Nodes {
		switch {
		case !n.Steps:
			without = "other nodes"
		case len(n.Files) > 0:
			without = "files"
		case len(n.Polls) > 0:
			without = "polls"
		case n.Ports != nil || n.Stdio != nil || n.Restart > 0:
			without = "ports, Stdio and Restart"
		}
	}
	switch {
	case len(c.Clients) > 0:
		without = "clients"
	case len(c.Files) > 0:
		without = "files"
	case c.Requests != "":
		without = "requests"
	case c.hasChecker():
		without = "a checker"
	case c.Calls > 0:
		without = "calls"
	case !c.Epoch.IsZero():
		without = "an epoch, because their clocks begin with 0"
	}
	if without != "" {
		return false, fmt.Errorf("nodes that speak the step protocol go without %s", without)
	}
	return true, nil
}
