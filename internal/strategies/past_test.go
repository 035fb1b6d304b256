package strategies

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/stretchr/testify/require"
)

// uttered is what a chatter sends; the first letter is its kind.
type uttered string

func (u uttered) Kind() string { return string(u[:1]) }

// chatter is a process that remembers everything, sends messages of several kinds at random,
// and tells what it remembers.
type chatter struct {
	names []string
	past  string
}

func (c *chatter) Send(s *system.Step) {
	for _, to := range c.names {
		h := fnv.New64a()
		fmt.Fprint(h, c.past, to)
		random := rand.New(rand.NewPCG(h.Sum64(), 1))
		for _, kind := range []string{"x", "y", "z"} {
			if random.IntN(4) == 0 {
				s.Send(to, uttered(kind+c.past))
			}
		}
	}
}

func (c *chatter) Receive(s *system.Step, inbox []system.Message) {
	h := fnv.New64a()
	fmt.Fprint(h, c.past, s.Process(), s.Round())
	for _, m := range inbox {
		fmt.Fprint(h, m.From, m.Payload)
	}
	c.past = fmt.Sprintf("%x", h.Sum64())
	s.Fact("past", c.past)
}

// Of two executions under random schedules: a process that has the same past
// under the schedule of the second, by what the first shows, reports the same in
// both. And all processes do exactly when everything happens again.
func TestSamePast(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := &system.System{Name: "chatter", Processes: []string{"a", "b", "c"}, Rounds: 5}
	s.New = func(name string, _ *rand.Rand) system.Process { return &chatter{names: s.Processes, past: name} }
	same, all := 0, 0
	for i := range 200 {
		b := s.Bounds(0)
		b.Kinds = [][]string{nil, {"x"}, {"x", "z"}, {"z", "y", "x"}}[i%4]
		b.Isolations, b.Period, b.Omissions, b.Crashes = random.IntN(3), 1+random.IntN(3), random.IntN(4), random.IntN(2)
		c := newFaultCircuit(b.Normal())
		first, second := c.universe.Random(random), c.universe.Random(random)
		e, err := s.Run(context.Background(), first, system.RunOptions{})
		require.NoError(t, err)
		f, err := s.Run(context.Background(), second, system.RunOptions{})
		require.NoError(t, err)
		p, again := c.pasts(e), c.Ands(c.again(e)...)

		var roots []solver.Lit
		for round := range p.same {
			roots = append(append(roots, p.same[round]...), p.received[round]...)
		}
		words := solver.NewWords(c.Circuit, append(roots, again)...)
		holds := func(l solver.Lit, s rounds.Schedule) bool {
			inputs := make([]uint64, c.Inputs())
			units, err := c.universe.Units(s)
			require.NoError(t, err)
			for _, unit := range units {
				inputs[unit] = 1
			}
			words.Eval(inputs)
			return words.Value(l)&1 == 1
		}
		everything := true
		for round := 1; round <= b.EOT; round++ {
			for i, name := range b.Processes {
				require.True(t, holds(p.same[round][i], first))
				require.True(t, holds(p.received[round][i], first))
				alike := pastOf(e, name, round) == pastOf(f, name, round)
				everything = everything && alike
				if holds(p.same[round][i], second) {
					same++
					require.True(t, alike, "%s in round %d of %q and %q", name, round, first, second)
					require.True(t, holds(p.received[round][i], second), "what is the same is received")
				}
				all++
			}
		}
		require.Equal(t, everything, holds(again, second), "%q and %q", first, second)
	}
	require.Greater(t, same, all/10)
	require.Less(t, same, all*9/10)
}

// pastOf returns what a process reports in a round, "" if it has crashed.
func pastOf(e *recording.Execution, process string, round int) string {
	for _, f := range e.Facts {
		if f.Round == round && f.Args[0].Text() == process {
			return f.Args[1].Text()
		}
	}
	return ""
}
