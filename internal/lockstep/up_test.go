package lockstep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Who is up in a round, and what reaches whom in it, as a program sees it: was(P, T) says
// that the rules of P fired in round T, and got(Q, P, T) that a message of P, sent in that
// round, came to Q. Each process keeps both when it crashes, and there is a round more in
// which to look.
func witness(t *testing.T, b rounds.Bounds) *lockstep.Machine {
	t.Helper()
	var text strings.Builder
	for round := 1; round <= b.EOT; round++ {
		for _, p := range b.Processes {
			fmt.Fprintf(&text, "now(%q, %d)@%d;\n", p, round, round)
		}
	}
	text.WriteString("was(P, T)@next :- now(P, T); was(P, T)@next :- was(P, T);\n")
	text.WriteString("got(Q, P, T)@async :- now(P, T); got(Q, P, T)@next :- got(Q, P, T);\n")
	p, err := dedalus.ParseText("witness.ded", text.String())
	require.NoError(t, err)
	b.EOT, b.Deliver, b.Kernel, b.Durable = b.EOT+1, "", "", []string{"was", "got"}
	m, err := lockstep.Compile(p, b, lockstep.Options{})
	require.NoError(t, err)
	return m
}

// granted tells by what a program saw of a schedule whether each that was up received from
// so many, and whether one exchanged messages with all others that were.
func granted(r *lockstep.Run, b rounds.Bounds, least int, kernel bool) bool {
	for round := 1; round <= b.EOT; round++ {
		at := func(relation string, processes ...string) bool {
			var args []specs.Value
			for _, p := range processes {
				args = append(args, specs.String(p))
			}
			return r.Has(relation, append(args, specs.Int(int64(round))), b.EOT+1)
		}
		kernels := 0
		for _, p := range b.Processes {
			if !at("was", p) {
				continue
			}
			from, all := 0, true
			for _, q := range b.Processes {
				if !at("was", q) {
					continue
				}
				if at("got", p, q) {
					from++
				}
				all = all && at("got", p, q) && at("got", q, p)
			}
			if from < least {
				return false
			}
			if all {
				kernels++
			}
		}
		if kernel && kernels == 0 {
			return false
		}
	}
	return true
}

// Who crashes and is back in the same round is up in it: its rules fire, so that it sends
// and receives. What is taken for granted of each round counts it, in every schedule.
func TestUpAreThoseWhoseRulesFire(t *testing.T) {
	text := func(settings string) rounds.Bounds {
		p, err := dedalus.ParseText("bounds.ded", "// ldfi: crash=stop durable=x "+settings+"\nx(\"a\")@1; x(P)@next :- x(P);\n")
		require.NoError(t, err)
		b, _, err := rounds.BoundsOf(p, nil)
		require.NoError(t, err)
		return b
	}
	for _, c := range []struct {
		settings string
		least    int
		kernel   bool
	}{
		{"processes=a,b eot=4 eff=3 crashes=1 omissions=2 restarts=2 kernel=yes", 0, true},
		{"processes=a,b eot=3 eff=4 crashes=2 restarts=1 deliver=2 omissions=1", 2, false},
		{"processes=a,b,c eot=2 eff=3 crashes=1 restarts=1 deliver=2 omissions=3", 2, false},
		{"processes=a,b,c eot=2 eff=3 crashes=1 restarts=1 kernel=yes omissions=3", 0, true},
		{"processes=a,b,c eot=2 eff=3 crashes=1 restarts=1 kernel=yes deliver=2 isolations=1 cuts=1", 2, true},
	} {
		b := text(c.settings)
		m := witness(t, b)
		free := b
		free.Deliver, free.Kernel = "", ""
		var want []string
		again := 0
		for s := range schedules.New(free).All() {
			r, err := m.Run(t.Context(), s)
			require.NoError(t, err)
			if granted(r, b, c.least, c.kernel) {
				want = append(want, s.String())
				again += backAtOnce(s)
			}
		}
		var got []string
		for s := range schedules.New(b).All() {
			got = append(got, s.String())
		}
		require.ElementsMatch(t, want, got, c.settings)
		require.Equal(t, fmt.Sprint(len(want)), schedules.Count(b).String(), c.settings)
		require.Positive(t, again, c.settings)
	}
}

// backAtOnce is 1 for a schedule in which a process is back in the round of its crash.
func backAtOnce(s rounds.Schedule) int {
	for _, f := range s.Faults {
		for _, g := range s.Faults {
			if f.Kind == rounds.Crash && g.Kind == rounds.Restart && f.Process == g.Process && f.Round == g.Round {
				return 1
			}
		}
	}
	return 0
}

// Within what is taken for granted there are 113 schedules, and 7 of those that break the
// promise contain no other one that does. It would be 8 of 125 if who crashes and is back
// in the same round were not up in it.
func TestKernelWithRestarts(t *testing.T) {
	p, err := dedalus.Parse("testdata/kernel-restart.ded")
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := lockstep.Compile(p, b, lockstep.Options{})
	require.NoError(t, err)
	good, err := m.Run(t.Context(), rounds.Schedule{})
	require.NoError(t, err)
	witnessed := map[string]bool{} // what post has without faults: all that goals=witnessed asks for
	for _, x := range good.Facts("post", b.EOT) {
		witnessed[fmt.Sprint(x)] = true
	}
	executed := 0
	var broken []rounds.Schedule
	for s := range schedules.New(b).All() {
		r, err := m.Run(t.Context(), s)
		require.NoError(t, err)
		executed++
		if slices.ContainsFunc(r.Facts("pre", b.EOT), func(x []specs.Value) bool { return !r.Has("post", x, b.EOT) && witnessed[fmt.Sprint(x)] }) {
			broken = append(broken, s)
		}
	}
	contains := func(s, part rounds.Schedule) bool {
		return len(part.Faults) < len(s.Faults) && !slices.ContainsFunc(part.Faults, func(f rounds.Fault) bool { return !slices.Contains(s.Faults, f) })
	}
	least := slices.DeleteFunc(slices.Clone(broken), func(s rounds.Schedule) bool {
		return slices.ContainsFunc(broken, func(part rounds.Schedule) bool { return contains(s, part) })
	})
	require.Equal(t, 113, executed)
	require.Len(t, least, 7)
	require.Equal(t, "113", schedules.Count(b).String())
}
