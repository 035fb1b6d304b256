package virtual_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// traffic writes which messages there were, and what became of them.
func traffic(e *recording.Execution) string {
	var all []string
	for _, m := range e.Messages {
		all = append(all, fmt.Sprint(m.From, ">", m.To, "@", m.Round, " lost ", m.Lost, " arrives ", m.Arrival))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// boundsOfForms are small enough to execute every schedule, and have every kind of
// fault that both forms know.
var boundsOfForms = []struct {
	name      string
	processes int
	bounds    rounds.Bounds
}{
	{"omissions", 3, rounds.Bounds{Omissions: 2}},
	{"isolations", 3, rounds.Bounds{Isolations: 2, Period: 2}},
	{"restarts", 3, rounds.Bounds{Crashes: 1, Restarts: 1, Omissions: 1, EFF: 3}},
	{"pauses", 3, rounds.Bounds{Pauses: 1, Crashes: 1, Restarts: 1, Period: 3}},
	{"partitions", 4, rounds.Bounds{Partitions: 1, Isolations: 1, Period: 3}},
	{"cuts", 3, rounds.Bounds{Cuts: 2, Period: 2}},
}

var ways = []wrong{{}, {Hasty: true}, {Once: true}, {Forgets: true}}

// all is whether every way to get it wrong is looked at within all bounds, rather
// than one within each.
var all = flag.Bool("all", false, "look at both forms of a server in every way")

// A server with goroutines does under every schedule what the state machine does: the
// same facts in the same rounds, the same messages lost. So their verdicts are equal,
// and searches of both find the same.
func TestBothForms(t *testing.T) {
	for i, b := range boundsOfForms {
		for k, w := range ways {
			if (i+k)%len(ways) == 1 || *all {
				t.Run(fmt.Sprintf("%s/%+v", b.name, w), func(t *testing.T) {
					machine, server := replicated(b.processes, w, asMachine), replicated(b.processes, w, asPlain)
					server.Single = true
					fewest := executeAll(t, machine, server, of(machine, b.bounds))
					for i, promised := range server.Properties {
						machine.Properties, server.Properties = []property.Property{promised}, []property.Property{promised}
						for _, strategy := range []string{"spread", "uniform", "lineage", "learn"} {
							searchBoth(t, machine, server, strategy, of(machine, b.bounds), fewest[i])
						}
						requireRefused(t, replicated(b.processes, w, asServer), of(machine, b.bounds))
					}
				})
			}
		}
	}
}

// of completes bounds by those of a system.
func of(s *system.System, b rounds.Bounds) rounds.Bounds {
	b.Processes, b.EOT, b.CrashStop = s.Processes, s.Rounds, true
	return b
}

// executeAll compares the executions of all schedules. It returns the fewest faults
// that violate each property, -1 if none do.
func executeAll(t *testing.T, machine, server *system.System, b rounds.Bounds) (fewest []int) {
	fewest = slices.Repeat([]int{-1}, len(server.Properties))
	for schedule := range schedules.New(b).All() {
		one, err := machine.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		other, err := server.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(one.Facts), fmt.Sprint(other.Facts), schedule)
		require.Equal(t, traffic(one), traffic(other), schedule)
		for i, p := range server.Properties {
			if n := schedule.Size(); fewest[i] < 0 || n < fewest[i] {
				violations, err := p.Check(other)
				require.NoError(t, err)
				if len(violations) > 0 {
					fewest[i] = n
				}
			}
		}
	}
	return fewest
}

// searchBoth requires that a strategy finds the same in both forms, and nothing wrong.
func searchBoth(t *testing.T, machine, server *system.System, strategy string, b rounds.Bounds, fewest int) {
	o := search.Options{Strategy: strategy, Bounds: b, Seed: 1, Executions: 200}
	if strategy == "learn" {
		o.Executions = 2000
	}
	one, err := search.Run(t.Context(), machine, o)
	require.NoError(t, err, strategy)
	other, err := search.Run(t.Context(), server, o)
	require.NoError(t, err, strategy)
	require.Equal(t, one.Verdict, other.Verdict, strategy)
	for _, a := range []*result.Answer{one, other} {
		requireRight(t, strategy, a, fewest)
	}
	switch strategy {
	case "spread", "uniform": // which look at nothing but verdicts
		require.Equal(t, found(one), found(other), strategy)
	case "learn":
		require.NotEqual(t, result.Inconclusive, other.Verdict)
		o.Strategy = "exhaustive"
		smallest, err := search.Run(t.Context(), machine, o)
		require.NoError(t, err)
		require.Equal(t, other.Verdict, smallest.Verdict)
		requireRight(t, o.Strategy, smallest, fewest)
	}
}

// requireRefused requires that strategies which look into processes say what they need
// of servers.
func requireRefused(t *testing.T, server *system.System, b rounds.Bounds) {
	_, err := search.Run(t.Context(), server, search.Options{Strategy: "exhaustive", Bounds: b})
	require.EqualError(t, err, "strategy exhaustive puts processes back into earlier states, but goroutines of servers cannot go back: use learn, if their states have names (virtual.Options.Fingerprint), or else use one that only executes them, such as lineage or spread")
}

// found returns what was found.
func found(a *result.Answer) (all []string) {
	for _, c := range a.Counterexamples {
		all = append(all, c.Schedule.String())
	}
	return all
}

// requireRight requires of an answer that it is the one of all schedules, if it says so.
func requireRight(t *testing.T, strategy string, a *result.Answer, fewest int) {
	switch a.Verdict {
	case result.Violated:
		require.NotEqual(t, -1, fewest, strategy)
		require.GreaterOrEqual(t, a.First().Schedule.Size(), fewest, strategy)
		if strategy == "exhaustive" {
			require.Equal(t, fewest, a.First().Schedule.Size())
		}
	case result.Holds:
		require.Equal(t, -1, fewest, strategy)
	}
}
