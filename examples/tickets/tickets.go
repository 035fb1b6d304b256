// Package tickets is a system that shows what a process can offer besides Send and
// Receive: a timer, stable storage, crash points, and ends.
package tickets

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// Hasty and Careful return a desk that hands out tickets with numbers, of which no
// number may be handed out twice. The hasty one does so before it has written down
// that the number is gone.
func Hasty() *system.System   { return desks("tickets-hasty", true) }
func Careful() *system.System { return desks("tickets", false) }

func desks(name string, hasty bool) *system.System {
	s := &system.System{
		Name: name, Processes: []string{"desk"}, Rounds: 8, MinTicks: 1, MaxTicks: 1,
		New: func(string, *rand.Rand) system.Process {
			d := &desk{hasty: hasty}
			d.journal = open(&d.gone)
			return d
		},
		Properties: []property.Property{rules.New("no number twice", `
			# ldfi: crashed=counts
			violation(N) :- ticket(_, N, R), ticket(_, N, S), R != S.`)},
		Durable: []string{"gone"},
		Faults:  rounds.Bounds{Crashes: 1, Restarts: 1},
	}
	for round := 1; round <= 6; round++ {
		s.Requests = append(s.Requests, system.Request{Round: round, Process: "desk", Payload: "a ticket"})
	}
	return s
}

// desk serves one client with each tick.
type desk struct {
	hasty   bool
	gone    int // stable: the numbers up to this one are gone
	last    int // the last number that was handed out
	journal *journal
	waiting []system.Request
}

// Tick serves the client who waits longest.
func (d *desk) Tick(s *system.Step) {
	if len(d.waiting) == 0 {
		return
	}
	next := d.waiting[0]
	d.waiting = d.waiting[1:]
	d.last++
	if d.hasty {
		d.answer(s, next)
		s.At("between")
		d.journal.write(d.last)
	} else {
		d.journal.write(d.last)
		s.At("between")
		d.answer(s, next)
	}
}

func (d *desk) answer(s *system.Step, r system.Request) {
	s.Fact("ticket", d.last)
	s.Reply(r, d.last)
}

// Send takes what clients ask, and reports what is in stable storage.
func (d *desk) Send(s *system.Step) {
	d.waiting = append(d.waiting, s.Requests()...)
	s.Fact("gone", d.gone)
}

// Receive has nothing to do: nobody sends the desk anything.
func (d *desk) Receive(*system.Step, []system.Message) {}

// CrashPoints names the one point of Tick: between the answer and the journal.
func (d *desk) CrashPoints() []string { return []string{"between"} }

// Crash ends the goroutine of the journal, as the crash of a program would.
func (d *desk) Crash() { d.journal.close() }

// Restart goes on from stable storage. Those who waited have to ask again.
func (d *desk) Restart(s *system.Step) {
	*d = desk{hasty: d.hasty, gone: d.gone, last: d.gone}
	d.journal = open(&d.gone)
	s.Fact("gone", d.gone)
}

// Close ends the goroutine when the execution is over. If the desk has crashed and
// not come back, that has happened.
func (d *desk) Close() { d.journal.close() }

// Fingerprint names the local state.
func (d *desk) Fingerprint() string { return fmt.Sprint(d.gone, d.last, d.waiting) }

// journal stands for a library that writes in a goroutine of its own. Every call
// waits for it, so that nothing depends on how goroutines are scheduled.
type journal struct {
	writes chan int
	wrote  chan struct{}
	closed bool
}

func open(gone *int) *journal {
	j := &journal{writes: make(chan int), wrote: make(chan struct{})}
	go func() {
		for n := range j.writes {
			*gone = n
			j.wrote <- struct{}{}
		}
		close(j.wrote)
	}()
	return j
}

func (j *journal) write(n int) {
	j.writes <- n
	<-j.wrote
}

func (j *journal) close() {
	if !j.closed {
		j.closed = true
		close(j.writes)
		<-j.wrote
	}
}
