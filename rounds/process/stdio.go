package process

import (
	"bytes"

	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Stdio is what stands behind the standard input and output of one node, where lines on
// these are how it talks to others ([Node.Stdio]). Its methods are not called while the
// program is down, and Start is called first, after each start.
type Stdio interface {
	// Start gets what hands lines to the standard input of the program.
	Start(input func(line []byte))
	// Line takes a line of the standard output, without its end.
	Line(line []byte)
	// Repeats tells whether a line of the error output says nothing that the recording
	// does not have. It is left out of the log.
	Repeats(line string) bool
	// Request takes what a client asks of the node in this round.
	Request(r system.Request)
	// Receive takes a message that another process has sent.
	Receive(m system.Message)
	// Send sends what there is to send in this round.
	Send(s *system.Step)
	// Report reports facts, at the end of Send and of Receive of the process.
	Report(s *system.Step)
}

// inputArrives is the event that the standard input goes on.
const inputArrives = 'I'

// input hands a line to the standard input.
func (p *process) input(line []byte) {
	p.events = append(p.events, network.Event{Kind: inputArrives, Bytes: append(bytes.Clone(line), '\n')})
}

// startStdio starts what talks to the program that starts.
func (p *process) startStdio() {
	if p.Stdio != nil {
		p.stdio = p.Stdio(p.Name)
		p.stdio.Start(p.input)
	}
}

// ask hands over what clients ask in this round.
func (p *process) ask(s *system.Step) {
	if p.stdio != nil && p.child != nil {
		for _, r := range s.Requests() {
			p.stdio.Request(r)
		}
	}
}

// takeOutput takes standard output, if that is more than a log.
func (p *process) takeOutput(written []byte) bool {
	if p.stdio == nil {
		return false
	}
	for _, line := range p.child.lines[output].add(written) {
		p.stdio.Line([]byte(line))
	}
	return true
}
