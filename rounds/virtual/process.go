package virtual

import (
	"math/rand/v2"
	"testing/synctest"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// process is a server in rounds. Between crashes it has a machine, and a bubble for
// the goroutines of that. Its disk survives.
type process struct {
	options    Options
	name       string
	random     *rand.Rand
	execution  uint64
	disk       *disk.Disk
	belongings *belongings
	torn       uint64 // where what a torn disk keeps comes from; 0: not drawn
	closed     bool

	machine *Machine // nil: it does not run
	bubble  *bubble.Bubble
	server  *server
	clock   time.Duration // of the machine
	round   int           // in which it was called last
}

// inexact is why executions may differ without the overlay.
const inexact = "the program was built without ldfi overlay"

// Machine says what the machine has.
func (p *process) Machine() system.Machine {
	m := system.Machine{Clock: true, Disk: p.options.Disk, Goroutines: bubble.Exact(), Single: true}
	if !bubble.Exact() {
		m.Inexact = inexact
	}
	return m
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
	conditions := s.Conditions()
	if p.round == 0 && p.machine == nil && conditions.Start > 1 { // the clock has gone on meanwhile
		p.clock += time.Duration(conditions.Start-1) * p.options.Tick
	}
	p.round = s.Round()
	tick := p.tick(conditions)
	if p.machine == nil {
		if p.options.Lazy && len(s.Requests()) == 0 {
			p.clock += tick
			return
		}
		p.start(s)
	}
	p.disk.FailSync(conditions.FailSync)
	seed, order := p.seeds(s)
	p.bubble.Do(func() {
		p.bubble.Reseed(seed, order)
		p.machine.enter(s.Round())
		p.machine.network.Settle()
		for _, r := range s.Requests() {
			p.server.ask(r)
		}
		time.Sleep(tick)
		synctest.Wait()
		p.machine.network.Collect(s.Send)
	})
	p.clock += tick
	p.told(s)
}

// Receive lets the server read what has arrived, and report.
func (p *process) Receive(s *system.Step, inbox []system.Message) {
	if p.machine == nil {
		if len(inbox) == 0 {
			return // it is lazy, and nobody has used it
		}
		p.start(s)
	}
	if len(inbox) > 0 || p.server.reporter() != nil { // otherwise all have been at rest since Send
		p.bubble.Do(func() {
			for _, m := range inbox {
				p.machine.network.Deliver(m.From, m.Payload)
			}
			if len(inbox) > 0 {
				synctest.Wait()
			}
			p.server.report(p.machine)
		})
	}
	p.told(s)
	if why := bubble.Disturbed(p.execution); why != "" {
		s.Inexact(why)
	}
}

// tick returns by how much the clock goes on in a round.
func (p *process) tick(c system.Conditions) time.Duration {
	drift := time.Duration(float64(p.options.Tick) * p.options.Drift)
	return p.options.Tick + time.Duration(c.Clock)*drift + time.Duration(c.Jump)*p.options.Tick
}

// seeds returns where what is random in a round comes from, and the order of
// goroutines. Without the overlay nothing is drawn.
func (p *process) seeds(s *system.Step) (seed, order uint64) {
	if !bubble.Exact() {
		return 0, 0
	}
	if goroutines := s.Conditions().Goroutines; goroutines.Given {
		order = p.order(goroutines, s)
	}
	return p.random.Uint64(), order
}

// order returns where the order of goroutines in a round comes from: never 0.
func (p *process) order(goroutines rounds.Setting, s *system.Step) uint64 {
	drawn := rand.NewPCG(goroutines.Value, uint64(s.Round()))
	for _, name := range s.Processes() {
		order := drawn.Uint64() | 1
		if name == p.name {
			return order
		}
	}
	return 1
}

// start starts the server in a new bubble.
func (p *process) start(s *system.Step) {
	m := &Machine{
		name: p.name, names: s.Processes(), random: rand.New(&source{from: p.random}), round: s.Round(),
		disk: p.disk, hasDisk: p.options.Disk, belongings: p.belongings,
	}
	if !s.Conditions().Warming {
		m.log = p.options.Log
	}
	p.machine, p.server = m, &server{machine: m}
	p.disk.FailSync(s.Conditions().FailSync)
	p.drawTorn()
	seed, order := p.seeds(s)
	o := &owner{machine: m}
	p.bubble = bubble.Start(bubble.Options{Seed: seed, Order: order, Owner: o})
	p.bubble.Do(func() {
		time.Sleep(p.clock)
		m.network = network.New(network.Options{
			Name: p.name, Names: s.Processes(), Text: p.options.Text, ResetAfter: p.options.ResetAfter, Latency: s.Latencies(),
		})
		o.Host = m.network
		p.server.start(p.options.Start)
		synctest.Wait()
	})
}

// told reports what the server has told, and how it has ended itself.
func (p *process) told(s *system.Step) {
	p.machine.report(s)
	if wrong := p.belongings.wrong; wrong != nil {
		panic(wrong)
	}
	if p.server.wrong != nil {
		panic(p.server.wrong)
	}
	if death := p.machine.death(); death != nil {
		s.Died(*death)
	}
}

// Crash takes the effects of everything that the server does, and ends it.
func (p *process) Crash() { p.CrashDisk(disk.Lost) }

// tearing returns the random numbers of a crash. They do not depend on what the server,
// or the overlay, has drawn before, so that a schedule tears alike in all builds.
func (p *process) tearing() *rand.Rand {
	p.drawTorn()
	return rand.New(rand.NewPCG(p.torn, uint64(p.round)))
}

// drawTorn draws where they come from: first of all that is drawn.
func (p *process) drawTorn() {
	if p.torn == 0 && p.options.Disk {
		p.torn = p.random.Uint64() | 1
	}
}

// CrashDisk is Crash, and says what becomes of what was not synced.
func (p *process) CrashDisk(outcome string) {
	restore := func() {}
	p.end(func() {
		if p.machine != nil {
			restore = p.crash()
		}
		left, err := p.disk.Crash(outcome, p.tearing())
		if err != nil {
			panic(err)
		}
		p.disk = left
	})
	restore()
}

// Close ends the server.
func (p *process) Close() {
	if !p.closed {
		p.closed = true
		defer bubble.Leave(p.execution)
		p.end(func() {})
		p.belongings.release()
	}
}

// patience is how long the goroutines of a server have to end, by their clock.
const patience = 10 * time.Second

// end cuts the machine off, fences its disk, stops the server, and ends the bubble.
func (p *process) end(fence func()) {
	if p.machine == nil {
		fence()
		return
	}
	p.bubble.Do(p.machine.cut)
	fence()
	p.bubble.Do(func() {
		p.server.stop()
		synctest.Wait()
		p.machine.network.Crash()
		time.Sleep(patience)
		synctest.Wait()
	})
	left := p.bubble.End()
	p.machine = nil
	outlive(p.name, left)
}
