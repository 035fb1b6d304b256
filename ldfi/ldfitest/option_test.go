package ldfitest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// optionStories are options of Run, and what it says with them.
var optionStories = map[string]struct {
	system  *system.System
	options []ldfitest.Option
	says    []string
	fails   bool
}{
	"without options there are two isolations in four phases": {
		system: unique(election.Fixed()),
		says:   []string{"holds (exhaustive)", "3 processes, 6 rounds, at most 2 isolations in phases of 2 rounds, "},
	},
	"isolations": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Isolations(1, 3)},
		says:    []string{"6 rounds, at most 1 isolation in phases of 3 rounds, "},
	},
	"crashes take the place of isolations": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Crashes(2, 0)},
		says:    []string{"holds (exhaustive)", "6 rounds, at most 2 crashes (stop), "},
	},
	"what a crashed process has reported counts": {
		system:  heirs(),
		options: []ldfitest.Option{ldfitest.Crashes(1, 0)},
		says:    []string{"decided(a, 1)@1 is a fact of a, which has crashed (crash a@2): "},
		fails:   true,
	},
	"crashes with isolations": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Crashes(1, 0), ldfitest.Isolations(1, 2)},
		says:    []string{"6 rounds, at most 1 isolation in phases of 2 rounds, at most 1 crash (stop), "},
	},
	"restarts, of processes that can": {
		system:  alarm(),
		options: []ldfitest.Option{ldfitest.Crashes(1, 1), ldfitest.Executions(30), ldfitest.Settings(ticks(1))},
		says:    []string{"strategy: exhaustive, because", "at most 1 restart, 29 schedules"},
	},
	"restarts, of processes that cannot": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Crashes(1, 1)},
		says:    []string{"Restart"},
		fails:   true,
	},
	"orders of goroutines": {
		system:  systems.Racing("racing", true),
		options: []ldfitest.Option{ldfitest.Isolations(1, 1), ldfitest.GoroutineOrders()},
		says:    []string{"the order of goroutines is drawn", "goroutines "},
		fails:   true,
	},
	"orders of goroutines, of processes without any": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.GoroutineOrders()},
		says:    []string{"goroutine"},
		fails:   true,
	},
	"rounds": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Rounds(4)},
		says:    []string{"3 processes, 4 rounds, at most 2 isolations, "},
	},
	"healed, with isolations": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.HealedFrom(5)},
		says:    []string{"6 rounds, at most 2 isolations in phases of 2 rounds before round 5, "},
	},
	"healed, with crashes alone: no losses at all": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Crashes(1, 0), ldfitest.HealedFrom(3), ldfitest.Executions(20)},
		says:    []string{"3 processes, 6 rounds, at most 1 crash (stop), 19 schedules"},
	},
	"no faults in the first rounds": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.FaultsFrom(3), ldfitest.Crashes(1, 0)},
		says:    []string{"3 processes, 6 rounds, faults from round 3 on, at most 1 crash (stop), 13 schedules"},
	},
	"bounds": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Bounds(rounds.Bounds{EOT: 5, EFF: 4, Isolations: 1, Crashes: 1, Period: 3})},
		says:    []string{"3 processes, 5 rounds, at most 1 isolation in phases of 3 rounds before round 4, at most 1 crash (stop), "},
	},
	"bounds, and then one of them": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Bounds(rounds.Bounds{Isolations: 1, Period: 3}), ldfitest.Rounds(4)},
		says:    []string{"3 processes, 4 rounds, at most 1 isolation in phases of 3 rounds, "},
	},
	"a strategy and its budget": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Strategy("spread"), ldfitest.Executions(7)},
		says:    []string{"inconclusive after 7 executions (spread, seed 0): none of 7 executions violates a property"},
	},
	"few schedules, which all could be executed": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Crashes(1, 0), ldfitest.Strategy("spread"), ldfitest.Executions(7)},
		says:    []string{"inconclusive after 7 executions (spread, seed 0)", "at least ", `try every one of the 19 schedules: ldfitest.Strategy("enumerate") with ldfitest.Executions(19)`},
	},
	"what is drawn has to be decided": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Strategy("spread"), ldfitest.Executions(7), ldfitest.MustDecide()},
		says:    []string{"inconclusive after 7 executions", "one leader per term is not decided, and MustDecide asks for that"},
		fails:   true,
	},
	"what is decided is": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.MustDecide()},
		says:    []string{"holds (exhaustive)"},
	},
	"another seed finds another schedule": {
		system:  unique(election.Buggy()),
		options: []ldfitest.Option{ldfitest.Strategy("sample"), ldfitest.Seed(3)},
		says:    []string{"found   by sample, in execution ", "with seed 3"},
		fails:   true,
	},
	"settings that break it": {
		system:  alarm(),
		options: []ldfitest.Option{ldfitest.Settings(ticks(3))},
		says:    []string{`violated  quiet: violation(a)`, "faults  ticks 3   (it fails without faults)"},
		fails:   true,
	},
	"a guide, whose target every execution reaches": {
		system: unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Guide(`
			drop(M) :- message(M, _, _, "vote", _, 2).
			goto("start", "led") :- leader(_, _, R), R > 2.
			good("led").`)},
		says: []string{"led was reached in 100 of 100 executions", "guided by guide.mg: 3 rules, fired 400 times"},
	},
	"a guide that misses its target, and a rule of which never fires": {
		system: unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Executions(7), ldfitest.Guide(`drop(M) :- message(M, _, _, "vote", _, _).
			drop(M) :- message(M, _, _, "veto", _, R), R > 3.
			drop(M) :- message(M, _, "d", _, _, _). # may never
			waypoint(1, R) :- leader(_, _, R).`)},
		says: []string{
			"waypoint 1 of guide.mg: reached in 0 of 7 executions; every execution has to reach it",
			"no waypoint was reached, in 7 of 7 executions; the rule for waypoint 1 lacked leader(_, _, R) (guide.mg:4:",
			"vacuous: guide.mg:2:4: this rule never fires; end the rule with # may never if that is meant",
			`vacuous: guide.mg:2:15: no execution sends a message of kind "veto"; there is candidacy and vote; end the rule`,
		},
		fails: true,
	},
	"a guide with a bad state": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Guide(`goto("start", "led") :- leader(_, _, R), R > 2. bad("led").`)},
		says:    []string{`violated  guide.mg: the bad state "led" of guide.mg is entered in round 4`, "kept    not: the guide finds it again"},
		fails:   true,
	},
	"a guide beside faults": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Crashes(1, 0), ldfitest.Guide(`drop(M) :- message(M, _, _, "vote", _, 2).`)},
		says:    []string{"holds (enumerate)", "19 schedules"},
	},
	"a guide that is wrong": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Guide(`dropp(M) :- message(M, _, _, "vote", _, 2).`)},
		says:    []string{`ldfitest.Guide: guide.mg:1:1: dropp decides nothing, and no rule that does reads it (did you mean "drop"?)`},
		fails:   true,
	},
	"a guide that is not there": {
		system:  unique(election.Fixed()),
		options: []ldfitest.Option{ldfitest.Guide("none.mg")},
		says:    []string{"ldfitest.Guide: ", "none.mg"},
		fails:   true,
	},
	"a relation that nobody reports": {
		system:  unheard(),
		options: []ldfitest.Option{ldfitest.Strategy("spread"), ldfitest.Executions(7)},
		says: []string{
			"vacuous: quiet: violation could never be derived: sings(P, _) had no fact in any of 7 executions",
			"warning: it reads sings, which no process reported in any of 7 executions",
		},
	},
	"settings that do not": {
		system:  alarm(),
		options: []ldfitest.Option{ldfitest.Settings(ticks(2))},
		says:    []string{"holds (exhaustive)"},
	},
}

func TestOptions(t *testing.T) {
	for name, story := range optionStories {
		t.Run(name, func(t *testing.T) {
			out, err := goTest(t, t.TempDir(), name)
			for _, text := range story.says {
				require.Contains(t, out, text)
			}
			require.Equal(t, story.fails, err != nil, out)
		})
	}
}

// unique is a system with the first of its properties alone.
func unique(s *system.System) *system.System {
	s.Properties = s.Properties[:1]
	return s
}

// alarm is a system whose processes ring when their timers tick three times in a
// round.
func alarm() *system.System {
	return &system.System{
		Name: "alarm", Processes: []string{"a", "b"}, Rounds: 4, MinTicks: 1, MaxTicks: 3,
		New:        func(string, *rand.Rand) system.Process { return &clock{} },
		Properties: []property.Property{rules.New("quiet", `violation(P) :- rings(P, _).`)},
	}
}

// unheard is an alarm of which a property expects something else.
func unheard() *system.System {
	s := alarm()
	s.Properties = []property.Property{rules.New("quiet", `violation(P) :- sings(P, _).`)}
	return s
}

type clock struct{ ticks int }

func (c *clock) Tick(*system.Step) { c.ticks++ }
func (c *clock) Send(s *system.Step) {
	if c.ticks == 3 {
		s.Fact("rings")
	}
	c.ticks = 0
}
func (c *clock) Receive(*system.Step, []system.Message) {}
func (c *clock) Restart(*system.Step)                   { c.ticks = 0 }
func (c *clock) Fingerprint() string                    { return "" }
func (c *clock) Snapshot() any                          { return nil }
func (c *clock) Restore(any)                            { c.ticks = 0 }

func ticks(n uint64) rounds.Settings { return rounds.Settings{Ticks: rounds.Set(n)} }
