package strategies_test

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

var (
	long  = flag.Int("long", 5, "random systems to search; with 12 and more also what takes long")
	first = flag.Uint64("seed", 1, "the first of them")
)

// toy is a process with few states whose behaviour is a random table: what it
// does is a hash of its name, state and inbox.
type toy struct {
	seed  uint64
	name  string
	state uint64
	names []string
}

const toyStates = 4

func (p *toy) choose(what string, more ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, p.seed, p.name, p.state, what, more)
	return rand.New(rand.NewPCG(h.Sum64(), 1)).Uint64()
}

func (p *toy) Send(s *system.Step) {
	for _, to := range p.names {
		if n := p.choose("to", to) % 4; n > 0 {
			s.Send(to, int(n))
		}
	}
}

func (p *toy) Receive(s *system.Step, inbox []system.Message) {
	var all []any
	for _, m := range inbox {
		all = append(all, m.From, m.Payload)
	}
	p.state = p.choose("next", all...) % toyStates
	if n := p.choose("fact") % 12; n < 3 {
		s.Fact("value", int(n))
	}
}

func (p *toy) Fingerprint() string  { return fmt.Sprint(p.state) }
func (p *toy) Snapshot() any        { return p.state }
func (p *toy) Restore(snapshot any) { p.state = snapshot.(uint64) }

// toyRules are properties of all kinds: of two facts, of rounds, of what must
// have happened in the end.
var toyRules = []string{
	`violation(P, Q) :- value(P, 1, _), value(Q, 2, _), P != Q.`,
	`violation(P) :- value(P, 0, R), value(P, 1, S), value(P, 2, T), R < S, S < T.`,
	`pre(P) :- process(P). post(P) :- value(P, _, R), R > 1.`,
	`had(P, V) :- value(P, V, _). violation(P) :- had(P, 1), had(Q, 2), !had(P, 0), P != Q.`,
	`violation(P) :- value(P, 2, R), eot(R), value(Q, 1, R), Q != P.`,
}

func toySystem(seed uint64) (target, *rand.Rand) {
	r := rand.New(rand.NewPCG(seed, 7))
	s := &system.System{Name: fmt.Sprintf("toy %d", seed), Processes: []string{"a", "b", "c"}[:2+r.IntN(2)], Rounds: 3 + r.IntN(3)}
	s.New = func(name string, _ *rand.Rand) system.Process {
		return &toy{seed: seed, name: name, names: s.Processes}
	}
	s.Fixed = seed%3 == 0
	s.Properties = []property.Property{rules.New("toy", toyRules[r.IntN(len(toyRules))])}
	b := rounds.Bounds{Isolations: 1 + r.IntN(3), Period: 1 + r.IntN(3), Crashes: r.IntN(3)}
	if r.IntN(3) == 0 {
		b.EFF = s.Rounds
	}
	return target{System: s, Bounds: b}, r
}

// bruteForce executes all schedules and returns the fewest faults of one that
// violates a property, -1 if none does.
func bruteForce(t *testing.T, target target) (fewest int, schedules int) {
	fewest, _, schedules = bruteForceChoices(t, target)
	return fewest, schedules
}

// bruteForceChoices does so, and returns the fewest choices of a schedule with these
// faults.
func bruteForceChoices(t *testing.T, target target) (fewest, choices, all int) {
	b := target.Bounds
	b.Processes, b.EOT, b.CrashStop = target.System.Processes, target.System.Rounds, true
	b.Points = search.Describe(target.System).Points
	b.Choose = target.System.Bounds(0).Choose
	checker, err := property.Compile(target.System.Properties[0])
	require.NoError(t, err)
	fewest = -1
	runner := target.System.NewRunner()
	runner.Options = system.RunOptions{Record: true}
	for s := range schedules.New(b).All() {
		s = s.With(target.Settings).With(rounds.Settings{Reliable: syntax.LinksText(b.Reliable)})
		all++
		require.NoError(t, runner.Run(context.Background(), s))
		v, err := checker.Check(runner.Execution())
		require.NoError(t, err)
		smaller := fewest < 0 || s.Size() < fewest || s.Size() == fewest && s.Choices() < choices
		if len(v) > 0 && smaller && (target.System.Fixed || !late(t, target.System, s, v)) {
			fewest, choices = s.Size(), s.Choices()
		}
	}
	return fewest, choices, all
}

// late tells whether each of some violations is a pre without its post that has it
// in a longer execution, or with other numbers behind the last fault.
func late(t *testing.T, s *system.System, schedule rounds.Schedule, violations []result.Violation) bool {
	last := 0
	for _, f := range schedule.Faults {
		last = max(last, f.Round, f.Until)
	}
	if slices.ContainsFunc(violations, func(v result.Violation) bool { return v.Fact.Relation == "violation" }) {
		return false
	}
	for other := range uint64(4) {
		under, missing := schedule, map[string]bool{}
		if other > 0 && last < s.Rounds {
			under = schedule.With(rounds.Settings{Reseed: rounds.Set(schedule.Settings.Seed.Value + other), ReseedFrom: last + 1})
		}
		for i, times := range []int{1, 2, 4, 8} {
			eot := s.Rounds
			if i > 0 {
				eot = last + times*max(s.Rounds-last, (s.Rounds+1)/2)
			}
			e, err := s.Run(context.Background(), under, system.RunOptions{Rounds: eot})
			require.NoError(t, err)
			longer, err := s.Properties[0].Check(e)
			require.NoError(t, err)
			still := map[string]bool{}
			for _, v := range longer {
				if text := v.Fact.String(); i == 0 || missing[text] {
					still[text] = true
				}
			}
			missing = still
		}
		if len(missing) == 0 {
			return true
		}
	}
	return false
}

// certifying are the searches that decide a system within its bounds.
var certifying = []string{"exhaustive", "learn", "enumerate"}

// told tells whether a process is told when it crashes: learn knows of the state that
// this leaves behind only when it comes back, and names it otherwise.
func told(s *system.System) bool {
	return slices.ContainsFunc(s.Processes, func(name string) bool {
		_, is := s.New(name, rand.New(rand.NewPCG(0, 0))).(system.Crasher)
		return is
	})
}

// On random small systems the searches find a violation exactly when there is
// one, and the exhaustive one finds a smallest.
func TestAgreesWithBruteForce(t *testing.T) {
	agree(t, func(seed uint64) target {
		target, _ := toySystem(seed)
		return target
	})
}

// agree compares searches with the execution of all schedules, on random systems.
func agree(t *testing.T, system func(seed uint64) target) {
	count := map[result.Verdict]int{}
	for seed := *first; seed < *first+uint64(*long); seed++ {
		target := system(seed)
		fewest, choices, all := bruteForceChoices(t, target)
		want := result.Holds
		if fewest >= 0 {
			want = result.Violated
		}
		count[want]++
		states := 0 // of the certificates
		for _, strategy := range certifying {
			r, err := find(context.Background(), strategy, target, search.Options{Seed: seed, Executions: max(all, 10_000)})
			require.NoError(t, err, "%s: seed %d", strategy, seed)
			require.Equal(t, want, r.Verdict, "%s: seed %d, %s, %s", strategy, seed, target.Bounds, r.Summary())
			if r.Search.Late != nil {
				count[result.Verdict("late")]++
			}
			if r.Verdict == result.Holds {
				require.EqualValues(t, all, r.Search.Certificate.Schedules.Int64())
				if strategy != "enumerate" {
					if states != 0 && !told(target.System) {
						require.Equal(t, states, r.Search.Certificate.States, "%s: seed %d", strategy, seed)
					}
					states = r.Search.Certificate.States
					require.LessOrEqual(t, r.Search.Executions, all, "%s: seed %d", strategy, seed)
				}
				continue
			}
			require.Equal(t, strategy == "exhaustive", r.Search.States > 0, "%s: seed %d", strategy, seed)
			b := target.Bounds
			b.Processes, b.EOT, b.CrashStop = target.System.Processes, target.System.Rounds, true
			b.Points = search.Describe(target.System).Points
			b.Choose = target.System.Bounds(0).Choose
			require.NoError(t, schedules.WithinSystem(r.First().Schedule, b), "%s: seed %d", strategy, seed)
			if strategy == "exhaustive" || strategy == "enumerate" {
				require.Equal(t, fewest, r.Search.Found.Size(), "seed %d: %s", seed, r.Search.Found)
				require.Equal(t, choices, r.Search.Found.Choices(), "seed %d: %s", seed, r.Search.Found)
			}
			require.GreaterOrEqual(t, r.First().Schedule.Size(), fewest, "%s: seed %d", strategy, seed)
		}
	}
	t.Logf("%v", count)
}
