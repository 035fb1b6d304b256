package mapreduce

import (
	"math/rand/v2"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// Succeeds is what is asked of speculation: a task of which an attempt succeeds succeeds.
var Succeeds = rules.New("a success stands", `violation(M) :- succeeded(M, R), failed(M, R).`)

// OneSuccess and TwoSuccesses return a task of the application master m and two workers, v
// and w: with MAPREDUCE-4748 and without. A straggler, which the source has one of, is a
// message that comes late.
//
// The application master launches an attempt on v, and when it has not heard of progress for
// two rounds another one on w. It takes the first success, and has the other attempt killed.
// An attempt makes progress for three rounds, and then succeeds. The bug: a task that has
// succeeded does not expect that another attempt of it succeeds, and fails.
func OneSuccess() *system.System   { return speculation("mapreduce-4748", false) }
func TwoSuccesses() *system.System { return speculation("mapreduce-4748-fixed", true) }

func speculation(name string, expectsTwo bool) *system.System {
	return &system.System{
		Name: name, Processes: []string{"m", "v", "w"}, Rounds: 20, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			if name == "m" {
				return &process[task]{state: task{expectsTwo: expectsTwo, launches: "v"}, turn: (*task).turn}
			}
			return &process[attempt]{turn: (*attempt).turn}
		},
		Properties: []property.Property{Succeeds},
		Faults:     rounds.Bounds{Delays: 2, MaxDelay: 3, EFF: 12},
	}
}

// The messages of a task.
type (
	launch   struct{}
	progress struct{}
	success  struct{}
	kill     struct{}
)

// task is the state of the application master.
type task struct {
	expectsTwo        bool
	launches          string // where it is to launch an attempt in this round
	launched          string // where it has launched some
	succeeded, failed bool
}

func (t *task) turn(s *system.Step, inbox []system.Message) {
	t.say(s)
	successes := from[success](inbox)
	t.launched += t.launches
	if t.launches != "" {
		s.Send(t.launches, launch{})
	}
	t.launches = ""
	waits := s.Round() >= 3 && !strings.Contains(t.launched, "w")
	if waits && !t.succeeded && len(successes) == 0 && !came[progress](inbox) {
		t.launches = "w"
	}
	for _, by := range successes {
		for _, other := range t.launched {
			if string(other) != by {
				s.Send(string(other), kill{})
			}
		}
	}
	t.failed = t.failed || t.succeeded && len(successes) > 0 && !t.expectsTwo
	t.succeeded = t.succeeded || len(successes) > 0
}

// say reports what the property asks for.
func (t *task) say(s *system.Step) {
	if t.succeeded {
		s.Fact("succeeded")
	}
	if t.failed {
		s.Fact("failed")
	}
}

// attempt is the state of a worker: for how many rounds it has run the task; 0: it does not.
type attempt struct{ runs int }

func (a *attempt) turn(s *system.Step, inbox []system.Message) {
	if came[launch](inbox) {
		a.runs = 1
	}
	killed := came[kill](inbox)
	switch {
	case a.runs > 0 && a.runs < 4:
		s.Send("m", progress{})
	case a.runs == 4 && !killed:
		s.Send("m", success{})
	}
	if a.runs > 0 && a.runs < 4 && !killed {
		a.runs++
	} else {
		a.runs = 0
	}
}
