package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	require.ErrorContains(t, err, "first in round 3 at process a, in its messages sent:\n  the first has  message to b: 1\n  the second has message to b: 2\n")

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
