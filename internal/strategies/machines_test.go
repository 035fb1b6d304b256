package strategies_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// machine is a keeper whose clock and signals make a difference, and whose disk keeps what
// was synced, or what a crash leaves of the rest.
type machine struct {
	keeper
	written uint64
}

func (p *machine) Machine() system.Machine {
	return system.Machine{Clock: true, Disk: true, Terminates: true}
}

func (p *machine) Send(s *system.Step) {
	if c := s.Conditions(); c.Clock != 0 || c.Jump != 0 {
		p.state = p.choose("clock", c.Clock, c.Jump) % toyStates
	}
	if until := s.Conditions().Terminate; until > 0 {
		p.state = p.choose("end", until-s.Round()) % toyStates
	}
	p.keeper.Send(s)
}

func (p *machine) Receive(s *system.Step, inbox []system.Message) {
	before := p.stored
	p.keeper.Receive(s, inbox)
	p.written = p.stored
	if s.Conditions().FailSync || p.choose("sync")%2 == 0 {
		p.stored = before
	}
}

func (p *machine) CrashDisk(outcome string) {
	switch outcome {
	case "kept":
		p.stored = p.written
	case "torn":
		p.stored = p.choose("torn") % 3
	}
	p.written = p.stored
}

func (p *machine) Fingerprint() string  { return fmt.Sprint(p.keeper.Fingerprint(), p.written) }
func (p *machine) Snapshot() any        { return *p }
func (p *machine) Restore(snapshot any) { *p = snapshot.(machine) }

// machineSystem returns a random system with few schedules of all kinds of fault,
// those of machines among them.
func machineSystem(seed uint64) target {
	t := keeperSystem(seed)
	s, r := t.System, rand.New(rand.NewPCG(seed, 9))
	points := search.Describe(s).Points
	s.New = func(name string, _ *rand.Rand) system.Process {
		return &machine{keeper: keeper{toy: toy{seed: seed, name: name, names: s.Processes}, points: points[name]}}
	}
	for {
		b := keeperBounds(r, s)
		few := func() int { return []int{0, 0, 1, 1, 2, rounds.Unlimited}[r.IntN(6)] }
		b.FastClocks, b.SlowClocks, b.Jumps, b.MaxJump, b.FailedSyncs, b.Terminations = few(), few(), few(), 1+r.IntN(3), few(), few()
		b.Disks = true
		if schedules.Count(b).Cmp(big.NewInt(*most)) <= 0 && ofMachines(b) {
			b.Processes, b.EOT, b.CrashStop = nil, 0, false // those of the system
			return target{System: s, Bounds: b}
		}
	}
}

// ofMachines tells whether bounds allow faults of machines.
func ofMachines(b rounds.Bounds) bool {
	return (b.FastClocks|b.SlowClocks|b.Jumps|b.FailedSyncs|b.Terminations) != 0 && b.LastLoss() > 0 || b.Crashes != 0
}

// On random small systems on machines those strategies that execute schedules one by
// one report no wrong violation and no wrong certificate, and find most of what there
// is; the others refuse.
func TestOthersOnFaultsOfMachines(t *testing.T) { others(t, machineSystem) }

func TestEnumerateOnFaultsOfMachines(t *testing.T) {
	held := 0
	for seed := *first; seed < *first+uint64(*long); seed++ {
		target := machineSystem(seed)
		fewest, schedules := bruteForce(t, target)
		r, err := find(t.Context(), "enumerate", target, search.Options{Seed: seed, Executions: max(schedules, 10_000)})
		require.NoError(t, err)
		if fewest < 0 {
			require.Equal(t, result.Holds, r.Verdict, "seed %d: %s", seed, r.Summary())
			require.EqualValues(t, schedules, r.Search.Certificate.Schedules.Int64())
			held++
			continue
		}
		require.Equal(t, result.Violated, r.Verdict, "seed %d: %s", seed, r.Summary())
		require.Equal(t, fewest, r.First().Schedule.Size(), "seed %d: %s", seed, r.Summary())
	}
	t.Logf("%d hold", held)
}

func TestStatesOnFaultsOfMachines(t *testing.T) {
	s := machineSystem(1).System
	for _, c := range []struct {
		bounds rounds.Bounds
		text   string
	}{
		{rounds.Bounds{FastClocks: 1}, "fast clocks"},
		{rounds.Bounds{SlowClocks: 1, Jumps: 1}, "slow clocks and jumps"},
		{rounds.Bounds{FailedSyncs: 1}, "failed syncs"},
		{rounds.Bounds{Terminations: 1}, "terminations"},
		{rounds.Bounds{Crashes: 1}, "crashes after which a disk has kept or torn what was not synced"},
	} {
		for _, strategy := range []string{"exhaustive", "learn"} {
			_, err := find(context.Background(), strategy, target{System: s, Bounds: c.bounds}, search.Options{})
			require.ErrorContains(t, err, strategy+": the bounds allow "+c.text+", but this strategy knows only ")
			require.ErrorContains(t, err, "use one that draws schedules")
		}
		r, err := find(context.Background(), "", target{System: s, Bounds: c.bounds}, search.Options{Executions: 20})
		require.NoError(t, err)
		require.NotContains(t, []string{"exhaustive", "learn"}, r.Search.Strategy)
	}
	_, err := find(context.Background(), "", target{System: keeperSystem(1).System, Bounds: rounds.Bounds{Jumps: 1}}, search.Options{})
	require.ErrorContains(t, err, "has timers (system.Ticker), or a clock that can run fast or slow, or jump (system.Machined): leave it out")
	_, err = find(context.Background(), "", target{System: keeperSystem(1).System, Bounds: rounds.Bounds{Terminations: 1}}, search.Options{})
	require.ErrorContains(t, err, "terminations: no process of system \"keeper 1\" has a program of its own that could get a signal")
}
