package strategies_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// timed is a keeper with timers: what they do depends on its state, and on the round
// in some of them.
type timed struct{ keeper }

func (p *timed) Tick(s *system.Step) {
	if p.choose("tick")%3 == 0 {
		return
	}
	if p.state = p.choose("ticks") % toyStates; p.choose("ring")%4 == 0 {
		s.Fact("value", int(p.state)%3)
	}
	if to := p.names[p.choose("told")%uint64(len(p.names))]; p.choose("tell")%4 == 0 {
		s.Send(to, 7)
	}
}

// timedSystem returns a random system of processes with timers, whose clocks go wrong
// beside few other faults.
func timedSystem(seed uint64) target {
	r := rand.New(rand.NewPCG(seed, 9))
	t := keeperSystem(seed)
	t.System.Processes = t.System.Processes[:2]
	for i := range t.System.Requests {
		t.System.Requests[i].Process = "b"
	}
	t.System.MinTicks = r.IntN(4)
	t.System.MaxTicks = t.System.MinTicks
	t.System.New = func(name string, _ *rand.Rand) system.Process {
		return &timed{keeper{toy: toy{seed: seed, name: name, names: t.System.Processes}}}
	}
	for {
		few := func() int { return []int{0, 0, 1, 1, 2, rounds.Unlimited}[r.IntN(6)] }
		b := rounds.Bounds{Processes: t.System.Processes, EOT: t.System.Rounds, CrashStop: true, Period: 1 + r.IntN(4)}
		b.FastClocks, b.SlowClocks, b.Jumps, b.MaxJump = few(), few(), few(), 1+r.IntN(2)
		b.Crashes, b.Restarts, b.Pauses, b.Isolations, b.Cuts = few()*r.IntN(2), few(), few()*r.IntN(2), few()*r.IntN(2), few()*r.IntN(2)
		if r.IntN(3) == 0 {
			b.EFF = 1 + r.IntN(t.System.Rounds+1)
		}
		clocks := b.FastClocks|b.SlowClocks|b.Jumps != 0
		if clocks && b.Validate() == nil && schedules.Count(b).Cmp(big.NewInt(*most)) <= 0 {
			b.Processes, b.EOT, b.CrashStop = nil, 0, false // those of the system
			return target{System: t.System, Bounds: b}
		}
	}
}

// What clocks of processes with timers do is known to the searches that certify:
// they find a violation exactly when there is one.
func TestAgreesWithBruteForceOnTimers(t *testing.T) {
	agree(t, timedSystem)
}

// The others report no wrong violation there, and no wrong certificate.
func TestOthersOnTimers(t *testing.T) { others(t, timedSystem) }
