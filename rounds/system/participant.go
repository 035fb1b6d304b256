package system

import "github.com/lineage-driven/ldfi/rounds"

// participant is a process in an execution, and what belongs to it.
type participant struct {
	name          string
	process       Process
	ticker        Ticker        // nil if it is none
	fingerprinter Fingerprinter // nil if it is none
	crasher       Crasher       // nil if it is none
	closer        Closer        // nil if it is none, or closed
	disk          DiskCrasher   // nil if it is none
	machine       Machine       // what it says of it
	random        *random
	step          Step

	declared   bool           // its points are known
	points     []string       // where it can crash within a round, as it says
	faults     []rounds.Fault // what happens to it and its machine, by round
	absent     bool           // it has not joined or started yet
	begins     bool           // it has not started yet, as the settings say
	refusals   []envelope     // what its machine answers meanwhile
	down       bool           // it has crashed
	ending     rounds.Fault   // it crashes in this round, at a point or at the end; zero if it does not
	fell       bool           // it has come to that point, before it received anything
	crashed    bool           // it has come to that point in Receive
	passed     []string       // the points that it has come to in this round
	restarting bool           // it is to restart before it is called again
	restarted  bool           // it restarts in this round
	died       bool           // it has ended by itself in this round
	told       int            // of how many crashes since it last took part in a round
	kept       string         // what its disk kept in these, if that was anything
	paused     bool           // it is paused in this round
	affected   bool           // its machine may not be as it should be
	conditions Conditions     // of its machine in this round, but for the order of goroutines
	more       int            // ticks in this round than a round has: by a clock that runs wrong
	extra      int            // ticks in this round that the schedule adds
	inbox      []Message      // what arrives in this round
	held       []Message      // what came while it stood still
	heldAt     []int          // the places of those in the recording
	wokenAt    []int          // of those that arrive in this round
	own        int            // how many had come before anything that is sent in this round, where order matters
	waiting    []Request      // what clients asked meanwhile
	reported   marks          // in this round
	state      string         // before the round; empty if it has no name yet
	history    history        // what its state follows from, if it has no fingerprint
}

// reset makes the participant as it is before the first round.
func (p *participant) reset() {
	*p = participant{
		name: p.name, random: p.random, step: p.step, declared: p.declared, points: p.points, passed: p.passed[:0],
		faults: p.faults[:0], refusals: p.refusals[:0], inbox: p.inbox[:0], held: p.held[:0], heldAt: p.heldAt[:0], wokenAt: p.wokenAt[:0], waiting: p.waiting[:0],
	}
	p.step.requests, p.step.outbox, p.step.facts = nil, p.step.outbox[:0], p.step.facts[:0]
}

// active tells whether the process takes part in the round.
func (p *participant) active() bool { return !p.down && !p.paused && !p.absent }
