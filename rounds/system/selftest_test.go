package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

func TestCheckDeterminism(t *testing.T) {
	require.NoError(t, lotteries().CheckDeterminism(context.Background(), 100, 1))
	var log []string
	require.NoError(t, counting(&log).CheckDeterminism(context.Background(), 100, 1))

	// A process that counts in a variable that all executions share.
	calls := 0
	s := one(script{send: func(s *system.Step) {
		if s.Round() == 3 {
			calls++
			s.Send("b", calls)
		}
	}})
	err := s.CheckDeterminism(context.Background(), 10, 1)
	var different *system.NondeterminismError
	require.ErrorAs(t, err, &different)
	require.Equal(t, 3, different.Round)
	require.Equal(t, "a", different.Process)
	require.Equal(t, "messages sent", different.What)
	require.ErrorContains(t, err, "first in round 3 at process a, in its messages sent:\n  the first has  message to b: ")
	require.Empty(t, different.Schedule.Faults, "none is needed")

	s = one(script{receive: func(s *system.Step, _ []system.Message) {
		calls++
		s.Fact("call", calls)
	}})
	require.ErrorContains(t, s.CheckDeterminism(context.Background(), 10, 1), "in its facts:\n  the first has  call(\"a\", ")

	s = one(script{send: func(s *system.Step) {
		if calls++; calls%2 == 0 {
			s.Broadcast("again")
		}
	}})
	s.Rounds = 5
	require.ErrorContains(t, s.CheckDeterminism(context.Background(), 10, 1), "the first has  nothing\n  the second has message to b: again\n")
}

// voter votes for the first candidate of each term that it hears of.
type voter struct {
	name                string
	term                int
	candidate           string
	forgets, quiet      bool
	storedTerm          int // what is in stable storage
	storedCandidate     string
	neverReports, early bool
}

func (v *voter) Send(s *system.Step) {
	if !v.neverReports && v.early && v.term > 0 {
		s.Fact("vote", v.term, v.candidate)
	}
	if s.Rand().IntN(3) == 0 {
		s.Broadcast(vote{s.Round()/3 + 1})
	}
}

func (v *voter) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		if term := m.Payload.(vote).Term; term > v.term {
			v.term, v.candidate = term, m.From
			v.storedTerm, v.storedCandidate = v.term, v.candidate
		}
	}
	if v.term > 0 && !v.neverReports {
		s.Fact("vote", v.term, v.candidate)
	}
}

func (v *voter) Restart(s *system.Step) {
	v.term, v.candidate = v.storedTerm, v.storedCandidate
	if v.forgets {
		v.term, v.candidate = 0, ""
	}
	if v.term > 0 && !v.quiet {
		s.Fact("vote", v.term, v.candidate)
	}
}

func voters(v voter) *system.System {
	return &system.System{
		Name: "voters", Processes: []string{"a", "b", "c"}, Rounds: 12, Durable: []string{"vote/2"},
		New: func(name string, _ *rand.Rand) system.Process {
			w := v
			w.name = name
			return &w
		},
	}
}

func TestCheckDurability(t *testing.T) {
	ctx := context.Background()
	require.NoError(t, voters(voter{}).CheckDurability(ctx, 200, 1))
	require.NoError(t, voters(voter{early: true}).CheckDurability(ctx, 200, 1))

	err := voters(voter{forgets: true}).CheckDurability(ctx, 200, 1)
	var forgotten *system.DurabilityError
	require.ErrorAs(t, err, &forgotten)
	require.Equal(t, "vote", forgotten.Before.Relation)
	require.ErrorContains(t, err, "and does not any more when it restarts in round")

	s := voters(voter{forgets: true})
	s.Durable = []string{"nothing", "vote/1"}
	require.ErrorAs(t, s.CheckDurability(ctx, 200, 1), &forgotten)
	require.Contains(t, forgotten.Error(), "and later vote(", "a vote is not a function of the process alone")

	for _, test := range []struct {
		system  *system.System
		durable []string
		message string
	}{
		{voters(voter{}), nil, `its Durable names no relations, such as "vote/2"`},
		{voters(voter{}), []string{"vote/x"}, `"vote/x" is not a relation`},
		{voters(voter{}), []string{"vote/0"}, `"vote/0" is not a relation`},
		{voters(voter{neverReports: true, quiet: true}), []string{"vote"}, `no process has reported a fact of "vote" in 20 executions, so nothing was tested`},
		{gossips, []string{"value"}, `(system.Restarter)`},
	} {
		checked := *test.system
		checked.Durable = test.durable
		if err := checked.CheckDurability(ctx, 20, 1); test.message == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, test.message)
		}
	}
}

// secretive has state that its fingerprint leaves out.
type secretive struct{ shown, hidden int }

func (p *secretive) Send(s *system.Step) { s.Broadcast(p.hidden) }
func (p *secretive) Receive(_ *system.Step, inbox []system.Message) {
	p.hidden += len(inbox)
	p.shown++
}
func (p *secretive) Fingerprint() string { return fmt.Sprint(p.shown) }

// forgetful has state that its snapshot leaves out.
type forgetful struct{ lottery }

func (p *forgetful) Restore(any) {}

func TestCheckState(t *testing.T) {
	ctx := context.Background()
	require.NoError(t, lotteries().CheckState(ctx, 100, 1))
	var log []string
	require.NoError(t, counting(&log).CheckState(ctx, 100, 1))

	s := lotteries()
	s.New = func(string, *rand.Rand) system.Process { return &secretive{} }
	err := s.CheckState(ctx, 100, 1)
	var hidden *system.NondeterminismError
	require.ErrorAs(t, err, &hidden)
	require.ErrorContains(t, err, "has state that its fingerprint or snapshot does not have: in state \"")

	s.New = func(string, *rand.Rand) system.Process { return &forgetful{} }
	require.ErrorAs(t, s.CheckState(ctx, 100, 1), &hidden)
}

// reticent reports how much it has heard, which its fingerprint leaves out.
type reticent struct{ secretive }

func (p *reticent) Send(s *system.Step) { s.Broadcast("hello") }
func (p *reticent) Receive(s *system.Step, inbox []system.Message) {
	p.secretive.Receive(s, inbox)
	s.Fact("heard", p.hidden)
}

// No fault can be left out of the schedules of findings.
func TestSelfTestsMinimise(t *testing.T) {
	s := lotteries()
	s.New = func(string, *rand.Rand) system.Process { return &reticent{} }
	var hidden *system.NondeterminismError
	require.ErrorAs(t, s.CheckState(t.Context(), 100, 1), &hidden)
	require.Equal(t, 1, hidden.Schedule.Size()+hidden.Other.Size(), "%s and %s", hidden.Schedule, hidden.Other)

	var forgotten *system.DurabilityError
	require.ErrorAs(t, voters(voter{forgets: true}).CheckDurability(t.Context(), 200, 1), &forgotten)
	require.Equal(t, 2, forgotten.Schedule.Size(), "a crash and a restart: %s", forgotten.Schedule)

	s = one(script{receive: func(s *system.Step, inbox []system.Message) {
		if s.Round() == 2 {
			panic("now")
		}
	}})
	require.ErrorContains(t, s.CheckDeterminism(t.Context(), 10, 1), `the execution under "": `)
}

// unnamed has fingerprints for its first state only.
type unnamed struct{ secretive }

func (p *unnamed) Fingerprint() string {
	if p.shown == 0 {
		return "new"
	}
	return ""
}

// To have no fingerprint is an answer: nothing is compared, and that is said.
func TestSelfTestsWithoutFingerprints(t *testing.T) {
	s := lotteries()
	tests, err := s.SelfTests(t.Context(), 50, 1)
	require.NoError(t, err)
	require.Len(t, tests, 4)
	require.Empty(t, slices.Concat(tests[0].Found, tests[1].Found, tests[2].Found, tests[3].Found))
	require.Equal(t, []int{50, 100}, []int{tests[0].Schedules, tests[0].Executions})
	require.Equal(t, []int{50, 50}, []int{tests[1].Schedules, tests[1].Executions})
	require.Positive(t, tests[1].States)
	require.Greater(t, tests[1].Compared, tests[1].States)
	require.Zero(t, tests[1].Unnamed)
	require.Contains(t, tests[2].Skipped, "names no durable facts")

	s.New = func(string, *rand.Rand) system.Process { return &unnamed{} }
	tests, err = s.SelfTests(t.Context(), 50, 1)
	require.NoError(t, err)
	require.Empty(t, tests[1].Found)
	require.Positive(t, tests[1].Unnamed)
	require.Zero(t, tests[1].Compared)

	tests, err = voters(voter{}).SelfTests(t.Context(), 50, 1)
	require.NoError(t, err)
	require.Contains(t, tests[1].Skipped, "no fingerprints")
	require.Zero(t, tests[1].Executions)
	require.Empty(t, tests[2].Skipped)
	require.Positive(t, tests[2].Crashes)

	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, err = s.SelfTests(stopped, 50, 1)
	require.ErrorIs(t, err, context.Canceled)
}
