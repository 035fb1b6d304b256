package guide

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// candidate asks all others for their vote, and leads when it has heard of two.
type candidate struct {
	term, votes int
	voted       bool
}

type (
	ask  struct{ Term int }
	vote struct{ Term int }
)

func (p *candidate) Send(s *system.Step) {
	switch {
	case s.Process() == "a" && s.Round()%3 == 1:
		p.term, p.votes = p.term+1, 1
		s.Broadcast(ask{p.term})
	case len(s.Requests()) > 0:
		s.Broadcast(ask{p.term + 7})
	case p.voted:
		p.voted = false
		s.Send("a", vote{p.term})
		s.Send("a", vote{p.term + 100})
	}
}

func (p *candidate) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		switch payload := m.Payload.(type) {
		case ask:
			p.term, p.voted = payload.Term, true
			s.Fact("asked", payload.Term)
		case vote:
			if p.votes++; p.votes == 2 {
				s.Fact("leads", p.term)
			}
		}
	}
}

func (p *candidate) Restart(s *system.Step) { s.Fact("back") }

func election() *system.System {
	return &system.System{
		Name: "election", Processes: []string{"a", "b", "c"}, Rounds: 9,
		New:  func(string, *rand.Rand) system.Process { return &candidate{} },
		Lies: map[string]func(system.Message, *rand.Rand) any{"Old": func(system.Message, *rand.Rand) any { return vote{-1} }},
	}
}

// Both ways come to one schedule: to decide while a Runner executes, and to execute again
// whenever something is decided. Without the guide the schedule gives the same execution.
func TestSteering(t *testing.T) {
	for name, of := range map[string]struct{ guide, schedule string }{
		"the votes of a term are lost":   {`drop(M) :- message(M, _, _, "vote", _, R), R < 3.`, "omit b>a@2; omit c>a@2"},
		"those of one process":           {`drop(M) :- message(M, "b", "a", "vote", T, _), :string:contains(T, "1").`, "omit b>a@2; omit b>a@5/vote#2; omit b>a@8/vote#2"},
		"one of two":                     {`drop(M) :- message(M, "b", "a", "vote", T, 2), :string:contains(T, "101").`, "omit b>a@2/vote#2"},
		"votes of the last term arrive":  {"hold(M) :- message(M, _, _, \"vote\", _, R), R = 2.\nrelease(M, R) :- hold(M), asked(_, 2, S), round(R), R > S.", "delay b>a@2/vote+3; delay c>a@2/vote+3"},
		"what is never released is lost": {`hold(M) :- message(M, _, _, "vote", _, 2).`, "omit b>a@2; omit c>a@2"},
		"a leader crashes, and is back":  {"crash(P, S) :- leads(P, 1, R), S = fn:plus(R, 1).\nrestart(P, S) :- leads(P, 1, R), S = fn:plus(R, 3).", "crash a@3; restart a@5"},
		"who is asked stands still":      {`pause(P, R) :- message(_, _, P, "ask", _, R), R > 1.`, "pause b@4; pause c@4; pause b@7; pause c@7"},
		"lies, and a partition":          {"lie(M, \"Old\") :- message(M, \"b\", _, \"vote\", _, 2).\npart(\"a\", P, R) :- asked(P, 2, S), R = fn:plus(S, 1).", "cut a>b@5; cut a>c@5; cut b>a@5; cut c>a@5; lie b>a@2/vote Old"},
		"a crash by what would be sent":  {`crash(P, R) :- message(_, P, "a", "vote", _, R), P = "b".`, "crash b@2"},
		"what is sent when asked":        {"ask(\"b\", \"x\", 3).\ndrop(M) :- message(M, \"b\", \"c\", \"ask\", _, 3).", "omit b>c@3; ask b@3 \"x\""},
		"what is asked is late":          {"ask(\"b\", \"x\", 3).\nhold(M) :- message(M, \"b\", \"c\", \"ask\", _, 3).\nrelease(M, 5) :- hold(M).", "delay b>c@3/ask+2; ask b@3 \"x\""},
		"a crash of what has crashed":    {`crash("a", R) :- round(R), R > 3.`, "crash a@4"},
		"isolated while no one leads":    {"led(R) :- leads(_, _, S), round(R), R > S.\nisolate(\"b\", R) :- round(R), !led(R).", "isolate b@1..2"},
	} {
		g, err := Parse("x.mg", of.guide)
		require.NoError(t, err, name)
		s := election()
		steering, err := g.NewSteering(s.Bounds(0), false)
		require.NoError(t, err)
		steering.Start(t.Context())
		steered, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{Steer: steering})
		require.NoError(t, err, name)
		outcome, schedule, err := steering.End(steered)
		require.NoError(t, err)
		again, err := s.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)

		executions := 0
		e, other, err := steering.ByExecuting(t.Context(), rounds.Schedule{}, func(schedule rounds.Schedule) (*recording.Execution, error) {
			executions++
			return s.Run(t.Context(), schedule, system.RunOptions{})
		})
		require.NoError(t, err, name)
		require.Equal(t, schedule.String(), e.Schedule.String(), name)
		require.Nil(t, execution.FirstDivergence(e, again), name)
		require.Equal(t, outcome, other, name)
		require.Less(t, executions, 11, name)
		require.Equal(t, of.schedule, schedule.String(), name)
	}
}

// What a guide decides is decided beside the faults of a schedule. A message that is lost is not
// held, and a guide that loses or holds one does not allow a schedule in which it is late.
func TestSteeringBesideFaults(t *testing.T) {
	const hold = "hold(M) :- message(M, _, _, \"vote\", _, R), R = 2.\nrelease(M, R) :- hold(M), asked(_, 2, S), round(R), R > S."
	for name, of := range map[string]struct {
		guide, given, schedule string
		prevented              []int
	}{
		"what is lost is not held":          {hold, "omit b>a@2", "omit b>a@2; delay c>a@2/vote+3", nil},
		"nor if all of its kind are lost":   {hold, "omit b>a@2/vote", "omit b>a@2/vote; delay c>a@2/vote+3", nil},
		"what is late is not held":          {hold, "delay b>a@2+1", "delay b>a@2+1; delay c>a@2/vote+3", []int{0}},
		"what comes twice is not held":      {hold, "duplicate b>a@2+1", "delay c>a@2/vote+3; duplicate b>a@2+1", []int{0}},
		"what is late is not lost":          {`drop(M) :- message(M, _, _, "vote", _, 2).`, "delay b>a@2+1", "omit c>a@2; delay b>a@2+1", []int{0}},
		"what comes twice is not lost":      {`drop(M) :- message(M, _, _, "vote", _, 2).`, "duplicate b>a@2+1", "omit c>a@2; duplicate b>a@2+1", []int{0}},
		"what is lost is lost":              {`drop(M) :- message(M, _, _, "vote", _, 2).`, "omit b>a@2", "omit b>a@2; omit c>a@2", nil},
		"what is lost arrives as no lie":    {`lie(M, "Old") :- message(M, _, _, "vote", _, 2).`, "omit b>a@2", "omit b>a@2; lie b>a@2/vote Old; lie c>a@2/vote Old", nil},
		"who crashes later crashes now":     {`crash("b", 3).`, "crash b@5", "crash b@5", []int{0}},
		"who has crashed stays so":          {`crash("b", 3).`, "crash b@2", "crash b@2", nil},
		"who is away stays so":              {`isolate("b", 3).`, "isolate b@2..4", "isolate b@2..4", nil},
		"who comes back has to be away":     {`restart("b", 3).`, "crash b@5", "crash b@5", nil},
		"a message of another kind is late": {hold, "delay b>a@2/ask+1", "delay b>a@2/ask+1; delay b>a@2/vote+3; delay c>a@2/vote+3", nil},
	} {
		g, err := Parse("x.mg", of.guide)
		require.NoError(t, err, name)
		s := election()
		given, err := rounds.ParseSchedule(of.given)
		require.NoError(t, err, name)
		steering, err := g.NewSteering(s.Bounds(0), false)
		require.NoError(t, err)
		steering.Start(t.Context())
		steered, err := s.Run(t.Context(), given, system.RunOptions{Steer: steering})
		require.NoError(t, err, name)
		outcome, schedule, err := steering.End(steered)
		require.NoError(t, err, name)
		e, other, err := steering.ByExecuting(t.Context(), given, func(schedule rounds.Schedule) (*recording.Execution, error) {
			return s.Run(t.Context(), schedule, system.RunOptions{})
		})
		require.NoError(t, err, name)
		require.Equal(t, of.prevented, outcome.Prevented, name)
		require.Equal(t, of.prevented, other.Prevented, name)
		require.Equal(t, schedule.String(), e.Schedule.String(), name)
		require.Equal(t, of.schedule, schedule.String(), name)
	}
}

// A rule that wants a message to arrive contradicts one that makes it lost or late in another way.
func TestRulesThatContradictEachOther(t *testing.T) {
	const arrives = `deliver(M) :- message(M, "b", "a", "vote", _, 2).` + "\n"
	for rule, finding := range map[string]string{
		`crash("b", 2).`:     "crash of line 2",
		`isolate("a", 2).`:   "isolate of line 2",
		`part("a", "b", 2).`: "part of line 2",
		`pause("a", 2).`:     "pause of line 2",
		`part("b", "c", 2).`: "",
		`isolate("a", 3).`:   "",
		`crash("a", 3).`:     "",
	} {
		g, err := Parse("x.mg", arrives+rule)
		require.NoError(t, err)
		steering, err := g.NewSteering(election().Bounds(0), false)
		require.NoError(t, err)
		_, o, err := steering.ByExecuting(t.Context(), rounds.Schedule{}, func(schedule rounds.Schedule) (*recording.Execution, error) {
			return election().Run(t.Context(), schedule, system.RunOptions{})
		})
		require.NoError(t, err)
		require.Equal(t, finding != "", len(o.Prevented) > 0, rule)
		var found []string
		for _, f := range o.Findings {
			found = append(found, f.Message)
		}
		if finding != "" {
			require.Equal(t, []string{"deliver wants a message to arrive that " + finding + " makes lost, or late"}, found, rule)
			require.Equal(t, found[0], g.Guidance([]Outcome{o}, false).Findings[0].Message)
		} else {
			require.Empty(t, found, rule)
		}
	}
}

// A fault of the schedule that hits no message stays as it is: of the votes of a round b sends a
// two, and c none.
func TestFaultsThatHitNothingStayAsTheyAre(t *testing.T) {
	g, err := Parse("x.mg", `drop(M) :- message(M, "c", _, "vote", _, _).`)
	require.NoError(t, err)
	s := election()
	steering, err := g.NewSteering(s.Bounds(0), false)
	require.NoError(t, err)
	steering.Start(t.Context())
	base, err := rounds.ParseSchedule("omit a>b@1/ask#2; omit b>a@2/vote#3; omit b>a@5/vote#2")
	require.NoError(t, err)
	steered, err := s.Run(t.Context(), base, system.RunOptions{Steer: steering})
	require.NoError(t, err)
	_, schedule, err := steering.End(steered)
	require.NoError(t, err)
	require.Equal(t, "omit a>b@1/ask#2; omit b>a@2/vote#3; omit c>a@2; omit b>a@5/vote#2; omit c>a@5; omit c>a@8", schedule.String())
	again, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	require.Nil(t, execution.FirstDivergence(steered, again))
}
