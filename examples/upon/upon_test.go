package upon_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/upon"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

func voters(t *testing.T, rounds int) *system.System {
	t.Helper()
	r, err := benOr().Rounds()
	require.NoError(t, err)
	return &system.System{
		Name: "ben-or", Processes: []string{"a", "b", "c"}, Rounds: r.Of(rounds), New: r.New,
		Properties: []property.Property{property.Agreement("decided")},
	}
}

// What follows from the rules does what the state machine does that was written by
// hand, whatever the faults.
func TestEqualToByHand(t *testing.T) {
	built := voters(t, 4)
	hand := *built
	hand.New = newByHand
	random := rand.New(rand.NewPCG(1, 9))
	decided := 0
	for range 500 {
		b := built.Bounds(0)
		b.Crashes, b.Isolations, b.Omissions, b.Pauses, b.Period = random.IntN(3), random.IntN(3), random.IntN(6), random.IntN(2), 1+random.IntN(3)
		schedule := schedules.New(b).Random(random).With(rounds.Settings{Seed: rounds.Set(random.Uint64N(1000))})
		e, err := built.Run(context.Background(), schedule, system.RunOptions{})
		require.NoError(t, err)
		f, err := hand.Run(context.Background(), schedule, system.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(f.Facts), fmt.Sprint(e.Facts), "%s", schedule)
		require.Equal(t, fmt.Sprint(f.Messages), fmt.Sprint(e.Messages), "%s", schedule)
		decided += len(e.Facts)
	}
	require.Greater(t, decided, 300)
}

// Ben-Or's promise is certified, for one seed; with a majority of too few it breaks.
func TestCertified(t *testing.T) {
	s := voters(t, 2)
	o := search.Options{Strategy: "exhaustive", Bounds: rounds.Bounds{Omissions: 2, Crashes: 1}}
	a, err := search.Run(context.Background(), s, o)
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)

	p := benOr()
	p.Rules[1].Do = func(e *upon.Event[voter], got []upon.Message) {
		if v, n := most(tally(got)); n > 0 { // one proposal is too few
			e.Fact("decided", v)
		} else {
			e.Fact("decided", e.State.Value)
		}
	}
	r, err := p.Rounds()
	require.NoError(t, err)
	s.New = r.New
	a, err = search.Run(context.Background(), s, o)
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
}

// States are kept and named whole: the self-tests find nothing.
func TestSelfTests(t *testing.T) {
	s := voters(t, 3)
	require.NoError(t, s.CheckDeterminism(context.Background(), 100, 1))
	require.NoError(t, s.CheckState(context.Background(), 100, 1))
	can, err := s.Abilities()
	require.NoError(t, err)
	require.True(t, can.Snapshots && can.Fingerprints)

	list, err := upon.Protocol[[]string]{
		Start: upon.Rule[[]string]{Sends: []upon.Tag{{Kind: "x"}}},
		Rules: []upon.Rule[[]string]{{Name: "r", Kind: "x", Do: func(*upon.Event[[]string], []upon.Message) {}}},
	}.Rounds()
	require.NoError(t, err)
	s.New = list.New
	can, err = s.Abilities()
	require.NoError(t, err)
	require.False(t, can.Snapshots || can.Fingerprints, "a slice is not copied by an assignment")
}

func none(*upon.Event[int], []upon.Message) {}

// rule reads one kind, and sends some tags.
func rule(name, kind string, sends ...upon.Tag) upon.Rule[int] {
	return upon.Rule[int]{Name: name, Kind: kind, Do: none, Sends: sends}
}

func begin(kinds ...string) upon.Rule[int] {
	var sends []upon.Tag
	for _, kind := range kinds {
		sends = append(sends, upon.Tag{Kind: kind})
	}
	return upon.Rule[int]{Do: none, Sends: sends}
}

// The order of the kinds in a round follows from what is sent upon what.
func TestRounds(t *testing.T) {
	for want, p := range map[string]upon.Protocol[int]{
		"round r of the protocol: a in round r": {Start: begin("a"), Rules: []upon.Rule[int]{rule("r", "a", upon.Tag{Kind: "a", Round: 1})}},
		"round r of the protocol: a in round 2r-1, b in round 2r": {Start: begin("a"), Rules: []upon.Rule[int]{
			rule("s", "b", upon.Tag{Kind: "a", Round: 1}), rule("r", "a", upon.Tag{Kind: "b"})}},
		"round r of the protocol: a in round 3r-2, b in round 3r-1, c in round 3r": {Start: begin("c", "a"), Rules: []upon.Rule[int]{
			rule("q", "c"), rule("r", "b", upon.Tag{Kind: "c"}), rule("s", "a", upon.Tag{Kind: "b"}, upon.Tag{Kind: "c", Round: 2})}},
	} {
		r, err := p.Rounds()
		require.NoError(t, err)
		require.Equal(t, want, r.String())
		require.Equal(t, 5*len(r.Kinds), r.Of(5))
	}
}

// What has no lock-step rounds says why not.
func TestNoRounds(t *testing.T) {
	earlier, later := rule("r", "a"), rule("r", "a")
	earlier.Round, later.Round = -1, 1
	waiting := begin("a")
	waiting.Kind = "a"
	for why, p := range map[string]upon.Protocol[int]{
		`the rule "r" reads a of an earlier round (-1) than the process is at: in lock-step rounds they have come and gone`: {Start: begin("a"), Rules: []upon.Rule[int]{earlier}},
		`the rule "r" reads a of a later round (+1) than the process is at: in lock-step rounds nobody has sent them yet`:   {Start: begin("a"), Rules: []upon.Rule[int]{later}},
		`the rule "r" sends b of an earlier round (-1) than what it has read: tags do not grow`: {Start: begin("a"), Rules: []upon.Rule[int]{
			rule("r", "a", upon.Tag{Kind: "b", Round: -1}), rule("s", "b")}},
		`the rule "r" sends a of the round of which it has read a: tags do not grow`: {Start: begin("a"), Rules: []upon.Rule[int]{rule("r", "a", upon.Tag{Kind: "a"})}},
		"b, then c, then b are sent upon each other in one round: tags do not grow; let one of them be of the next round": {Start: begin("a"), Rules: []upon.Rule[int]{
			rule("r", "a", upon.Tag{Kind: "b"}), rule("s", "b", upon.Tag{Kind: "c"}), rule("u", "c", upon.Tag{Kind: "b"}, upon.Tag{Kind: "d"}), rule("v", "d")}},
		`the rule "s" reads b, which nothing sends`:               {Start: begin("a"), Rules: []upon.Rule[int]{rule("r", "a"), rule("s", "b")}},
		`the rule "r" sends b, which no rule reads`:               {Start: begin("a"), Rules: []upon.Rule[int]{rule("r", "a", upon.Tag{Kind: "b"})}},
		`Start sends a, which no rule reads`:                      {Start: begin("a")},
		`Start waits for messages`:                                {Start: waiting, Rules: []upon.Rule[int]{rule("r", "a")}},
		`the rule "" needs a Name`:                                {Start: begin("a"), Rules: []upon.Rule[int]{rule("", "a"), rule("r", "a")}},
		`Start sends messages without a kind`:                     {Start: begin("")},
		`nothing is sent`:                                         {},
		"no lock-step rounds follow from the rules:\nthe rule \"": {Start: begin("a"), Rules: []upon.Rule[int]{earlier}},
	} {
		_, err := p.Rounds()
		require.ErrorContains(t, err, why)
	}
}

// A rule that sends what it does not say is found out.
func TestUndeclared(t *testing.T) {
	r, err := upon.Protocol[int]{Start: begin("a"), Rules: []upon.Rule[int]{{Name: "r", Kind: "a", Do: none, Timeout: func(e *upon.Event[int], _ []upon.Message) {
		e.Broadcast("a", 2, 1)
	}}}}.Rounds()
	require.NoError(t, err)
	s := &system.System{Name: "s", Processes: []string{"a"}, Rounds: 1, New: r.New}
	_, err = s.Run(context.Background(), rounds.Schedule{}, system.RunOptions{})
	require.ErrorContains(t, err, `the rule "r" sends a of round +2, which is not among its Sends`)
}

// Of several rules for a kind the first that has enough counts, and if none has, the
// first timeout; what is sent ahead waits for its round; a process that has done
// nothing in a round takes part in the next.
func TestTurns(t *testing.T) {
	report := func(what string, sends ...int) func(*upon.Event[int], []upon.Message) {
		return func(e *upon.Event[int], got []upon.Message) {
			e.Fact(what, e.Round, len(got))
			for _, later := range sends {
				e.Broadcast("a", later, 0)
			}
		}
	}
	r, err := upon.Protocol[int]{
		Start: upon.Rule[int]{Do: func(e *upon.Event[int], _ []upon.Message) { e.Broadcast("a", 0, 0); e.Broadcast("a", 2, 0) }, Sends: []upon.Tag{{Kind: "a"}, {Kind: "a", Round: 2}}},
		Rules: []upon.Rule[int]{
			{Name: "all", Kind: "a", Count: upon.All, Do: report("all")},
			{Name: "most", Kind: "a", Count: upon.Majority, Do: report("most"), Timeout: report("late")},
			{Name: "never", Kind: "a", Count: upon.All, Do: report("never"), Timeout: report("never")},
		},
	}.Rounds()
	require.NoError(t, err)
	s := &system.System{Name: "s", Processes: []string{"a", "b", "c"}, Rounds: 3, New: r.New}
	schedule, err := rounds.ParseSchedule("omit a>b@1; isolate c@3")
	require.NoError(t, err)
	e, err := s.Run(context.Background(), schedule, system.RunOptions{})
	require.NoError(t, err)
	var facts []string
	for _, f := range e.Facts {
		facts = append(facts, f.String())
	}
	require.Equal(t, []string{`all("a", 1, 3)@1`, `all("c", 1, 3)@1`, `most("b", 1, 2)@1`, `late("a", 2, 0)@2`, `late("b", 2, 0)@2`, `late("c", 2, 0)@2`,
		`late("c", 3, 1)@3`, `most("a", 3, 2)@3`, `most("b", 3, 2)@3`}, facts)
}
