package strategies_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// play is a process made of two functions.
type play struct {
	send    func(*system.Step)
	receive func(*system.Step, []system.Message)
}

func (p play) Send(s *system.Step)                            { p.send(s) }
func (p play) Receive(s *system.Step, inbox []system.Message) { p.receive(s, inbox) }

// broadcast is a sender, a, that gives a word to all others in the first rounds,
// so many times. It has to reach everybody.
func broadcast(times int) *system.System {
	s := &system.System{
		Name: "broadcast", Processes: []string{"a", "b", "c"}, Rounds: 4,
		Properties: []property.Property{rules.New("reaches all", `
			pre(P) :- before("a", P).
			post(P) :- heard(P, _).`)},
	}
	s.New = func(name string, _ *rand.Rand) system.Process {
		return play{
			func(s *system.Step) {
				if name == "a" && s.Round() <= times {
					s.Broadcast("word")
				}
			},
			func(s *system.Step, inbox []system.Message) {
				if len(inbox) > 0 {
					s.Fact("heard")
				}
			},
		}
	}
	return s
}

func byLineage(t *testing.T, target target, seed uint64) *result.Answer {
	t.Helper()
	r, err := find(context.Background(), "lineage", target, search.Options{Seed: seed})
	require.NoError(t, err)
	return r
}

// A word that is sent so many times is kept from somebody by as many losses, or
// by a crash, and the search names no more than these. When there are too few of
// them it ends, mostly without a certificate.
func TestLineageOfABroadcast(t *testing.T) {
	for _, c := range []struct {
		times   int
		bounds  rounds.Bounds
		verdict result.Verdict
		faults  int // of the hypothesis
		most    int // executions
	}{
		{1, rounds.Bounds{Omissions: 1}, result.Violated, 1, 2},
		{2, rounds.Bounds{Omissions: 2}, result.Violated, 2, 6},
		{3, rounds.Bounds{Omissions: 3}, result.Violated, 3, 16},
		{3, rounds.Bounds{Omissions: 2}, result.Inconclusive, 0, 8},
		{3, rounds.Bounds{Isolations: 3}, result.Violated, 3, 16},
		{3, rounds.Bounds{Isolations: 1, Period: 3}, result.Violated, 1, 6},
		{3, rounds.Bounds{Isolations: 1, Omissions: 1}, result.Inconclusive, 0, 8},
		{3, rounds.Bounds{Isolations: 1, Omissions: 2}, result.Violated, 3, 16},
		{3, rounds.Bounds{Crashes: 1, Omissions: 2}, result.Violated, 1, 6},
		{3, rounds.Bounds{Omissions: rounds.Unlimited, EFF: 3}, result.Inconclusive, 0, 10},
	} {
		for seed := range uint64(5) {
			r := byLineage(t, target{System: broadcast(c.times), Bounds: c.bounds}, seed)
			require.Equal(t, c.verdict, r.Verdict, "%d times, %s: %s", c.times, c.bounds, r.Summary())
			require.Equal(t, c.faults, r.Search.Found.Size(), "%d times, %s: %s", c.times, c.bounds, r.Summary())
			require.LessOrEqual(t, r.Search.Executions, c.most, "%d times, %s: %s", c.times, c.bounds, r.Summary())
		}
	}
}

// Four losses of 240 that there may be keep a word from somebody: they are one in
// thirty million sets of four, and lineage finds one within a few executions.
// Run it with -v -seeds 20 -budget 10000 to see how others fare.
func TestLineageNeedsFewExecutions(t *testing.T) {
	s := broadcast(4)
	s.Processes, s.Rounds = []string{"a", "b", "c", "d", "e"}, 12
	target := target{System: s, Bounds: rounds.Bounds{Omissions: 4}}
	for seed := range *seeds {
		r := byLineage(t, target, seed)
		require.Equal(t, result.Violated, r.Verdict, r.Summary())
		require.LessOrEqual(t, r.Search.Executions, 100)
		t.Log(r.Summary())
		r, err := find(context.Background(), "spread", target, search.Options{Seed: seed, Executions: *budget})
		require.NoError(t, err)
		t.Log(r.Summary())
	}
}

// Without a way to cut what is known the search ends, and says that this is no
// certificate.
func TestLineageEndsWithoutACertificate(t *testing.T) {
	r := byLineage(t, target{System: broadcast(3), Bounds: rounds.Bounds{Omissions: 2}}, 1)
	require.Equal(t, "inconclusive after 5 executions (lineage, seed 1): no hypothesis is left: each of 2 outcomes has a known way that no faults within the bounds cut; "+
		"this is no certificate: lineage does not show what a system does wrong when other messages arrive", r.Summary())
}

// When all schedules have shown what they do, that is a certificate all the same.
func TestLineageThatHasSeenEverything(t *testing.T) {
	silent := broadcast(0)
	silent.Properties = []property.Property{rules.New("quiet", `violation(P) :- heard(P, _).`)}
	r := byLineage(t, target{System: silent, Bounds: rounds.Bounds{Isolations: 2, Period: 2, Omissions: 3}}, 1)
	require.Equal(t, result.Holds, r.Verdict)
	require.Equal(t, 1, r.Search.Executions)

	once := broadcast(1)
	once.Properties = []property.Property{rules.New("not late", `violation(P) :- heard(P, R), R > 1.`)}
	r = byLineage(t, target{System: once, Bounds: rounds.Bounds{Omissions: 2}}, 1)
	require.Equal(t, result.Holds, r.Verdict, r.Summary())
	require.Equal(t, 4, r.Search.Executions)
	require.Equal(t, int64(301), r.Search.Certificate.Schedules.Int64())
}

// quorum is a proposer, p, that needs the acknowledgements of most of its
// acceptors for a value to be chosen. What lineage rules are given is added to
// the property.
func quorum(acceptors, needed int, lineage string) *system.System {
	s := &system.System{Name: "quorum", Processes: []string{"p"}, Rounds: 2}
	for i := range acceptors {
		s.Processes = append(s.Processes, fmt.Sprintf("q%d", i+1))
	}
	s.Properties = []property.Property{rules.New("chosen", `
		pre("v") :- eot(_).
		post(V) :- chosen(_, V, _).`+lineage)}
	s.New = func(name string, _ *rand.Rand) system.Process {
		asked := false
		return play{
			func(s *system.Step) {
				switch {
				case name == "p" && s.Round() == 1:
					s.Broadcast("propose")
				case asked && s.Round() == 2:
					s.Send("p", "ack")
				}
			},
			func(s *system.Step, inbox []system.Message) {
				asked = asked || len(inbox) > 0 && s.Round() == 1
				if name == "p" && len(inbox) >= needed {
					s.Fact("chosen", "v")
				}
			},
		}
	}
	return s
}

// Of nine acknowledgements five are enough. Everything that was received is too
// much to ask for: any loss cuts that, and most change nothing. Rules that say so
// leave one hypothesis, five losses, without a thought of the 126 quorums.
func TestLineageOfAQuorum(t *testing.T) {
	const rules = `
		needs_some(V, "acks", 5, Q, P, R) :- chosen(P, V, R), delivered(Q, P, _, _, R).`
	enough := rounds.Bounds{Omissions: 5}

	r := byLineage(t, target{System: quorum(9, 5, rules), Bounds: enough}, 1)
	require.Equal(t, result.Violated, r.Verdict, r.Summary())
	require.Equal(t, 2, r.Search.Executions)
	require.Equal(t, 5, r.Search.Found.Size())

	r = byLineage(t, target{System: quorum(9, 5, rules), Bounds: rounds.Bounds{Omissions: 4}}, 1)
	require.Equal(t, result.Inconclusive, r.Verdict, r.Summary())
	require.Equal(t, 1, r.Search.Executions)

	r, err := find(context.Background(), "lineage", target{System: quorum(9, 5, ""), Bounds: enough}, search.Options{Executions: 100})
	require.NoError(t, err)
	require.Equal(t, "the budget of executions is used up", r.Limit.Reason)
}

// A rule of the property that counts is a threshold as well.
func TestLineageOfAPropertyThatCounts(t *testing.T) {
	s := quorum(5, 1, "")
	s.Properties = []property.Property{rules.New("three asked", `
		asked(Q) :- delivered("p", Q, _, _, _).
		number(N) :- asked(Q) |> do fn:group_by(), let N = fn:count().
		pre("three") :- eot(_).
		post("three") :- number(N), N >= 3.`)}
	r := byLineage(t, target{System: s, Bounds: rounds.Bounds{Omissions: 3}}, 1)
	require.Equal(t, result.Violated, r.Verdict, r.Summary())
	require.Equal(t, 2, r.Search.Executions)
	require.Equal(t, 3, r.Search.Found.Size())
}

// Rules that have no translation to a program are evaluated, but say nothing of
// what an outcome came from: it takes everything that was received.
func TestLineageOfRulesOnlyForMangle(t *testing.T) {
	s := broadcast(2)
	s.Properties = []property.Property{rules.New("reaches all", `
		pre(P) :- before("a", P).
		post(P) :- delivered(_, P, _, T, _), :string:contains(T, "wor").`)}
	r := byLineage(t, target{System: s, Bounds: rounds.Bounds{Omissions: 2}}, 1)
	require.Equal(t, result.Violated, r.Verdict, r.Summary())
	require.Equal(t, 2, r.First().Schedule.Size())
}

// Executions that are alike to the processes are not alike to a property that
// reads faults: then only every schedule that was executed is known.
func TestLineageOfPropertiesThatReadFaults(t *testing.T) {
	s := broadcast(0)
	s.Properties = []property.Property{rules.New("together", `violation(P) :- isolated(P, 4).`)}
	r := byLineage(t, target{System: s, Bounds: rounds.Bounds{Isolations: 1}}, 1)
	require.Equal(t, result.Violated, r.Verdict)
	require.LessOrEqual(t, r.Search.Executions, 13)
}

// Faults that the loop does not propose are drawn.
func TestLineageDrawsFaultsOfOtherKinds(t *testing.T) {
	s := broadcast(1)
	s.Properties = []property.Property{rules.New("at once", `violation(P) :- heard(P, R), R > 1.`)}
	r := byLineage(t, target{System: s, Bounds: rounds.Bounds{Isolations: 1, Pauses: 1, Period: 2}}, 1)
	require.Equal(t, result.Violated, r.Verdict, r.Summary())
	require.Equal(t, "pause", r.First().Schedule.Faults[0].Kind.String())

	s = broadcast(3)
	r, err := find(t.Context(), "lineage", target{System: s, Bounds: rounds.Bounds{Pauses: 1}}, search.Options{Executions: 30})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Contains(t, r.Search.Guarantee, "each schedule of faults within the bounds was drawn with a probability of at least")
}

// The answer says which share of the schedules was drawn without guide.
func TestLineageSaysWhatItDraws(t *testing.T) {
	r, err := find(t.Context(), "lineage", isolations(replog.Fixed(), 4, 4), search.Options{Executions: 50})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Regexp(t, `^at least 1 in 8 schedules was drawn from all of them: each schedule of faults within the bounds was drawn with a probability of at least 1 in [\d,]+; 95 % takes [\d,]+ executions: allow fewer faults or rounds$`, r.Search.Guarantee)
	require.Positive(t, r.Search.Drawn)
}

// A search tells step by step what it executed, why, and what the progress rests on.
func TestLineageTellsItsSteps(t *testing.T) {
	var steps []result.Step
	target := isolations(replog.Buggy(), 4, 4)
	a, err := find(t.Context(), "lineage", target, search.Options{Steps: func(s result.Step) { steps = append(steps, s) }})
	require.NoError(t, err)
	require.Len(t, steps, a.Search.Executions)
	require.Empty(t, steps[0].Schedule.Faults)
	require.Equal(t, "output of p1 in round 4", steps[0].Outcomes[0].Fact)
	require.Contains(t, steps[0].Outcomes[0].Supports[0].Messages, "ack p2>p1@2")
	require.Contains(t, steps[0].Outcomes[0].Supports[0].Clause, "isolate p2@2..4")
	last := steps[len(steps)-1]
	require.NotEmpty(t, last.Why)
	require.Equal(t, a.Search.Found.String(), last.Schedule.Normal().String())
	require.NotEmpty(t, last.Violations)
}

// Rules say what the progress of a phase needs, where there are any: here of the
// acknowledgements, without which the property sees no fact.
func TestLineageOfProgressThatRulesState(t *testing.T) {
	s := quorum(3, 2, "")
	s.Properties = []property.Property{rules.New("one value", `
		violation(P) :- chosen(P, "w", _).
		needs_some(V, "acks", 2, Q, P, R) :- chosen(P, V, R), delivered(Q, P, _, _, R).`)}
	var whys []string
	_, err := find(t.Context(), "lineage", isolations(s, 2, 2), search.Options{Executions: 40, Steps: func(s result.Step) {
		whys = append(whys, s.Why...)
	}})
	require.NoError(t, err)
	require.Contains(t, whys, `rounds 1 to 2: without one value: ("v")`)
}

// What rules say that an outcome needs has to be possible.
func TestLineageRulesThatCannotBe(t *testing.T) {
	for rules, want := range map[string]string{
		`needs(V, "z", P, R) :- chosen(P, V, R).`:                                         `property "chosen": needs("v", "z", "p", 2): "z" is no process`,
		`needs(V, P, P, N) :- chosen(P, V, R), N = fn:plus(R, 1).`:                        `property "chosen": needs("v", "p", "p", 3): 3 is no round of an execution with 2`,
		`needs_some(V, "acks", 4, Q, P, R) :- chosen(P, V, R), delivered(Q, P, _, _, R).`: `property "chosen": needs_some("v", "acks", 4, "q1", "p", 2): the outcome needs at least 4 of the group, which has 3`,
	} {
		_, err := find(context.Background(), "lineage", target{System: quorum(3, 2, rules), Bounds: rounds.Bounds{Omissions: 1}}, search.Options{})
		require.EqualError(t, err, want)
	}
}

// acknowledging is a primary, a, that tells its client that a word is safe when c
// has it, though it is to be safe with b as well.
func acknowledging() *system.System {
	s := broadcast(1)
	s.Properties = []property.Property{rules.New("safe", `
		pre(P) :- told("a", _), before("a", P).
		post(P) :- heard(P, _).`)}
	with := s.New
	s.New = func(name string, random *rand.Rand) system.Process {
		p := with(name, random).(play)
		return play{
			func(s *system.Step) {
				p.send(s)
				if name != "a" && s.Round() == 2 {
					s.Send("a", "ack")
				}
			},
			func(s *system.Step, inbox []system.Message) {
				p.receive(s, inbox)
				for _, m := range inbox {
					if name == "a" && m.From == "c" {
						s.Fact("told")
					}
				}
			},
		}
	}
	return s
}

// executor is an executor made of a function.
type executor func(context.Context, rounds.Schedule) (*recording.Execution, []result.Violation, error)

func (x executor) Extents(ctx context.Context, s rounds.Schedule, extents []int, goOn func(int, []result.Violation) bool) error {
	for _, n := range extents {
		if _, violations, err := x(ctx, s); err != nil || !goOn(n, violations) {
			return err
		}
	}
	return nil
}

func (x executor) Execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	return x(ctx, s)
}

// The first trap of the classical loop: an execution that is good only because
// pre does not hold shows nothing of how the outcome can come about. Here the
// first schedule that is tried may well be one, and the search goes on to the one
// that matters.
func TestExecutionsWithoutPreSupportNothing(t *testing.T) {
	withoutPre := 0
	for seed := range uint64(10) {
		s := acknowledging()
		checker, err := property.Compile(s.Properties[0])
		require.NoError(t, err)
		execute := func(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, []result.Violation, error) {
			e, err := s.Run(ctx, schedule, system.RunOptions{})
			require.NoError(t, err)
			v, err := checker.Check(e)
			if len(v) == 0 && len(checker.Rules().Rows("pre")) == 0 {
				withoutPre++
			}
			return e, v, err
		}
		target, err := search.NewTarget(s, nil)
		require.NoError(t, err)
		target.Open = func(int, bool) (search.Executor, error) { return executor(execute), nil }
		r, err := strategies.Run(t.Context(), target, search.Options{
			Strategy: "lineage", Bounds: rounds.Bounds{Isolations: 1, Period: 2}, Seed: seed,
		})
		require.NoError(t, err)
		require.Equal(t, result.Violated, r.Verdict, r.Summary())
		require.Equal(t, "isolate b@1..2", r.First().Schedule.String())
	}
	require.NotZero(t, withoutPre)
}

// stale is a process, b, that is content when it has both messages of a, or
// none, but not with the first alone.
func stale() *system.System {
	s := &system.System{
		Name: "stale", Processes: []string{"a", "b"}, Rounds: 2,
		Properties: []property.Property{rules.New("content", `
			pre("b") :- eot(_).
			post(P) :- content(P, _).`)},
	}
	s.New = func(name string, _ *rand.Rand) system.Process {
		got := 0
		return play{
			func(s *system.Step) {
				if name == "a" {
					s.Broadcast("word")
				}
			},
			func(s *system.Step, inbox []system.Message) {
				got += len(inbox)
				if name == "b" && (got == 0 || got == 2) {
					s.Fact("content")
				}
			},
		}
	}
	return s
}

// The second trap: lineage says what an outcome came from, not what else would
// have prevented it. An execution in which nothing arrived makes it look as if
// nothing were needed, and the message that does the harm alone is not tried any
// more. The search does not take that for a certificate.
func TestLineageDoesNotSeeWhatDoesHarm(t *testing.T) {
	count := map[result.Verdict]int{}
	for seed := range uint64(20) {
		r := byLineage(t, target{System: stale(), Bounds: rounds.Bounds{Omissions: 1}}, seed)
		count[r.Verdict]++
		require.NotEqual(t, result.Holds, r.Verdict)
		if r.Verdict == result.Violated {
			require.Equal(t, "omit a>b@2", r.First().Schedule.String())
		}
	}
	t.Log(count)
	require.NotZero(t, count[result.Inconclusive])
}

// A system whose properties are about safety: what a process reported without
// faults is prevented, with few faults first.
func TestLineageOfFacts(t *testing.T) {
	r := byLineage(t, isolations(election.Buggy(), 1, 2), 1)
	require.Equal(t, result.Violated, r.Verdict, r.Summary())
	require.LessOrEqual(t, r.Search.Executions, 20)

	s := replog.Buggy()
	output := s.Properties[0]
	s.Properties = []property.Property{{Name: output.Name, Func: func(e *recording.Execution) []result.Violation {
		v, err := output.Check(e)
		require.NoError(t, err)
		return v
	}}}
	for _, target := range []target{isolations(replog.Buggy(), 2, 4), isolations(s, 2, 4)} {
		r := byLineage(t, target, 1)
		require.Equal(t, result.Violated, r.Verdict, r.Summary())
		require.Equal(t, 2, r.First().Schedule.Size())
		require.Equal(t, r, byLineage(t, target, 1), "the same seed, the same search")
	}
}

// On random small systems what lineage reports is so, and what it misses is
// counted: run it with -v -long 300.
func TestLineageOfRandomSystems(t *testing.T) {
	count := map[string]int{}
	for seed := *first; seed < *first+uint64(*long); seed++ {
		target, random := toySystem(seed)
		if random.IntN(2) == 0 {
			target.Bounds = rounds.Bounds{Omissions: 1 + random.IntN(2), Crashes: random.IntN(2), EFF: target.System.Rounds}
		}
		target = assuming(random, target)
		fewest, all := bruteForce(t, target)
		r := byLineage(t, target, seed)
		require.LessOrEqual(t, r.Search.Executions, all, "seed %d", seed)
		switch {
		case r.Verdict == result.Violated:
			b := target.Bounds
			b.Processes, b.EOT, b.CrashStop = target.System.Processes, target.System.Rounds, true
			require.NoError(t, schedules.WithinSystem(r.First().Schedule, b), "seed %d", seed)
			require.GreaterOrEqual(t, fewest, 0, "seed %d", seed)
			require.GreaterOrEqual(t, r.First().Schedule.Size(), fewest, "seed %d", seed)
		case r.Verdict == result.Holds:
			require.Negative(t, fewest, "seed %d: %s", seed, r.Summary())
		case fewest >= 0:
			count["missed"]++
			continue
		}
		count[string(r.Verdict)]++
	}
	t.Log(count)
}
