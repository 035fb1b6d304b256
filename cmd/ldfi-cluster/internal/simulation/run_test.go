package simulation

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// free is a cluster in which nothing costs anything but the work.
func free(workers int) Parameters {
	return Parameters{Workers: workers, Slots: 1, Window: 2, Tries: 3, Sign: 5 * time.Second, Regive: 10 * time.Second}
}

func equal(count int, cost time.Duration) []time.Duration {
	costs := make([]time.Duration, count)
	for i := range costs {
		costs[i] = cost
	}
	return costs
}

func simulated(t *testing.T, p Parameters, q *Question) *Outcome {
	o, err := Run(p, q)
	require.NoError(t, err)
	all := 0.0
	for _, share := range o.shares {
		require.GreaterOrEqual(t, share, 0.0)
		all += share
	}
	if o.Makespan > 0 {
		require.InDelta(t, 1, all, 1e-6, "every slot does something all the time, or has nothing to do: %v", o.shares)
	}
	return o
}

// Equal units are done in rounds, of which only the last is not full.
func TestEqualUnits(t *testing.T) {
	for _, workers := range []int{1, 2, 7, 100} {
		for _, units := range []int{1, 6, 7, 8, 100, 1000} {
			o := simulated(t, free(workers), Suite("", equal(units, time.Second)))
			rounds := (units + workers - 1) / workers
			require.Equal(t, time.Duration(rounds)*time.Second, o.Makespan)
			require.InDelta(t, float64(units)/float64(rounds*workers), o.Efficiency, 1e-9)
		}
	}
}

// One unit is not done faster by two.
func TestOneUnit(t *testing.T) {
	o := simulated(t, free(10), Suite("", equal(1, time.Minute)))
	require.Equal(t, time.Minute, o.Makespan)
	require.Equal(t, "the longest unit", o.Limit())
}

// A slot pays for a unit: two ways to fetch it, two to hand in the answer, and each trip
// besides; the first one also for the process. The coordinator has the last answer when the
// slot knows that the server has it.
func TestWhatAUnitCosts(t *testing.T) {
	p := free(1)
	p.Latency, p.Start, p.Each, p.Trips = time.Millisecond, 70*time.Millisecond, 5*time.Millisecond, 1
	p.HandOut, p.Take, p.Accept, p.Deliver, p.Keep = 100, 20, 30, 40, 50
	o := simulated(t, p, Suite("", equal(10, time.Second)))
	first := p.HandOut + p.Latency + p.Accept // afterwards units are there before they are asked for
	unit := p.Deliver + p.Latency + p.Each + time.Second + p.Latency + p.Keep + p.Latency
	between := 2*time.Duration(p.Trips)*p.Latency + p.Latency
	require.Equal(t, first+p.Start+10*unit+9*between+p.Take, o.Makespan)
	require.Equal(t, "what a unit costs besides the work", o.Limit())
}

// A coordinator or a server that has more to do with a unit than all workers together is
// what everybody waits for.
func TestWhoIsWaitedFor(t *testing.T) {
	q := Suite("", equal(1000, time.Second))
	p := free(1000)
	p.Window = 1000
	p.HandOut, p.Take = 2*time.Millisecond, 8*time.Millisecond
	o := simulated(t, p, q)
	require.InDelta(t, 10, o.Makespan.Seconds(), 1)
	require.Greater(t, o.Coordinator, 0.8)

	p = free(1000)
	p.Accept, p.Deliver, p.Keep = 10*time.Millisecond, 10*time.Millisecond, 10*time.Millisecond
	o = simulated(t, p, q)
	require.InDelta(t, 30, o.Makespan.Seconds(), 2)
	require.Equal(t, "the server", o.Limit())

	p = free(1000)
	p.Bandwidth = 125 << 20
	q.Files = 25 << 20
	o = simulated(t, p, q)
	require.InDelta(t, 200, o.Makespan.Seconds(), 2)
	require.Greater(t, o.Wire, 0.9)

	q.Files = 0
	p = free(1000)
	p.Recheck = 0.02
	o = simulated(t, p, q)
	require.InDelta(t, 20, o.Makespan.Seconds(), 8)
	require.Equal(t, "what the coordinator computes again", o.Limit())
}

// No order of independent units is more than the longest of them worse than the best
// (Graham, 1966), and none is better than an even spread or the longest unit.
func TestGraham(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		workers, costs := 1+random.IntN(50), make([]time.Duration, 1+random.IntN(500))
		for i := range costs {
			costs[i] = time.Duration(random.ExpFloat64() * random.ExpFloat64() * float64(time.Second))
		}
		q := Suite("", costs)
		o := simulated(t, free(workers), q)
		even, longest := o.Alone/time.Duration(workers), q.Longest()
		require.GreaterOrEqual(t, o.Makespan, max(even, longest))
		require.LessOrEqual(t, o.Makespan, even+longest-longest/time.Duration(workers)+time.Duration(len(costs)))
	}
}

// With more workers nothing takes longer, and with dearer messages nothing less.
func TestMonotony(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		costs := make([]time.Duration, 300)
		for i := range costs {
			costs[i] = time.Duration(random.ExpFloat64() * float64(time.Second))
		}
		before := time.Duration(1 << 62)
		for _, workers := range []int{1, 2, 3, 5, 10, 30, 100} {
			o := simulated(t, free(workers), Suite("", costs))
			require.LessOrEqual(t, o.Makespan, before)
			before = o.Makespan
		}
	}
	for name, raise := range map[string]func(*Parameters, time.Duration){
		"latency":  func(p *Parameters, d time.Duration) { p.Latency = d },
		"hand out": func(p *Parameters, d time.Duration) { p.HandOut = d },
		"take":     func(p *Parameters, d time.Duration) { p.Take = d },
		"accept":   func(p *Parameters, d time.Duration) { p.Accept = d },
		"deliver":  func(p *Parameters, d time.Duration) { p.Deliver = d },
		"keep":     func(p *Parameters, d time.Duration) { p.Keep = d },
		"start":    func(p *Parameters, d time.Duration) { p.Start = d },
		"each":     func(p *Parameters, d time.Duration) { p.Each = d },
	} {
		before := time.Duration(0)
		for d := time.Duration(0); d < 100*time.Millisecond; d += 7 * time.Millisecond {
			p := free(10)
			raise(&p, d)
			o := simulated(t, p, Suite("", equal(200, time.Second)))
			require.Greater(t, o.Makespan, before, "%s %v", name, d)
			before = o.Makespan
		}
	}
}

// A worker that dies costs what it had begun, and the time until another one gets it.
func TestDeath(t *testing.T) {
	p := free(2)
	p.Dies, p.Back = time.Minute, time.Second
	q := Suite("", equal(200, 5*time.Second))
	o := simulated(t, p, q)
	require.Zero(t, o.Aside)
	require.Greater(t, o.shares[wasted], 0.0)
	require.Greater(t, o.shares[gone], 0.0)
	require.Greater(t, o.Makespan, 500*time.Second)
	require.Less(t, o.Makespan, 700*time.Second)

	p.Back = 0
	_, err := Run(p, q)
	require.ErrorContains(t, err, "none came in their place")

	p.Dies, p.Back = time.Microsecond, time.Microsecond
	p.Latency = time.Millisecond
	_, err = Run(p, q)
	require.ErrorContains(t, err, "before they have done anything")

	// Units that no worker survives are set aside.
	p = free(2)
	p.Dies, p.Back = time.Minute, time.Second
	o = simulated(t, p, Suite("", equal(4, time.Hour)))
	require.Equal(t, 4, o.Aside)
}

// A unit that breaks ends those behind it, and only those.
func TestBreak(t *testing.T) {
	q := Suite("", equal(100, time.Second))
	q.Pieces[9].Breaks = true
	q.Pieces[30].Breaks = true
	require.Equal(t, 10*time.Second, q.Alone())
	require.Equal(t, 10*time.Second, simulated(t, free(1), q).Makespan)
	require.Equal(t, time.Second, simulated(t, free(100), q).Makespan)

	q.Pieces[0].Cost = 7 * time.Second // it might break the promise with less
	o := simulated(t, free(100), q)
	require.Equal(t, 7*time.Second, o.Makespan)
	require.Equal(t, "the longest unit", o.Limit())
}

// The same seed, the same outcome.
func TestDeterminism(t *testing.T) {
	p := Measured(20)
	p.Dies, p.Back = time.Minute, 10*time.Second
	once := simulated(t, p, Suite("", equal(500, 3*time.Second)))
	require.Equal(t, once, simulated(t, p, Suite("", equal(500, 3*time.Second))))
	p.Seed++
	require.NotEqual(t, once, simulated(t, p, Suite("", equal(500, 3*time.Second))))
}

// Nothing goes on forever, whatever the parameters are.
func FuzzRun(f *testing.F) {
	f.Add(uint64(1), 3, 2, 2, int64(1000), int64(1_000_000), int64(60_000_000_000), int64(1_000_000_000), 0.02, uint8(10), uint8(3))
	f.Add(uint64(2), 1, 1, 1, int64(0), int64(0), int64(0), int64(0), 1.0, uint8(0), uint8(0))
	f.Add(uint64(3), 50, 1, 9, int64(1), int64(1), int64(1), int64(1), 0.5, uint8(100), uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, workers, slots, window int, small, cost, dies, back int64, share float64, units, breaks uint8) {
		random := rand.New(rand.NewPCG(seed, 0))
		any := func() time.Duration { return time.Duration(float64(small) * random.ExpFloat64()) }
		p := Parameters{
			Workers: workers % 64, Slots: slots % 8, Window: window, Recheck: share, Tries: 1 + window%5,
			Latency: any(), HandOut: any(), Take: any(), Accept: any(), Deliver: any(), Keep: any(), Alive: any(), Start: any(), Each: any(),
			Sign: time.Second, Regive: 10 * time.Second, Trips: window % 3, Bandwidth: int64(window),
			Dies: time.Duration(dies), Back: time.Duration(back), Seed: seed,
		}
		each := time.Duration(cost) % time.Minute
		q := Executions("", int(units), each, share, random)
		q.Files = small % 1e9
		if len(q.Pieces) > int(breaks) {
			q.Pieces[breaks].Breaks = true
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			o, err := Run(p, q)
			if err == nil && o.Makespan > 0 && p.Dies == 0 {
				all := 0.0
				for _, s := range o.shares {
					all += s
				}
				if all < 0.99 || all > 1.01 {
					t.Errorf("shares are %v altogether: %v", all, o.shares)
				}
			}
		}()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatalf("it does not end: %+v", p)
		}
	})
}
