package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// replicatedSet is a set of which each process has a replica on its disk. What is added
// is sent to the others, and all of the set once more when a process is back.
const replicatedSet = `
added("a", "x")@1; added("b", "y")@2; added("a", "z")@3;
all("a", "b")@1; all("a", "c")@1; all("b", "a")@1; all("b", "c")@1; all("c", "a")@1; all("c", "b")@1;
all(P, Q)@next :- all(P, Q);
fresh(P, V) :- added(P, V);
fresh(P, V) :- booted(P), set(P, V);
set(P, V) :- added(P, V);
set(P, V) :- got(P, Q, V);
set(P, V)@next :- set(P, V);
got(Q, P, V)@async :- fresh(P, V), all(P, Q);
`

// replica is a process of the same as a system.
type replica struct {
	values []string
	booted bool
}

func (p *replica) Restart(*system.Step) { p.booted = true }

func (p *replica) Send(s *system.Step) {
	added := map[string]string{"a 1": "x", "b 2": "y", "a 3": "z"}[fmt.Sprint(s.Process(), " ", s.Round())]
	p.add(added)
	for _, v := range p.values {
		if v != added && !p.booted {
			continue
		}
		for _, to := range s.Processes() {
			if to != s.Process() {
				s.Send(to, v)
			}
		}
	}
	p.booted = false
}

func (p *replica) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		p.add(m.Payload.(string))
		s.Fact("got", m.From, m.Payload)
	}
	for _, v := range p.values {
		s.Fact("set", v)
	}
	s.Fact("up")
}

func (p *replica) add(v string) {
	if v != "" && !slices.Contains(p.values, v) {
		p.values = append(p.values, v)
	}
}

// A replicated set has the same facts as a program and as a system, whatever is lost,
// cut off, late or comes twice, and whoever crashes and comes back. What a process has
// at the end of a round is what it has in the next one of a program.
func TestProgramAndSystemHaveTheSameFacts(t *testing.T) {
	program, err := dedalus.ParseText("set.ded", replicatedSet)
	require.NoError(t, err)
	s := &system.System{
		Name: "set", Processes: []string{"a", "b", "c"}, Rounds: 7,
		New: func(string, *rand.Rand) system.Process { return &replica{} },
	}
	b := rounds.Bounds{
		Processes: s.Processes, EOT: s.Rounds, CrashStop: true, Durable: []string{"set", "all", "got"}, Period: 2, MaxDelay: 3,
		Crashes: 2, Restarts: 2, Omissions: 2, Isolations: 1, Cuts: 2, Delays: 3, Duplicates: 3,
	}
	m, err := lockstep.Compile(program, b, lockstep.Options{})
	require.NoError(t, err)
	random, met := rand.New(rand.NewPCG(5, 8)), map[rounds.Kind]int{}
	for range 2000 {
		schedule := schedules.New(b).Random(random)
		if addsNothing(schedule) {
			continue
		}
		for _, f := range schedule.Faults {
			met[f.Kind]++
		}
		run, err := m.Run(t.Context(), schedule)
		require.NoError(t, err)
		e, err := s.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		has := map[string]bool{}
		for _, f := range e.Facts {
			text := f.Relation
			for _, arg := range f.Args {
				text += " " + arg.Text()
			}
			has[fmt.Sprint(text, " ", f.Round)] = true
		}
		for round := 1; round < s.Rounds; round++ {
			for _, relation := range []string{"set", "got"} {
				var want, got []string
				for _, args := range run.Facts(relation, round+1) {
					if p := args[0].Text(); has[fmt.Sprint("up ", p, " ", round)] && !gone(schedule, p, relation, round+1) {
						text := relation
						for _, arg := range args {
							text += " " + arg.Text()
						}
						want = append(want, text)
					}
				}
				for _, f := range e.Facts {
					if f.Relation == relation && f.Round == round && !gone(schedule, f.Args[0].Text(), relation, round+1) {
						text := relation
						for _, arg := range f.Args {
							text += " " + arg.Text()
						}
						got = append(got, text)
					}
				}
				want = slices.DeleteFunc(want, func(text string) bool {
					return relation == "set" && addedIn(text, round+1) && !slices.Contains(got, text)
				})
				require.ElementsMatch(t, want, got, "%s: %s in round %d", schedule, relation, round)
			}
		}
	}
	for _, kind := range []rounds.Kind{rounds.Crash, rounds.Restart, rounds.Omit, rounds.Isolate, rounds.Cut, rounds.Delay, rounds.Duplicate} {
		require.Greater(t, met[kind], 100, kind)
	}
}

// addsNothing tells whether a process may be down when something is added there: facts
// that a program states hold all the same.
func addsNothing(s rounds.Schedule) bool {
	return slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Crash && (f.Process == "a" && f.Round <= 3 || f.Process == "b" && f.Round <= 2)
	})
}

// gone tells whether a program has in a round what its process had got when it crashed.
func gone(s rounds.Schedule, process, relation string, round int) bool {
	return relation == "got" && slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Restart && f.Process == process && f.Round == round
	})
}

// addedIn tells whether a fact comes about in a round because it is added then.
func addedIn(text string, round int) bool {
	return fmt.Sprint(text, " ", round) == "set b y 2" || fmt.Sprint(text, " ", round) == "set a z 3"
}
