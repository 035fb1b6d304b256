package mapreduce

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// Once is what is asked of the resource manager: a job that its client knows to be finished
// is not run again.
var Once = rules.New("once", `violation(R) :- relaunches(R, T), done(_, T).`)

// Early and Unregistered return a job with its client c, its application master m and the
// resource manager r, which crashes and comes back: with MAPREDUCE-5505 and without.
//
// The application master works for two rounds, and then unregisters until that is answered.
// The resource manager has the job out of its state store in the round after; back from a
// crash it launches again what is in the store. The bug is in two places. The client is told
// of the end when the job has finished, and not when it is unregistered (MAPREDUCE-5505); and
// an unregistration is answered before the job is out of the store (YARN-540). EarlyClient and
// EarlyAnswer have one of them each, which is enough.
func Early() *system.System        { return relaunch("mapreduce-5505", true, true) }
func EarlyClient() *system.System  { return relaunch("mapreduce-5505-client", true, false) }
func EarlyAnswer() *system.System  { return relaunch("mapreduce-5505-answer", false, true) }
func Unregistered() *system.System { return relaunch("mapreduce-5505-fixed", false, false) }

func relaunch(name string, client, answer bool) *system.System {
	return &system.System{
		Name: name, Processes: []string{"c", "m", "r"}, Rounds: 14, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			switch name {
			case "c":
				return &process[customer]{turn: (*customer).turn}
			case "m":
				return &process[master]{state: master{early: client}, turn: (*master).turn}
			default:
				return &process[registry]{state: registry{early: answer, stored: true}, turn: (*registry).turn, restart: registry.restart}
			}
		},
		Properties: []property.Property{Once},
		Faults:     rounds.Bounds{Crashes: 2, Restarts: 2, NeverCrash: []string{"c", "m"}},
	}
}

// The messages of a job that ends.
type (
	unregister   struct{}
	unregistered struct{}
	finished     struct{}
)

// customer is the client.
type customer struct{ done bool }

func (c *customer) turn(s *system.Step, inbox []system.Message) {
	if c.done = c.done || came[finished](inbox); c.done {
		s.Fact("done")
	}
}

// master is the application master.
type master struct {
	early        bool // it tells the client before it is unregistered
	unregistered bool
}

func (m *master) turn(s *system.Step, inbox []system.Message) {
	answered := came[unregistered](inbox)
	if s.Round() >= 2 && !m.unregistered {
		s.Send("r", unregister{})
	}
	if m.early && s.Round() == 2 || !m.early && answered {
		s.Send("c", finished{})
	}
	m.unregistered = m.unregistered || answered
}

// registry is the resource manager.
type registry struct {
	early    bool // it answers before the job is out of the store
	stored   bool // on its disk
	removing bool // from the store, in this round
	booted   bool
}

func (r *registry) turn(s *system.Step, inbox []system.Message) {
	if r.booted && r.stored {
		s.Fact("relaunches")
	}
	asked := came[unregister](inbox)
	if asked && (r.early || !r.stored) {
		s.Send("m", unregistered{})
	}
	r.stored = r.stored && !r.removing
	r.removing, r.booted = asked, false
}

// restart reads the store.
func (r registry) restart() registry {
	return registry{early: r.early, stored: r.stored, booted: true}
}
