package mapreduce

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// patience is for how many rounds an application master waits for what it has launched.
const patience = 6

// Wanted is what is asked of containers: a job is not given what it does not want for five
// rounds.
var Wanted = rules.New("wanted", `violation(M) :- rejected(M, 5, _).`)

// Untold and Told return a job that needs one container: its application master m, the
// resource manager r and two nodes, u and v; with MAPREDUCE-5489 and without. At most two of
// the three that are not the application master crash and come back.
//
// The application master asks in each round in which it has none, and is given one on the
// least node that the resource manager hears from. Where nothing comes of it for six rounds
// it does not want that node again. The bug: its requests do not say so.
func Untold() *system.System { return containers("mapreduce-5489", false) }
func Told() *system.System   { return containers("mapreduce-5489-fixed", true) }

func containers(name string, tells bool) *system.System {
	return &system.System{
		Name: name, Processes: []string{"m", "r", "u", "v"}, Rounds: 24, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			switch name {
			case "m":
				return &process[job]{state: job{tells: tells}, turn: (*job).turn}
			case "r":
				return &process[manager]{turn: (*manager).turn}
			default:
				return &process[worker]{turn: (*worker).turn, restart: func(worker) worker { return worker{} }}
			}
		},
		Properties: []property.Property{Wanted},
		Faults:     rounds.Bounds{Crashes: 2, Restarts: 2, NeverCrash: []string{"m"}},
	}
}

// The messages of a job.
type (
	alive struct{}
	ask   struct{ Without string } // the nodes that are not wanted
	give  struct{ Node string }
	start struct{}
	ended struct{}
)

// job is the state of the application master.
type job struct {
	tells    bool
	waited   int    // the rounds since it was given a container; 0: it has none
	on       string // the node of the last container
	unwanted string // nodes
	done     bool
	rejected int // how often it was given what it does not want
}

func (j *job) turn(s *system.Step, inbox []system.Message) {
	s.Fact("rejected", j.rejected)
	open := j.waited == 0 && !j.done
	given := false
	accepts := ""
	for _, m := range inbox {
		g, ok := m.Payload.(give)
		switch {
		case !ok || !open:
		case strings.Contains(j.unwanted, g.Node):
			j.rejected = min(j.rejected+1, 5)
		default:
			given, accepts = true, g.Node
			s.Send(g.Node, start{})
		}
	}
	if open && !given {
		j.ask(s)
	}
	j.wait(accepts, came[ended](inbox))
}

// ask asks for a container.
func (j *job) ask(s *system.Step) {
	if j.tells {
		s.Send("r", ask{j.unwanted})
	} else {
		s.Send("r", ask{})
	}
}

// wait goes on to the next round: with the container of a node that it accepts, or with the
// one that it has.
func (j *job) wait(accepts string, ended bool) {
	switch {
	case accepts != "":
		j.on, j.waited = accepts, 1
	case j.waited == patience && !ended:
		j.unwanted, j.waited = j.unwanted+j.on, 0
	case ended:
		j.waited = 0
	case j.waited > 0:
		j.waited++
	}
	j.done = j.done || ended
}

// manager is the resource manager, which has no state.
type manager struct{}

func (*manager) turn(s *system.Step, inbox []system.Message) {
	nodes := from[alive](inbox)
	for _, m := range inbox {
		if a, ok := m.Payload.(ask); ok {
			nodes = slices.DeleteFunc(nodes, func(node string) bool { return strings.Contains(a.Without, node) })
			if len(nodes) > 0 {
				s.Send(m.From, give{nodes[0]})
			}
		}
	}
}

// worker is the state of a node.
type worker struct{ works bool }

func (w *worker) turn(s *system.Step, inbox []system.Message) {
	s.Send("r", alive{})
	if w.works {
		s.Send("m", ended{})
	}
	w.works = came[start](inbox)
}
