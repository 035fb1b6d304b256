package virtual

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing/synctest"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// process is a server in rounds. Between crashes it has a machine, and a bubble for
// the goroutines of that.
type process struct {
	options Options
	name    string
	random  *rand.Rand

	machine *Machine // nil: it does not run
	bubble  *bubble.Bubble
	server  server
	disk    *disk.Disk    // of the machine, and of the next one
	clock   time.Duration // of the machine
	round   int           // in which it was called last
}

// server is what Start has returned, or will return.
type server struct {
	mutex   sync.Mutex
	started chan struct{} // closed when it has
	gone    chan struct{} // closed when it will not
	server  Server
	failed  any // what went wrong in the code of the server
}

// Restart starts the server anew. While it was down, its clock went on.
func (p *process) Restart(s *system.Step) {
	p.clock += time.Duration(s.Round()-p.round-1) * p.options.Tick
	p.start(s)
	p.told(s)
}

// Send hands over what clients ask, lets the time of a round pass, and sends what the
// server has sent.
func (p *process) Send(s *system.Step) {
	if p.machine == nil {
		p.start(s)
	}
	p.round = s.Round()
	p.disk.FailSync(s.Conditions().FailSync)
	p.bubble.Do(func() {
		p.machine.enter(s.Round())
		p.machine.network.Settle()
		for _, r := range s.Requests() {
			p.ask(r)
		}
		time.Sleep(p.options.Tick)
		synctest.Wait()
		p.machine.network.Collect(s.Send)
	})
	p.clock += p.options.Tick
	p.told(s)
}

// Receive lets the server read what has arrived, and report.
func (p *process) Receive(s *system.Step, inbox []system.Message) {
	p.bubble.Do(func() {
		for _, m := range inbox {
			p.machine.network.Deliver(m.From, m.Payload)
		}
		synctest.Wait()
		p.report()
	})
	p.told(s)
}

// Machine says what there is of the machine that faults can be about.
func (p *process) Machine() system.Machine { return system.Machine{Disk: true} }

// CrashDisk takes the effects of everything that the server does, and ends it. Of its
// disk remains what the outcome says.
func (p *process) CrashDisk(outcome string) { p.end(outcome) }

// Close ends the server.
func (p *process) Close() { p.end(disk.Lost) }

// start starts the server in a new bubble.
func (p *process) start(s *system.Step) {
	if p.disk == nil {
		p.disk = disk.New()
	}
	p.disk.FailSync(s.Conditions().FailSync)
	p.machine = &Machine{name: p.name, disk: p.disk, names: s.Processes(), random: rand.New(&source{from: p.random}), log: p.options.Log, round: s.Round()}
	p.server = server{}
	p.bubble = bubble.Start(bubble.Options{Owner: p.machine})
	p.bubble.Do(func() {
		time.Sleep(p.clock)
		p.machine.network = network.New(network.Options{
			Name: p.name, Names: s.Processes(), Text: p.options.Text, ResetAfter: p.options.ResetAfter,
		})
		p.server.started, p.server.gone = make(chan struct{}), make(chan struct{})
		p.server.goes(func() {
			started, err := p.options.Start(p.machine)
			if err == nil && started == nil {
				err = fmt.Errorf("Start returns no server")
			}
			if err != nil {
				panic(err)
			}
			p.server.server = started
			close(p.server.started)
		})
		synctest.Wait()
	})
}

// goes runs code of the server in a goroutine of its own.
func (v *server) goes(code func()) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if value := recover(); value != nil {
				v.fail(value)
			}
		}()
		code()
	}()
	return done
}

// fail says what is wrong with the server: what comes first.
func (v *server) fail(value any) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.failed == nil {
		v.failed = value
	}
}

// ask hands over a request, when the server has started.
func (p *process) ask(r system.Request) {
	p.server.goes(func() {
		select {
		case <-p.server.started:
		case <-p.server.gone:
			return
		}
		requester, ok := p.server.server.(Requester)
		if !ok {
			panic(fmt.Errorf("a client asks %v of it, but it takes no requests: give the server a method Request(system.Request)", r.Payload))
		}
		requester.Request(r)
	})
}

// report lets the server report facts, if it has started and has something to report.
func (p *process) report() {
	reporter, ok := p.server.server.(Reporter)
	if !ok {
		return
	}
	done := p.server.goes(func() { reporter.Report(p.machine) })
	synctest.Wait()
	select {
	case <-done:
	default:
		p.server.fail("Report waits for something that does not happen in this round: it must only tell what is there")
	}
}

// told reports what the server has told, and what is wrong with it.
func (p *process) told(s *system.Step) {
	p.machine.report(s)
	p.server.mutex.Lock()
	defer p.server.mutex.Unlock()
	if p.server.failed != nil {
		panic(p.server.failed)
	}
}

// patience is how long the goroutines of a server have to end, by their clock.
const patience = 10 * time.Second

// end ends the server, and the bubble, when nothing reaches the network and the disk
// any more.
func (p *process) end(outcome string) {
	if p.machine == nil {
		return
	}
	left, err := p.disk.Crash(outcome, p.random)
	if err != nil {
		panic(err)
	}
	p.disk = left
	p.bubble.Do(func() {
		p.machine.network.Crash()
		close(p.server.gone)
		if p.server.server != nil {
			p.server.goes(p.server.server.Stop)
		}
		time.Sleep(patience)
		synctest.Wait()
	})
	p.bubble.End()
	p.machine = nil
}

func (m *Machine) enter(round int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.round = round
}
