package strategies_test

import (
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

var most = flag.Int64("most", 800, "schedules of a random system, all of which are executed")

// keeper is a toy that keeps something in stable storage, comes back with it, and
// answers requests. What it does depends on the order in which things arrive. It
// comes to some of its points in some of its states.
type keeper struct {
	toy
	stored uint64
	told   int // how often it was told that it crashes
	points []string
}

func (p *keeper) CrashPoints() []string { return p.points }

func (p *keeper) at(s *system.Step, where string) {
	for _, point := range p.points {
		if p.choose(where, point)%3 == 0 {
			s.At(point)
		}
	}
}

func (p *keeper) Send(s *system.Step) {
	p.at(s, "before")
	for _, q := range s.Requests() {
		p.state = p.choose("request", q.ID) % toyStates
		if p.choose("reply")%2 == 0 {
			s.Reply(q, p.state)
		}
	}
	p.toy.Send(s)
	p.at(s, "sent")
}

func (p *keeper) Receive(s *system.Step, inbox []system.Message) {
	p.at(s, "arrived")
	p.toy.Receive(s, inbox)
	p.at(s, "stored")
	if p.choose("store")%2 == 0 {
		p.stored = p.state % 2
	}
}

func (p *keeper) Restart(s *system.Step) {
	p.state = p.stored
	if p.state = p.choose("restart", p.told) % toyStates; p.choose("fact")%3 == 0 {
		s.Fact("value", int(p.stored))
	}
	p.at(s, "restarted")
}

// teller is a keeper that is told when it crashes.
type teller struct{ keeper }

func (p *teller) Crash() { p.told++ }

func (p *keeper) Fingerprint() string  { return fmt.Sprint(p.state, p.stored, p.told) }
func (p *keeper) Snapshot() any        { return *p }
func (p *keeper) Restore(snapshot any) { *p = snapshot.(keeper) }

// keeperRules are more properties of all kinds.
var keeperRules = append([]string{
	`pre(ID) :- request(_, ID, _, _). post(ID) :- reply(_, ID, _, _).`,
	`violation(P, ID) :- reply(P, ID, "0", R), reply(P, ID, "1", S), R < S.`,
	`violation(P) :- value(P, 1, R), value(P, 0, R).`,
}, toyRules...)

// keeperSystem returns a random system with few schedules of all kinds of faults.
func keeperSystem(seed uint64) target {
	r := rand.New(rand.NewPCG(seed, 8))
	s := &system.System{Name: fmt.Sprintf("keeper %d", seed), Processes: []string{"a", "b", "c", "d"}[:2+r.IntN(2)+r.IntN(2)*r.IntN(2)], Rounds: 2 + r.IntN(5)}
	points, told := [][]string{nil, nil, {"x"}, {"y", "x"}}[r.IntN(4)], r.IntN(2) == 0
	s.New = func(name string, _ *rand.Rand) system.Process {
		p := &keeper{toy: toy{seed: seed, name: name, names: s.Processes}, points: points}
		if told && name != "a" {
			return &teller{*p}
		}
		return p
	}
	for range r.IntN(4) {
		s.Requests = append(s.Requests, system.Request{Round: 1 + r.IntN(s.Rounds), Process: s.Processes[r.IntN(len(s.Processes))]})
	}
	s.Fixed = r.IntN(3) > 0
	s.Properties = []property.Property{rules.New("keeper", keeperRules[r.IntN(len(keeperRules))])}
	for {
		b := keeperBounds(r, s)
		if schedules.Count(b).Cmp(big.NewInt(*most)) <= 0 {
			b.Processes, b.EOT, b.CrashStop = nil, 0, false // those of the system
			return target{System: s, Bounds: b}
		}
	}
}

func keeperBounds(r *rand.Rand, s *system.System) rounds.Bounds {
	b := rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, CrashStop: true, Period: 1 + r.IntN(4)}
	few := func() int { return []int{0, 0, 1, 1, 2, 3, rounds.Unlimited}[r.IntN(7)] }
	b.Crashes, b.Restarts, b.Pauses, b.Isolations, b.Omissions = few(), few(), few(), few(), few()
	if len(s.Processes) > 2 {
		b.Partitions = few()
	}
	if r.IntN(3) == 0 {
		b.Cuts = few()
	}
	b.Points = search.Describe(s).Points
	if r.IntN(3) == 0 {
		b.EFF = 1 + r.IntN(s.Rounds+1)
	}
	if r.IntN(3) == 0 {
		b = oracle.Assume(r, b)
	}
	return oracle.Begin(r, b)
}

// divertedSystem returns one in which messages come late, twice and in other orders as
// well.
func divertedSystem(seed uint64) target {
	t := keeperSystem(seed)
	r := rand.New(rand.NewPCG(seed, 9))
	for {
		b := keeperBounds(r, t.System)
		few := func() int { return []int{0, 1, 1, 2, rounds.Unlimited}[r.IntN(5)] }
		b.Delays, b.Duplicates, b.Orders, b.MaxDelay = few(), few(), few(), 1+r.IntN(3)
		if b.Delays|b.Duplicates|b.Orders != 0 && b.Validate() == nil && schedules.Count(b).Cmp(big.NewInt(*most)) <= 0 {
			b.Processes, b.EOT, b.CrashStop = nil, 0, false
			t.Bounds = b
			return t
		}
	}
}

// The same with messages that come late, twice and in other orders.
func TestAgreesWithBruteForceOnLateMessages(t *testing.T) { agree(t, divertedSystem) }
func TestOthersOnLateMessages(t *testing.T)               { others(t, divertedSystem) }

// On random small systems with all kinds of faults the searches find a violation
// exactly when there is one, and the exhaustive one finds a smallest.
func TestAgreesWithBruteForceOnAllFaults(t *testing.T) {
	agree(t, func(seed uint64) target { return keeperSystem(seed) })
}

// On the same systems the strategies that give no certificate for such faults report no
// wrong violation, and no certificate that executing every schedule contradicts. They
// find most of what there is.
func TestOthersOnAllFaults(t *testing.T) { others(t, keeperSystem) }

func others(t *testing.T, random func(seed uint64) target) {
	violated, missed := 0, map[string]int{}
	for seed := *first; seed < *first+uint64(*long); seed++ {
		target := random(seed)
		fewest, _ := bruteForce(t, target)
		b := target.Bounds
		b.Processes, b.EOT, b.CrashStop = target.System.Processes, target.System.Rounds, true
		b.Points = search.Describe(target.System).Points
		if fewest >= 0 {
			violated++
		}
		for _, strategy := range []string{"lineage", "spread", "uniform", "sample"} {
			r, err := find(t.Context(), strategy, target, search.Options{Seed: seed, Executions: 600})
			require.NoError(t, err, "%s: seed %d", strategy, seed)
			switch {
			case r.Verdict == result.Violated:
				require.GreaterOrEqual(t, fewest, 0, "%s: seed %d: %s", strategy, seed, r.Summary())
				require.GreaterOrEqual(t, r.First().Schedule.Size(), fewest, "%s: seed %d", strategy, seed)
				require.NoError(t, schedules.WithinSystem(r.First().Schedule, b), "%s: seed %d", strategy, seed)
			case r.Verdict == result.Holds:
				require.Negative(t, fewest, "%s: seed %d: %s", strategy, seed, r.Summary())
			case fewest >= 0:
				missed[strategy]++
			}
		}
	}
	t.Logf("%d systems violate their properties; missed: %v", violated, missed)
	for strategy, n := range missed {
		require.Less(t, 10*n, violated+10, "%s misses %d of %d violations", strategy, n, violated)
	}
}
