package strategies_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// patient counts how often it is told that it crashes; the third time is too much
// for one that minds.
type patient struct {
	told  int
	minds bool
}

func (p *patient) Send(s *system.Step)                        { s.Send("a", p.told) }
func (p *patient) Receive(s *system.Step, _ []system.Message) { s.Fact("told", p.told) }
func (p *patient) Restart(*system.Step)                       {}
func (p *patient) Fingerprint() string                        { return fmt.Sprint(p.told) }
func (p *patient) Snapshot() any                              { return p.told }
func (p *patient) Restore(snapshot any)                       { p.told = snapshot.(int) }

func (p *patient) Crash() {
	if p.told++; p.told > 2 && p.minds {
		panic("again")
	}
}

// A process that is paused when it comes back can be told of another crash before it
// does anything: what that leaves behind is another state.
func TestToldAgainWhilePaused(t *testing.T) {
	for _, c := range []struct {
		rule  string
		minds bool
		want  int // faults; -1: it holds
	}{
		{`violation(P) :- told(P, 3, R).`, false, 6},
		{`violation(P) :- told(P, 0, R), told(P, 2, S), !ones(P). ones(P) :- told(P, 1, R).`, false, 5},
		{`violation(P) :- told(P, 4, R).`, false, -1},
		{`violation(P) :- told(P, 4, R).`, true, 5},
	} {
		s := &system.System{
			Name: "patient", Processes: []string{"a"}, Rounds: 4, Fixed: true,
			New:        func(string, *rand.Rand) system.Process { return &patient{minds: c.minds} },
			Properties: []property.Property{rules.New("told", c.rule)},
		}
		subject := target{System: s, Bounds: rounds.Bounds{Crashes: 3, Restarts: 3, Pauses: 1, Period: 2}}
		if !c.minds {
			fewest, _ := bruteForce(t, subject)
			require.Equal(t, c.want, fewest, c.rule)
		}
		for _, way := range []string{"exhaustive", "learn"} {
			a, err := find(t.Context(), way, subject, search.Options{})
			require.NoError(t, err, "%s: %s", way, c.rule)
			if c.want < 0 {
				require.Equal(t, result.Holds, a.Verdict, "%s: %s", way, c.rule)
				continue
			}
			require.Equal(t, result.Violated, a.Verdict, "%s: %s", way, c.rule)
			require.Equal(t, c.want, a.First().Size, "%s: %s", way, c.rule)
		}
	}
}

// asked is a process that reports how many requests it gets when it comes back.
type asked struct{ back bool }

func (p *asked) Send(s *system.Step) {
	if p.back {
		s.Fact("asked", len(s.Requests()))
	}
	p.back = false
}

func (p *asked) Receive(*system.Step, []system.Message) {}
func (p *asked) Restart(*system.Step)                   { p.back = true }
func (p *asked) Fingerprint() string                    { return "same" }
func (p *asked) Snapshot() any                          { return nil }
func (p *asked) Restore(any)                            { p.back = false }

// A paused process that is to restart afterwards is not in the state of one that is
// paused only, although both look the same.
func TestRestartsBehindItsPause(t *testing.T) {
	s := &system.System{
		Name: "asked", Processes: []string{"a"}, Rounds: 4, Fixed: true,
		New:        func(string, *rand.Rand) system.Process { return &asked{} },
		Requests:   []system.Request{{Round: 2, Process: "a"}, {Round: 3, Process: "a"}},
		Properties: []property.Property{rules.New("asked", `violation(P) :- asked(P, 2, R).`)},
	}
	subject := target{System: s, Bounds: rounds.Bounds{Crashes: 1, Restarts: 1, Pauses: 1, Period: 2}}
	fewest, _ := bruteForce(t, subject)
	require.Equal(t, 3, fewest)
	for _, way := range []string{"exhaustive", "learn"} {
		a, err := find(t.Context(), way, subject, search.Options{})
		require.NoError(t, err, way)
		require.Equal(t, result.Violated, a.Verdict, way)
		require.Equal(t, 3, a.First().Size, way)
	}
}
