package system

import "github.com/lineage-driven/ldfi/rounds"

// participant is a process in an execution, and what belongs to it.
type participant struct {
	name          string
	process       Process
	ticker        Ticker        // nil if it is none
	fingerprinter Fingerprinter // nil if it is none
	random        *random
	step          Step

	faults     []rounds.Fault // its crashes, restarts and pauses, by round
	down       bool           // it has crashed
	restarting bool           // it is to restart before it is called again
	restarted  bool           // it restarts in this round
	standing   bool           // it is paused in this round
	inbox      []Message      // what arrives in this round
	kept       []Message      // what came while it stood still
	keptAt     []int          // the places of those in the recording
	waiting    []Request      // what clients asked meanwhile
	reported   marks          // in this round
	state      string         // before the round; empty if it has no name yet
	history    history        // what its state follows from, if it has no fingerprint
}

// reset makes the participant as it is before the first round.
func (p *participant) reset() {
	*p = participant{
		name: p.name, random: p.random, step: p.step,
		faults: p.faults[:0], inbox: p.inbox[:0], kept: p.kept[:0], keptAt: p.keptAt[:0], waiting: p.waiting[:0],
	}
	p.step.requests, p.step.outbox, p.step.facts = nil, p.step.outbox[:0], p.step.facts[:0]
}

// active tells whether the process takes part in the round.
func (p *participant) active() bool { return !p.down && !p.standing }
