package schedules_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// What docs/faults.md says of bounds, word by word and slowly, and without what the
// universe knows.

// imaginable returns all faults that docs/faults.md has for these processes, rounds
// and points, of the kinds that have a budget.
func imaginable(b rounds.Bounds) (all []rounds.Fault) {
	b = b.Normal()
	phase := b.Period
	for round := 1; round <= b.EOT; round++ {
		last := min((round-1)/phase*phase+phase, b.EOT-b.FaultFree)
		if b.EFF > 0 {
			last = min(last, b.EFF-1)
		}
		for _, p := range b.Processes {
			for _, point := range append([]string{""}, b.Points[p]...) {
				for _, disk := range []string{"", "/kept", "/torn"} {
					if disk == "" || b.Disks {
						all = append(all, rounds.Fault{Kind: rounds.Crash, Process: p, Round: round, Detail: strings.TrimPrefix(point+disk, "/")})
					}
				}
			}
			for by := 1; by <= max(b.MaxJump, 1); by++ {
				all = append(all, rounds.Fault{Kind: rounds.Jump, Process: p, Round: round, By: by})
			}
			all = append(all, rounds.Fault{Kind: rounds.FailSync, Process: p, Round: round},
				rounds.Fault{Kind: rounds.Fast, Process: p, Round: round, Until: last},
				rounds.Fault{Kind: rounds.Slow, Process: p, Round: round, Until: last},
				rounds.Fault{Kind: rounds.Terminate, Process: p, Round: round, Until: last})
			all = append(all, rounds.Fault{Kind: rounds.Restart, Process: p, Round: round},
				rounds.Fault{Kind: rounds.Isolate, Process: p, Round: round, Until: last},
				rounds.Fault{Kind: rounds.Pause, Process: p, Round: round, Until: last})
			for _, q := range b.Processes {
				for _, of := range append([]string{""}, b.Kinds...) {
					all = append(all, rounds.Fault{Kind: rounds.Omit, Process: p, To: q, Round: round, Of: of},
						rounds.Fault{Kind: rounds.Cut, Process: p, To: q, Round: round, Until: last, Of: of})
					for by := 1; by <= max(b.MaxDelay, 1) && round+by <= b.EOT; by++ {
						all = append(all, rounds.Fault{Kind: rounds.Delay, Process: p, To: q, Round: round, By: by, Of: of},
							rounds.Fault{Kind: rounds.Duplicate, Process: p, To: q, Round: round, By: by, Of: of})
					}
				}
			}
			for _, order := range otherOrders(b.Processes, p) {
				all = append(all, rounds.Fault{Kind: rounds.Order, Process: p, Round: round, Detail: order})
			}
		}
		for _, sides := range twoSides(b.Processes) {
			all = append(all, rounds.Fault{Kind: rounds.Partition, Detail: sides, Round: round, Until: last})
		}
	}
	for _, c := range b.Choose {
		if c.Mode == "one" { // the first is there without a schedule
			all = append(all, c.Of[1:]...)
		} else {
			all = append(all, c.Of...)
		}
	}
	return slices.DeleteFunc(all, func(f rounds.Fault) bool {
		lost := f.Kind == rounds.Isolate || f.Kind == rounds.Pause || f.Kind == rounds.Partition || f.Kind == rounds.Omit ||
			f.Kind == rounds.Delay || f.Kind == rounds.Duplicate || f.Kind == rounds.Order || f.Kind == rounds.Fast || f.Kind == rounds.Slow || f.Kind == rounds.Jump || f.Kind == rounds.FailSync || f.Kind == rounds.Terminate || f.Kind == rounds.Cut
		if b.At != "" && ((f.Round-1)%phase != 0 || f.Point() != "") {
			return true
		}
		bought := f.Kind == rounds.Isolate && b.Partitions != 0
		never := ruledOut(b, rounds.Schedule{Faults: []rounds.Fault{f}}) || f.Kind == rounds.Restart && slices.Contains(b.NeverCrash, f.Process)
		for _, p := range []string{f.Process, f.To} {
			never = never || f.Kind != rounds.Partition && f.Round < b.Joins[p]
		}
		never = never || f.Kind != rounds.Choose && (f.Round < b.From || f.Round > b.EOT-b.FaultFree)
		return never || b.Budget(f.Kind) == 0 && !bought || lost && b.EFF > 0 && f.Round >= b.EFF || f.Process == f.To && f.To != ""
	})
}

// twoSides returns the ways to part processes in two sides of two or more, with the
// names of the smaller one, or of that of the first process.
func twoSides(processes []string) (all []string) {
	for set := range 1 << len(processes) {
		var side []string
		for i, p := range processes {
			if set>>i&1 == 1 {
				side = append(side, p)
			}
		}
		rest := len(processes) - len(side)
		if len(side) > 1 && (len(side) < rest || len(side) == rest && side[0] == processes[0]) {
			slices.Sort(side)
			all = append(all, strings.Join(side, ",")+"|*")
		}
	}
	return all
}

// allowed tells whether a set of imaginable faults is within bounds.
func allowed(b rounds.Bounds, faults []rounds.Fault) bool {
	count := map[rounds.Kind]int{}
	for i, f := range faults {
		count[f.Kind]++
		for _, g := range faults[:i] {
			if alike := f.Process == g.Process && f.To == g.To && f.Round == g.Round; alike && clash(f.Kind, g.Kind) {
				return false
			}
			same := f.Kind == g.Kind && f.Process == g.Process && f.To == g.To && f.Detail == g.Detail
			if same && f.Until > 0 && f.Until == g.Until {
				return false // two in one phase
			}
			if f.Kind == rounds.Jump && g.Kind == rounds.Jump && f.Process == g.Process && f.Round == g.Round {
				return false
			}
			wrong := f.Kind == rounds.Fast && g.Kind == rounds.Slow || f.Kind == rounds.Slow && g.Kind == rounds.Fast
			if wrong && f.Process == g.Process && f.Until == g.Until {
				return false // both in one phase
			}
		}
	}
	for _, c := range b.Choose {
		of := 0
		for _, f := range faults {
			if slices.Contains(c.Of, f) {
				of++
			}
		}
		if of > 1 && c.Mode != "some" {
			return false
		}
	}
	over := func(n, budget int) bool { return budget != rounds.Unlimited && n > budget }
	for k, n := range count {
		if k != rounds.Isolate && over(n, b.Budget(k)) {
			return false
		}
	}
	both := b.Isolations + b.Partitions
	if b.Isolations == rounds.Unlimited || b.Partitions == rounds.Unlimited {
		both = rounds.Unlimited
	}
	if over(count[rounds.Isolate]+count[rounds.Partition], both) {
		return false
	}
	return !slices.ContainsFunc(b.Processes, func(p string) bool { return !inTurn(p, faults) })
}

// clash tells whether what one process sends another in a round, or gets in it, does
// not have faults of both kinds.
func clash(k, l rounds.Kind) bool {
	later := func(k rounds.Kind) bool { return k == rounds.Delay || k == rounds.Duplicate }
	switch {
	case k == l:
		return later(k) || k == rounds.Order || k == rounds.Omit
	default:
		return later(k) && l == rounds.Omit || k == rounds.Omit && later(l)
	}
}

// otherOrders returns the orders in which a process can get what others send it, each
// by the processes that are not where they are usually.
func otherOrders(processes []string, receiver string) (all []string) {
	var usual []string
	for _, p := range processes {
		if p != receiver {
			usual = append(usual, p)
		}
	}
	var orders func(order []string)
	orders = func(order []string) {
		if len(order) == len(usual) {
			var moved []string
			for i, p := range order {
				if usual[i] != p {
					moved = append(moved, p)
				}
			}
			if len(moved) > 0 {
				all = append(all, strings.Join(moved, ","))
			}
			return
		}
		for _, p := range usual {
			if !slices.Contains(order, p) {
				orders(append(slices.Clone(order), p))
			}
		}
	}
	orders(nil)
	return all
}

// inTurn tells whether the crashes and restarts of a process come in turn, each
// strictly later than the one before.
func inTurn(process string, faults []rounds.Fault) bool {
	instant := func(f rounds.Fault) float64 {
		switch {
		case f.Kind == rounds.Restart:
			return float64(f.Round) + 0.1
		case f.Detail != "" && f.Detail != "kept" && f.Detail != "torn":
			return float64(f.Round) + 0.2
		}
		return float64(f.Round)
	}
	at := map[float64]rounds.Kind{}
	for _, f := range faults {
		if f.Process != process || f.Kind != rounds.Crash && f.Kind != rounds.Restart {
			continue
		}
		if _, twice := at[instant(f)]; twice {
			return false
		}
		at[instant(f)] = f.Kind
	}
	want, other := rounds.Crash, rounds.Restart
	for _, t := range slices.Sorted(maps.Keys(at)) {
		if at[t] != want {
			return false
		}
		want, other = other, want
	}
	return true
}

// Of all sets of imaginable faults, those that are allowed are counted, yielded,
// accepted and made of units, and no others are.
func TestUniverseAgreesWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	budget := func() int { return r.IntN(5) - 1 }
	bounds := map[string]func() rounds.Bounds{
		"any": func() rounds.Bounds { return randomBounds(r, 1<<14) },
		"chains": func() rounds.Bounds {
			return rounds.Bounds{Processes: three[:1+r.IntN(2)], EOT: 1 + r.IntN(4), Crashes: budget(), Restarts: budget()}
		},
		"points": func() rounds.Bounds {
			b := rounds.Bounds{Processes: three[:1+r.IntN(2)], EOT: 1 + r.IntN(3), Crashes: budget(), Restarts: budget()}
			b.Points = map[string][]string{"a": []string{"x", "y"}[:1+r.IntN(2)]}
			return b
		},
		"disks": func() rounds.Bounds {
			b := rounds.Bounds{Processes: three[:1+r.IntN(2)], EOT: 1 + r.IntN(2), Crashes: budget(), Restarts: budget(), Disks: true}
			if r.IntN(2) == 0 {
				b.Points = map[string][]string{"a": {"x"}}
			}
			return b
		},
		"clocks": func() rounds.Bounds {
			return rounds.Bounds{Processes: three[:1+r.IntN(2)], EOT: 1 + r.IntN(4), EFF: r.IntN(6), FastClocks: budget(), SlowClocks: budget(), Period: r.IntN(4)}
		},
		"machines": func() rounds.Bounds {
			return rounds.Bounds{Processes: three[:1+r.IntN(2)], EOT: 1 + r.IntN(3), EFF: r.IntN(4), FastClocks: budget(), Jumps: budget(), MaxJump: r.IntN(4), FailedSyncs: budget()}
		},
		"terminations": func() rounds.Bounds {
			return rounds.Bounds{Processes: three[:1+r.IntN(2)], EOT: 1 + r.IntN(4), EFF: r.IntN(6), Terminations: budget(), Crashes: r.IntN(2), Period: r.IntN(4), NeverCrash: three[:r.IntN(2)]}
		},
		"cuts": func() rounds.Bounds {
			return rounds.Bounds{Processes: three[:2+r.IntN(2)], EOT: 1 + r.IntN(4), EFF: r.IntN(6), Cuts: budget(), Omissions: r.IntN(2), Period: r.IntN(4)}
		},
		"late": func() rounds.Bounds {
			return rounds.Bounds{Processes: three[:2], EOT: 1 + r.IntN(4), EFF: r.IntN(4), Omissions: budget(), Delays: budget(), Duplicates: budget(), MaxDelay: r.IntN(3)}
		},
		"late on few links": func() rounds.Bounds {
			return rounds.Bounds{Processes: three, Reliable: []string{"*>a", "*>c", "a>b"}, EOT: 1 + r.IntN(5), EFF: r.IntN(4), Omissions: budget(), Delays: budget(), Duplicates: budget(), MaxDelay: r.IntN(4)}
		},
		"kinds": func() rounds.Bounds {
			b := rounds.Bounds{Processes: three[:2], EOT: 1 + r.IntN(4), EFF: r.IntN(4), Omissions: budget(), Kinds: []string{"vote", "x y"}[:1+r.IntN(2)]}
			switch r.IntN(3) {
			case 0:
				b.Delays, b.Duplicates, b.MaxDelay = budget(), budget(), r.IntN(3)
			case 1:
				b.Cuts, b.Period = budget(), r.IntN(4)
			}
			if r.IntN(3) == 0 {
				b.Reliable = []string{"b>a"}
			}
			if r.IntN(4) == 0 {
				b.Joins = map[string]int{"b": 1 + r.IntN(b.EOT)}
			}
			return b
		},
		"kinds and phases": func() rounds.Bounds {
			return rounds.Bounds{Processes: three[:2], EOT: 1 + r.IntN(7), EFF: r.IntN(6), Period: 1 + r.IntN(3), At: "phase", Cuts: budget(), Kinds: []string{"vote", "x y"}[:1+r.IntN(2)]}
		},
		"orders": func() rounds.Bounds {
			return rounds.Bounds{Processes: []string{"c", "a", "b", "d"}[:3+r.IntN(2)], EOT: 1 + r.IntN(2), EFF: r.IntN(3), Orders: budget()}
		},
		"joins": func() rounds.Bounds {
			b := rounds.Bounds{Processes: three[:2+r.IntN(2)], EOT: 1 + r.IntN(4), EFF: r.IntN(5), Period: r.IntN(4)}
			b.Joins = map[string]int{"b": 1 + r.IntN(b.EOT)}
			if r.IntN(2) == 0 {
				b.Joins["a"] = 1 + r.IntN(b.EOT)
			}
			for _, budgets := range [][]*int{{&b.Crashes, &b.Restarts}, {&b.Isolations}, {&b.Omissions}, {&b.Cuts}, {&b.Delays}, {&b.Duplicates}, {&b.Pauses}, {&b.FastClocks, &b.SlowClocks}, {&b.Jumps}, {&b.FailedSyncs}, {&b.Terminations}, {&b.Orders}} {
				if r.IntN(3) == 0 {
					*budgets[0] = budget()
					*budgets[len(budgets)-1] = budget()
				}
			}
			return b
		},
		"choices": func() rounds.Bounds {
			b := rounds.Bounds{Processes: three[:1+r.IntN(2)], EOT: 2 + r.IntN(2), Crashes: r.IntN(2), Choices: budget()}
			b.Choose = randomChoices(r, b.EOT)
			return b
		},
		"starts of phases": func() rounds.Bounds {
			b := rounds.Bounds{Processes: three[:1+r.IntN(3)], EOT: 1 + r.IntN(7), EFF: r.IntN(6), Period: r.IntN(4), At: "phase", CrashStop: true,
				Crashes: budget(), Restarts: budget(), Isolations: budget() * r.IntN(2), Pauses: budget() * r.IntN(2), Cuts: budget() * r.IntN(2), SlowClocks: budget() * r.IntN(2), Jumps: budget() * r.IntN(2)}
			if b.Phase == nil && b.Period == 0 {
				b.Phase = []string{"ask", "answer"}
			}
			return b
		},
		"partitions": func() rounds.Bounds {
			return rounds.Bounds{Processes: []string{"c", "a", "b", "d"}, EOT: 1 + r.IntN(3), EFF: r.IntN(3), Isolations: budget(), Partitions: budget(), Period: r.IntN(3)}
		},
	}
	for _, name := range slices.Sorted(maps.Keys(bounds)) {
		for tried := 0; tried < 20; {
			b := bounds[name]()
			if tried%2 == 1 && b.EOT > 1 {
				b.From = 1 + r.IntN(b.EOT)
			}
			if tried%3 == 1 && b.EOT > 1 {
				b.FaultFree = r.IntN(b.EOT)
			}
			if faults := imaginable(b); b.Validate() == nil && len(faults) <= 10 {
				bruteForce(t, b, faults)
				tried++
			}
		}
	}
}

func bruteForce(t *testing.T, b rounds.Bounds, faults []rounds.Fault) {
	t.Helper()
	u := schedules.New(b)
	want := map[string]int{} // the number of faults of each schedule
	for set := range 1 << len(faults) {
		var s rounds.Schedule
		for i, f := range faults {
			if set>>i&1 == 1 {
				s.Faults = append(s.Faults, f)
			}
		}
		units, err := u.Units(s)
		if !allowed(b, s.Faults) {
			// Faults that overlap are one; so what is in normal form is looked at.
			require.False(t, err == nil && len(s.Normal().Faults) == len(s.Faults) && len(units) == len(s.Faults), "%v: %q is within the bounds", b, s)
			continue
		}
		require.NoError(t, err, "%v: %q", b, s)
		require.Len(t, units, len(s.Faults))
		want[s.Normal().String()] = s.Size()
	}
	require.Equal(t, int64(len(want)), schedules.Count(b).Int64(), "%v", b)
	for _, most := range []int{0, 1, 2, u.Len()} {
		got := map[string]int{}
		for s := range u.AtMost(most) {
			require.NotContains(t, got, s.String(), "%v", b)
			got[s.String()] = s.Size()
		}
		left := maps.Clone(want)
		maps.DeleteFunc(left, func(_ string, size int) bool { return size > most })
		require.Equal(t, left, got, "%v", b)
	}
}
