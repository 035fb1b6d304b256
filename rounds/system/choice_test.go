package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// scribe replies to each request in the next round, and tells the others of it.
type scribe struct{ open []system.Request }

func (p *scribe) Send(s *system.Step) {
	for _, q := range p.open {
		s.Reply(q, q.Payload)
		s.Broadcast(fmt.Sprint(q.Payload))
	}
	p.open = slices.Clone(s.Requests())
}

func (p *scribe) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		s.Fact("heard", m.From, m.Payload)
	}
}

func (p *scribe) Restart(*system.Step) { p.open = nil }

func scribes() *system.System {
	return &system.System{
		Name: "scribes", Processes: []string{"a", "b", "c"}, Rounds: 6,
		New:      func(string, *rand.Rand) system.Process { return &scribe{} },
		Requests: []system.Request{{Round: 2, Process: "b", Payload: "always"}, {ID: 7, Round: 1, Process: "a", Payload: "first"}},
		Choices: []system.Choice{
			{Kind: "put", Values: [][]any{{"x", "y"}, {1, 2}}, From: 2, To: 4},
			{Kind: "get", Processes: []string{"c"}, Payload: func([]any) any { return 3 }},
		},
	}
}

func schedule(t *testing.T, text string) rounds.Schedule {
	t.Helper()
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s
}

// factsOf returns the facts of a relation in an execution.
func factsOf(t *testing.T, s *system.System, text string, o system.RunOptions, relation string) (facts []string) {
	t.Helper()
	e, err := s.Run(context.Background(), schedule(t, text), o)
	require.NoError(t, err)
	require.NoError(t, e.Validate())
	require.Equal(t, schedule(t, text).Normal().String(), e.Schedule.String())
	for _, f := range e.Facts {
		if f.Relation == relation {
			facts = append(facts, fmt.Sprintf("%s@%d", f, f.Round))
		}
	}
	return facts
}

// What a schedule chooses is asked besides what always is, and its number depends on
// nothing else.
func TestChoices(t *testing.T) {
	for text, want := range map[string][]string{
		"": {`request("a", 7, "first")@1@1`, `request("b", 1, "always")@2@2`},
		`choose get("c")@3; choose put("a", "y", 2)@2`: {
			`request("a", 7, "first")@1@1`, `request("a", 24, "put y 2")@2@2`, `request("b", 1, "always")@2@2`, `request("c", 46, "3")@3@3`},
		`choose put("b", "x", 1)@2; choose put("b", "x", 2)@2; choose put("b", "x", 1)@2`: {
			`request("a", 7, "first")@1@1`, `request("b", 1, "always")@2@2`, `request("b", 25, "put x 1")@2@2`, `request("b", 26, "put x 2")@2@2`},
		`crash c@3; choose get("c")@3; choose get("c")@2`:                      {`request("a", 7, "first")@1@1`, `request("b", 1, "always")@2@2`, `request("c", 33, "3")@2@2`},
		`pause b@2..3; choose put("b", "y", 1)@3`:                              {`request("a", 7, "first")@1@1`, `request("b", 1, "always")@4@4`, `request("b", 40, "put y 1")@4@4`},
		`crash b@2; restart b@3; choose put("b", "y", 1)@3; choose get("c")@6`: {`request("a", 7, "first")@1@1`, `request("b", 40, "put y 1")@3@3`, `request("c", 85, "3")@6@6`},
	} {
		require.Equal(t, want, factsOf(t, scribes(), text, system.RunOptions{}, "request"), text)
		require.Equal(t, want, factsOf(t, scribes(), text, system.RunOptions{Rounds: 60}, "request"), text)
	}
	require.Equal(t, []string{`reply("a", 7, "first")@2@2`, `reply("b", 1, "always")@3@3`, `reply("c", 46, "3")@4@4`},
		factsOf(t, scribes(), `choose get("c")@3`, system.RunOptions{}, "reply"))
}

// An execution in which requests are chosen is that of a system of which clients
// always ask them: whatever the faults.
func TestChoicesAreRequests(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	s := scribes()
	b := s.Bounds(0)
	b.Choices, b.Crashes, b.Restarts, b.Pauses, b.Isolations, b.Omissions, b.Period = 4, 2, 2, 2, 1, 2, 2
	faults, requests := s.Choosable(0)
	runner := s.NewRunner()
	runner.Options.Record = true
	chosen := 0
	for range 200 {
		under := schedules.New(b).Random(random)
		fixed := scribes()
		without := rounds.Schedule{Settings: under.Settings}
		for _, f := range under.Faults {
			if f.Kind != rounds.Choose {
				without.Faults = append(without.Faults, f)
				continue
			}
			chosen++
			fixed.Requests = append(fixed.Requests, requests[slices.Index(faults, f)])
		}
		slices.SortStableFunc(fixed.Requests[2:], func(p, q system.Request) int { return p.ID - q.ID })
		require.NoError(t, runner.Run(context.Background(), under))
		e := runner.Execution()
		other, err := fixed.Run(context.Background(), without, system.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(other.Facts), fmt.Sprint(e.Facts), "%s", under)
		require.Equal(t, fmt.Sprint(other.Messages), fmt.Sprint(e.Messages), "%s", under)
	}
	require.Greater(t, chosen, 100)
}

// What is chosen in one execution is not asked in the next, nor known to it.
func TestChoicesEnd(t *testing.T) {
	s := scribes()
	s.New = func(string, *rand.Rand) system.Process { return &forger{} }
	runner := s.NewRunner()
	require.NoError(t, runner.Run(context.Background(), schedule(t, `choose get("c")@3`)))
	require.ErrorContains(t, runner.Run(context.Background(), rounds.Schedule{}), "it replies to request 46, which no client has made")
	require.ErrorContains(t, runner.Run(context.Background(), schedule(t, `choose get("c")@4`)), "it replies to request 46, which no client has made")
	require.NoError(t, runner.Run(context.Background(), schedule(t, `choose get("c")@3; choose get("c")@4`)))
}

// forger replies to one request, whether there is one or not.
type forger struct{ scribe }

func (*forger) Send(s *system.Step) {
	if s.Process() == "c" && s.Round() == 3 {
		s.Reply(system.Request{ID: 46}, "forged")
	}
}

// What cannot be chosen is refused.
func TestNoSuchChoice(t *testing.T) {
	for text, wrong := range map[string]string{
		`choose put("a", "z", 1)@2`: `there is no choice of put("a", "z", 1)`,
		`choose put("a", "x", 1)@1`: `put("a", "x", 1) can be chosen in no other round than 2..4`,
		`choose get("a")@2`:         `there is no choice of get("a")`,
		`choose get("c")@7`:         "there is no round 7",
	} {
		_, err := scribes().Run(context.Background(), schedule(t, text), system.RunOptions{})
		require.ErrorContains(t, err, wrong, text)
	}
	s := scribes()
	s.Choices = nil
	_, err := s.Run(context.Background(), schedule(t, `choose get("c")@2`), system.RunOptions{})
	require.ErrorContains(t, err, `choose get("c")@2`)
}

// A system says what is wrong with its choices.
func TestWrongChoices(t *testing.T) {
	many := make([]any, 200)
	for i := range many {
		many[i] = i
	}
	for wrong, c := range map[string]system.Choice{
		`choices[0]: its kind is ""`:                                                 {},
		`choices[0]: its kind is "put x"`:                                            {Kind: "put x"},
		`choices[0]: its kind is "1st"`:                                              {Kind: "1st"},
		`choices[0]: put is made of "d", which is no process`:                        {Kind: "put", Processes: []string{"d"}},
		`choices[0]: put is made in rounds 3 to 2, which is no range`:                {Kind: "put", From: 3, To: 2},
		`choices[0]: put: argument 2 has no value`:                                   {Kind: "put", Values: [][]any{{1}, {}}},
		`choices[0]: put: argument 1: "a\"b" has a character`:                        {Kind: "put", Values: [][]any{{`a"b`}}},
		`choices[0]: put("a", "x") is among the choices twice`:                       {Kind: "put", Values: [][]any{{"x", "x"}}},
		`choices[0]: put has more than 10000 requests in a round`:                    {Kind: "put", Values: [][]any{many, many}},
		`there are more than 10000 facts to choose from`:                             {Kind: "put", Values: [][]any{many, {1, 2, 3, 4}}},
		`choices[0]: the payload of put("a", 1): its Payload panics: interface conv`: {Kind: "put", Values: [][]any{{1}}, Payload: func(v []any) any { return v[0].(string) }},
	} {
		s := scribes()
		s.Choices = []system.Choice{c}
		require.ErrorContains(t, s.Validate(), wrong)
	}
}

// Without choices an execution allocates as much as without requests that could be
// chosen.
func TestChoicesThatAreNotMadeCostNothing(t *testing.T) {
	allocations := func(choices []system.Choice) float64 {
		s := scribes()
		s.Choices = choices
		runner := s.NewRunner()
		return testing.AllocsPerRun(50, func() {
			if err := runner.Run(context.Background(), rounds.Schedule{}); err != nil {
				panic(err)
			}
		})
	}
	require.Equal(t, allocations(nil), allocations(scribes().Choices))
}

// The self-tests choose requests, too.
func TestSelfTestsChoose(t *testing.T) {
	s := scribes()
	s.New = func(string, *rand.Rand) system.Process { return &careless{} }
	err := s.CheckDeterminism(context.Background(), 300, 1)
	require.Error(t, err)
	require.True(t, strings.Contains(err.Error(), `choose get(\"c\")`), "%v", err)
}

var calls int

// careless does not answer get in the same way twice.
type careless struct{ scribe }

func (p *careless) Send(s *system.Step) {
	for _, q := range s.Requests() {
		if q.Payload == 3 {
			calls++
			s.Reply(q, calls)
		}
	}
}
