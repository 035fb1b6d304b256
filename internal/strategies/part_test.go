package strategies_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/lease"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/examples/tickets"
	"github.com/lineage-driven/ldfi/examples/wal"
	"github.com/lineage-driven/ldfi/internal/limits"
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

// inParts makes a search in parts of such sizes, each of which somebody else makes who
// sends the result as JSON, and then answers. It tells how many executions the answer took.
func inParts(ctx context.Context, t *testing.T, tgt target, o search.Options, size func() int) (*result.Answer, int64, error) {
	t.Helper()
	o.Known = nil
	for first := 0; ; {
		local, err := search.NewTarget(tgt.System, tgt.Properties)
		require.NoError(t, err)
		k, err := strategies.Part(ctx, local, o, search.Part{First: first, End: first + size()})
		if err != nil {
			return nil, 0, err
		}
		text, err := json.Marshal(k)
		require.NoError(t, err)
		sent := &search.Stretch{}
		require.NoError(t, json.Unmarshal(text, sent))
		if o.Known != nil {
			sent, err = o.Known.Join(sent)
			require.NoError(t, err)
		}
		o.Known = sent
		if first = k.End; k.Ended || k.End == k.All {
			break
		}
	}
	local, err := search.NewTarget(tgt.System, tgt.Properties)
	require.NoError(t, err)
	var executions atomic.Int64
	open := local.Open
	local.Open = func(eot int, record bool) (search.Executor, error) {
		x, err := open(eot, record)
		return &counted{x, &executions}, err
	}
	a, err := strategies.Run(ctx, local, o)
	return a, executions.Load(), err
}

// counted counts executions.
type counted struct {
	search.Executor
	made *atomic.Int64
}

func (c *counted) Execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	c.made.Add(1)
	return c.Executor.Execute(ctx, s)
}

func (c *counted) Extents(ctx context.Context, s rounds.Schedule, extents []int, goOn func(int, []result.Violation) bool) error {
	c.made.Add(1)
	return c.Executor.Extents(ctx, s, extents, goOn)
}

// asWhole demands that a search in parts answers as one that is made at once.
func asWhole(t *testing.T, tgt target, o search.Options, size func() int) *result.Answer {
	t.Helper()
	o.Bounds = tgt.Bounds
	local, err := search.NewTarget(tgt.System, tgt.Properties)
	require.NoError(t, err)
	whole, wrong := strategies.Run(t.Context(), local, o)
	parts, executions, err := inParts(t.Context(), t, tgt, o, size)
	if wrong != nil {
		require.EqualError(t, err, wrong.Error())
		return nil
	}
	require.NoError(t, err)
	want, err := json.MarshalIndent(whole, "", " ")
	require.NoError(t, err)
	got, err := json.MarshalIndent(parts, "", " ")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.Equal(t, whole.Summary(), parts.Summary())
	if whole.Verdict != result.Violated {
		require.Zero(t, executions, "all are known")
	}
	return whole
}

// sizes returns sizes of parts.
func sizes(r *rand.Rand) func() int {
	most := []int{1, 7, 40, 10_000}[r.IntN(4)]
	return func() int { return 1 + r.IntN(most) }
}

// A search in parts answers as one that is made at once, to the byte: about systems with
// bugs and without, whatever the parts are.
func TestPartsOfExamples(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	verdicts := map[result.Verdict]int{}
	for _, s := range []*system.System{
		replog.Buggy(), replog.Fixed(), cassandra.Buggy(), cassandra.Fixed(), election.Buggy(), election.Fixed(),
		lease.Trusting(), lease.Careful(), tickets.Hasty(), tickets.Careful(), wal.System("wal", wal.Mistakes{}),
	} {
		for _, strategy := range []string{"spread", "uniform", "sample", "drop", "enumerate"} {
			local, err := search.NewTarget(s, nil)
			require.NoError(t, err)
			tgt := keptBy(strategy, target{System: s, Bounds: local.DefaultBounds(rounds.Bounds{})})
			o := search.Options{Strategy: strategy, Seed: uint64(r.IntN(100)), Executions: 1 + r.IntN(120), Statistics: r.IntN(2) == 0}
			if a := asWhole(t, tgt, o, sizes(r)); a != nil {
				verdicts[a.Verdict]++
			}
		}
	}
	require.Greater(t, verdicts[result.Violated], 5)
	require.Greater(t, verdicts[result.Inconclusive], 5)
}

// So it is with random systems, with promises of all kinds.
func TestPartsOfRandomSystems(t *testing.T) {
	seen := map[string]int{}
	for seed := *first; seed < *first+uint64(3**long); seed++ {
		tgt, r := toySystem(seed)
		strategy := []string{"spread", "uniform", "sample", "enumerate"}[r.IntN(4)]
		o := search.Options{Strategy: strategy, Seed: seed, Executions: 1 + r.IntN(300), Statistics: r.IntN(2) == 0, Workers: 1 + r.IntN(2)}
		a := asWhole(t, tgt, o, sizes(r))
		seen[string(a.Verdict)]++
		if a.Vacuity != "" {
			seen["vacuous"]++
		}
	}
	for _, what := range []string{"holds", "violated", "inconclusive"} {
		require.NotZero(t, seen[what], "%s: %v", what, seen)
	}
}

// What is late with another seed only, what is stuck, and a promise about what never
// comes about.
func TestPartsThatGoOn(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	late, reseeded := 0, 0
	for _, like := range []hopeful{{from: 8}, {from: 6, once: true}, {from: 8, brittle: true}} {
		tgt := hopefuls(like)
		for seed := range uint64(12) {
			a := asWhole(t, tgt, search.Options{Strategy: "spread", Seed: seed, Executions: 5 + 5*int(seed%3)}, sizes(r))
			if l := a.Search.Late; l != nil {
				late, reseeded = late+l.Schedules, reseeded+l.Reseeded
			}
		}
	}
	require.Greater(t, late, reseeded)
	require.NotZero(t, reseeded)
	vacuous := counters()
	vacuous.System.Properties = []property.Property{rules.New("never", "violation(P) :- hurd(P, 99, _). pre(P) :- herd(P). post(P) :- heard(P, 1, _).")}
	a := asWhole(t, vacuous, search.Options{Strategy: "uniform", Executions: 30}, sizes(r))
	require.NotEmpty(t, a.Vacuity)
	require.Len(t, a.Warnings, 2)
}

// Executions that are not judged are counted, in all parts.
func TestPartsThatAreNotJudged(t *testing.T) {
	slow := property.Property{Name: "slow", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
		for _, f := range e.Facts {
			if f.Relation == "leader" && f.Args[0].Text() != "a" {
				panic(&limits.UnjudgedError{Why: "it takes too long"})
			}
		}
		return nil
	}}
	tgt := target{System: election.Fixed(), Properties: []property.Property{slow}, Bounds: rounds.Bounds{Isolations: 1, Period: 2}}
	for _, strategy := range []string{"spread", "enumerate"} {
		a := asWhole(t, tgt, search.Options{Strategy: strategy, Executions: 60, Workers: 1}, func() int { return 9 })
		require.Equal(t, limits.Judgement, a.Limit.Kind)
	}
}

// The strategy that fits is the same for a part. One that goes by what it has seen cannot
// be made in parts.
func TestPartsOfTheStrategyThatFits(t *testing.T) {
	tgt := staleTerms(true)
	a := asWhole(t, tgt, search.Options{Executions: 100}, func() int { return 30 })
	require.Contains(t, a.Search.Why, "spread, because")
	for _, strategy := range []string{"learn", "lineage", "exhaustive"} {
		local, err := search.NewTarget(replog.Fixed(), nil)
		require.NoError(t, err)
		_, err = strategies.Part(t.Context(), local, search.Options{Strategy: strategy, Bounds: rounds.Bounds{Isolations: 1, Period: 4}}, search.Part{End: 10})
		require.ErrorContains(t, err, "strategy "+strategy+" cannot search in parts")
		_, err = strategies.Run(t.Context(), local, search.Options{Strategy: strategy, Bounds: rounds.Bounds{Isolations: 1, Period: 4}, Known: &search.Stretch{}})
		require.ErrorContains(t, err, "strategy "+strategy+" cannot go on with executions that others have made")
	}
}

// A process that does what it must not ends a part, as it ends the search.
func TestPartsThatFail(t *testing.T) {
	tgt := counters()
	tgt.System.New = func(name string, _ *rand.Rand) system.Process { return &failing{name: name} }
	a := asWhole(t, tgt, search.Options{Strategy: "spread", Executions: 50}, func() int { return 8 })
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, search.NoPanic, a.First().Violations[0].Property)
}

// failing panics when it has missed a message.
type failing struct{ name string }

func (f *failing) Send(s *system.Step) { s.Broadcast("hello") }

func (f *failing) Receive(_ *system.Step, inbox []system.Message) {
	if len(inbox) == 0 && f.name == "a" {
		panic(errors.New("nobody there"))
	}
}

// What others say is believed only if it fits.
func TestKnownThatDoesNotFit(t *testing.T) {
	tgt := counters()
	o := search.Options{Strategy: "uniform", Executions: 40, Statistics: true, Bounds: tgt.Bounds}
	local, err := search.NewTarget(tgt.System, nil)
	require.NoError(t, err)
	good, err := strategies.Part(t.Context(), local, o, search.Part{End: 10})
	require.NoError(t, err)
	for name, change := range map[string]func(*search.Stretch){
		"strategy":   func(k *search.Stretch) { k.Strategy = "spread" },
		"all":        func(k *search.Stretch) { k.All = 50 },
		"beginning":  func(k *search.Stretch) { k.First = 1 },
		"end":        func(k *search.Stretch) { k.End = 41 },
		"negative":   func(k *search.Stretch) { k.End = -1 },
		"properties": func(k *search.Stretch) { k.Sights = nil },
		"late":       func(k *search.Stretch) { k.Continued = -4 },
		"figures":    func(k *search.Stretch) { k.Figures = k.Figures[1:] },
		"many":       func(k *search.Stretch) { k.Figures[0] = map[int]int{4: 1 << 40} },
		"few":        func(k *search.Stretch) { k.Figures[0] = nil },
		"unjudged":   func(k *search.Stretch) { k.Unjudged = 2 },
	} {
		bad := *good
		bad.Sights, bad.Figures = slices.Clone(good.Sights), slices.Clone(good.Figures)
		change(&bad)
		asked := o
		asked.Known = &bad
		_, err := strategies.Run(t.Context(), local, asked)
		require.ErrorContains(t, err, "executions that others have made: ", name)
	}
	for _, p := range []search.Part{{First: -1, End: 3}, {First: 3, End: 3}, {First: 40, End: 41}} {
		_, err = strategies.Part(t.Context(), local, o, p)
		require.EqualError(t, err, fmt.Sprintf("a search with 40 executions has no part from %d to %d", p.First, p.End))
	}
	next := *good
	_, err = good.Join(&next)
	require.ErrorContains(t, err, "these are not of one search")
}

// What is known of a part when its context ends is lost: some of it may not have been
// executed.
func TestPartThatIsEnded(t *testing.T) {
	local, err := search.NewTarget(counters().System, nil)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = strategies.Part(ctx, local, search.Options{Strategy: "uniform", Bounds: counters().Bounds}, search.Part{End: 100})
	require.ErrorIs(t, err, context.Canceled)
}
