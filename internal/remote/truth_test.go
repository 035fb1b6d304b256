package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// talker sends to some processes, itself among them, draws numbers, ticks, and
// replies to requests.
type talker struct{ ticks int }

func (p *talker) Tick(*system.Step)    { p.ticks++ }
func (p *talker) Restart(*system.Step) { p.ticks = 0 }
func (p *talker) Send(s *system.Step) {
	for _, to := range s.Processes() {
		if s.Rand().IntN(3) > 0 {
			s.Send(to, p.ticks)
		}
	}
}

func (p *talker) Receive(s *system.Step, inbox []system.Message) {
	s.Fact("heard", len(inbox))
	for _, r := range s.Requests() {
		s.Reply(r, p.ticks)
	}
}

func talkers() *system.System {
	return &system.System{
		Name: "talkers", Processes: []string{"a", "b", "c", "d"}, Rounds: 9, MaxTicks: 3,
		New:      func(string, *rand.Rand) system.Process { return &talker{} },
		Requests: []system.Request{{Process: "a", Round: 2, Payload: "x"}, {Process: "c", Round: 4, Payload: "y"}},
	}
}

// Whatever really happens is believed.
func TestWhatHappensIsBelieved(t *testing.T) {
	s := talkers()
	target := &System{Target: search.Target{Description: search.Describe(s)}}
	runner := s.NewRunner()
	runner.Options.Record = true
	random := rand.New(rand.NewPCG(1, 2))
	waited, dropped, again, late := 0, 0, 0, 0
	for i := range 2000 {
		b := s.Bounds(0)
		b.Isolations, b.Omissions, b.Pauses, b.Crashes, b.Restarts, b.Period = random.IntN(4), random.IntN(5), random.IntN(5), random.IntN(4), random.IntN(4), 1+random.IntN(5)
		if i%2 == 0 {
			b.Delays, b.Duplicates, b.MaxDelay, b.Orders = random.IntN(4), random.IntN(4), 1+random.IntN(4), random.IntN(2)
		}
		schedule := schedules.New(b).Random(random).With(rounds.Settings{Seed: rounds.Set(uint64(i))})
		require.NoError(t, runner.Run(t.Context(), schedule))
		e := runner.Execution()
		require.NoError(t, target.believe(e, schedule, 9, nil), "%s", schedule)
		for _, m := range e.Messages {
			if m.Arrival > 0 {
				waited++
			}
			if m.Again {
				again++
			}
			if m.Lost && m.Again {
				late++
			}
			if m.Lost && m.Cause.Kind == rounds.Crash && m.Cause.Round > m.Round {
				dropped++
			}
		}
	}
	require.Greater(t, waited, 100)
	require.Greater(t, dropped, 10)
	require.Greater(t, again, 100)
	require.Greater(t, late, 10)
}

// mutate changes one member of an answer, and says which.
func mutate(r *rand.Rand, a object, others []any) string {
	var places []func() string
	var walk func(in any, path string)
	walk = func(in any, path string) {
		switch in := in.(type) {
		case object:
			for _, key := range slices.Sorted(keysOf(in)) {
				at := path + "." + key
				walk(in[key], at)
				places = append(places,
					func() string { delete(in, key); return "without " + at },
					func() string { in[key] = copied(others[r.IntN(len(others))]); return fmt.Sprint(at, " = ", in[key]) },
					func() string { in[key] = near(r, in[key]); return fmt.Sprint(at, " = ", in[key]) })
			}
		case []any:
			for i := range in {
				at := fmt.Sprintf("%s[%d]", path, i)
				walk(in[i], at)
				places = append(places,
					func() string { in[i] = copied(in[r.IntN(len(in))]); return at + " is another" },
					func() string { in[i] = near(r, in[i]); return fmt.Sprint(at, " = ", in[i]) })
			}
		}
	}
	walk(a, "")
	return places[r.IntN(len(places))]()
}

// copied returns a value that shares nothing with another.
func copied(v any) any {
	text, err := json.Marshal(v)
	if err != nil || json.Unmarshal(text, &v) != nil {
		panic(err)
	}
	return v
}

func keysOf(o object) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range o {
			if key != "id" && !yield(key) {
				return
			}
		}
	}
}

// near returns a value that could stand for another.
func near(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case float64:
		return v + float64(r.IntN(5)-2)
	case bool:
		return !v
	case string:
		return []string{"a", "b", "c", "", "isolate b@3..4", "isolate b@4", "omit a>b@1", "crash c@2", v + "; omit a>b@1", "hello", "holds", "violated", "inconclusive"}[r.IntN(13)]
	case []any:
		if len(v) > 0 {
			return v[1:]
		}
	}
	return nil
}

// values are all those in an answer.
func values(in any) []any {
	all := []any{in}
	switch in := in.(type) {
	case object:
		for _, key := range slices.Sorted(keysOf(in)) {
			all = append(all, values(in[key])...)
		}
	case []any:
		for _, v := range in {
			all = append(all, values(v)...)
		}
	}
	return all
}

// mutant is a host that changes one member in each answer to one kind of request.
func mutant(t testing.TB, s *system.System, do string, seed uint64) (r *Remote, changed func() string) {
	random := rand.New(rand.NewPCG(seed, 0))
	var what []string
	r = liar(t, s, Options{}, to(do, func(_, a object) {
		what = append(what, mutate(random, a, values(a)))
	}))
	return r, func() string { return fmt.Sprintf("seed %d: %s", seed, strings.Join(what, ", ")) }
}

// What is believed of an execution of a host that changes what happened is what the
// schedule allows to happen. In the execution without lies everybody sends to
// everybody, so that it shows what becomes of each message.
func TestMutatedExecutions(t *testing.T) {
	s := pointed()
	judge, refused, believed := s.Properties[0], 0, 0
	for _, text := range []string{"", "isolate b@3..4; omit a>b@1", "crash b@2; restart b@5; pause c@2..4", "crash c@5; pause a@1..2; pause c@3..4",
		"crash b@2/sent; restart b@4; crash b@5/heard; pause c@3..4", "pause a@1..2; crash a@3/sent; crash b@4/never; pause c@5; crash c@5/sent"} {
		schedule := parse(t, text)
		truth, err := s.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		fates, present := map[string]string{}, map[string]bool{}
		for _, m := range truth.Messages {
			fates[fmt.Sprint(m.From, m.To, m.Round)] = fmt.Sprint(m.Lost, m.Arrival)
		}
		for _, f := range truth.Facts {
			present[fmt.Sprint(f.Args[0].Text(), f.Round)] = true
		}
		for seed := range uint64(150) {
			r, changed := mutant(t, s, messages.DoRun, seed)
			require.NoError(t, r.greet(t.Context()))
			e, violations, err := r.Systems()[0].Execute(t.Context(), schedule, 0, messages.Always)
			require.NoError(t, r.Close())
			if err != nil {
				refused++
				continue
			}
			believed++
			require.Equal(t, truth.Bounds, e.Bounds, changed())
			require.Equal(t, truth.Schedule, e.Schedule, changed())
			for _, m := range e.Messages {
				if m.From == m.To { // nobody sends that, and nothing could lose it
					require.True(t, !m.Lost && m.Arrival == 0 && present[fmt.Sprint(m.From, m.Round)], changed())
					continue
				}
				require.Equal(t, fates[fmt.Sprint(m.From, m.To, m.Round)], fmt.Sprint(m.Lost, m.Arrival), "%s: %s", changed(), m)
				require.Equal(t, specs.String(m.To), m.Args[0], changed())
			}
			for _, f := range e.Facts {
				require.True(t, present[fmt.Sprint(f.Args[0].Text(), f.Round)], "%s: %s", changed(), f)
			}
			judged, err := judge.Check(e)
			require.NoError(t, err)
			require.Equal(t, len(judged) > 0, len(violations) > 0, changed())
		}
	}
	require.Greater(t, refused, 150)
	require.Greater(t, believed, 75)
}

// What is believed of a search of a host that changes its answer is true.
func TestMutatedSearches(t *testing.T) {
	s := gossip()
	judge, refused, believed := s.Properties[0], 0, 0
	for _, b := range []rounds.Bounds{searched(1, 0), searched(0, 1), searched(2, 2)} {
		o := search.Options{Bounds: b, Seed: 5, Executions: 100}
		honest := liar(t, s, Options{}, func(object, object) {})
		require.NoError(t, honest.greet(t.Context()))
		truth, err := honest.Systems()[0].Search(t.Context(), o)
		require.NoError(t, err)
		for seed := range uint64(150) {
			r, changed := mutant(t, s, messages.DoSearch, seed)
			require.NoError(t, r.greet(t.Context()))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			a, err := r.Systems()[0].Search(ctx, o)
			cancel()
			require.NoError(t, r.Close())
			if err != nil {
				refused++
				continue
			}
			believed++
			require.True(t, a.Search.ByHost)
			require.Equal(t, inText(t, truth.Scope), inText(t, a.Scope), changed())
			require.Equal(t, truth.Verdict, a.Verdict, changed())
			require.Equal(t, truth.Complete, a.Complete, changed())
			require.Equal(t, truth.Search.Seed, a.Search.Seed, changed())
			if c := a.Search.Certificate; c != nil {
				require.Equal(t, truth.Search.Certificate.Bounds, c.Bounds, changed())
				require.Equal(t, truth.Search.Certificate.Schedules.String(), c.Schedules.String(), changed())
			}
			for _, c := range a.Counterexamples {
				require.NoError(t, schedules.Within(c.Schedule, b), changed())
				require.Equal(t, c.Schedule.Size(), c.Size, changed())
				e, err := s.Run(t.Context(), c.Schedule, system.RunOptions{})
				require.NoError(t, err)
				violations, err := judge.Check(e)
				require.NoError(t, err)
				require.NotEmpty(t, violations, changed())
				require.Equal(t, inText(t, violations), inText(t, []result.Violation(c.Violations)), changed())
				require.Equal(t, linesOf(t, e), linesOf(t, c.Execution), changed())
			}
		}
	}
	require.Greater(t, refused, 200)
	require.Greater(t, believed, 50)
}

func inText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

func linesOf(t *testing.T, e *recording.Execution) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, e.WriteLines(&b))
	return b.String()
}

// A search of a host that does not lie is believed, whatever is found, and however.
func TestTrueSearchesAreBelieved(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	liveness := talkers()
	liveness.Properties = []property.Property{
		rules.New("replies", "pre(ID) :- request(_, ID, _, _).\npost(ID) :- reply(_, ID, _, _)."),
		rules.New("few", "violation(P) :- heard(P, 7, _)."),
	}
	few := func() int { return random.IntN(2) * random.IntN(3) }
	verdicts := map[result.Verdict]int{}
	for _, s := range []*system.System{gossip(), fragile(), liveness, election.Buggy(), election.Fixed()} {
		r := liar(t, s, Options{}, func(object, object) {})
		require.NoError(t, r.greet(t.Context()))
		for range 20 {
			b := s.Bounds(0)
			b.Isolations, b.Omissions, b.Crashes, b.Pauses, b.Period = few(), few(), few(), few(), 1+random.IntN(4)
			o := search.Options{Bounds: b, Seed: random.Uint64N(100), Executions: 1 + random.IntN(60)}
			o.Strategy = []string{"", "spread", "uniform", "sample", "lineage", "exhaustive", "learn"}[random.IntN(7)]
			a, err := r.Systems()[0].Search(t.Context(), o)
			if err != nil && (strings.Contains(err.Error(), "this strategy knows") || strings.Contains(err.Error(), "system.Snapshotter") || strings.Contains(err.Error(), "system.Fingerprinter")) {
				continue
			}
			require.NoError(t, err, "%s: %s by %q", s.Name, b, o.Strategy)
			verdicts[a.Verdict]++
		}
	}
	require.Greater(t, verdicts[result.Violated], 30)
	require.Greater(t, verdicts[result.Inconclusive], 5)
}
