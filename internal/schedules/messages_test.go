package schedules_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// What happens to the messages of a kind is what would happen to all messages if the faults
// of that kind hit all of them, and those of other kinds nothing.
func TestMessages(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	picked, lost, late := 0, 0, 0
	for range 60 {
		b := randomBounds(r, 1<<40)
		b.At, b.Delays, b.Duplicates, b.MaxDelay, b.Omissions = "", 2+r.IntN(4), 1+r.IntN(4), r.IntN(4), 4
		env, err := schedules.NewEnvironment(b, rounds.Schedule{})
		require.NoError(t, err)
		s := randomlyOfKinds(r, schedules.New(b).Random(r))
		if env.Reset(s) != nil {
			continue // two kinds of fault of the same messages
		}
		for _, of := range []string{"", "A", "B", "C"} {
			for nth := range 3 {
				alone, err := schedules.NewEnvironment(b, projected(s, of, nth))
				require.NoError(t, err)
				m := env.Of(of, nth)
				eachMessage(b, func(from, to, round int) {
					require.Equal(t, alone.Delivers(from, to, round), m.Delivers(from, to, round), "%s of %q#%d: %d to %d in %d", s, of, nth, from, to, round)
					for at := round; at <= b.EOT; at++ {
						require.Equal(t, alone.Arrives(from, to, round, at), m.Arrives(from, to, round, at), "%s of %q#%d: %d to %d in %d at %d", s, of, nth, from, to, round, at)
					}
					fates, want := m.Fates(from, to, round), alone.Of("", 0).Fates(from, to, round)
					require.Len(t, fates, len(want))
					for i := range fates {
						if c := fates[i].Cause; c.Of != "" {
							picked++
							require.Equal(t, of, c.Of)
							require.Contains(t, []int{0, nth}, c.Nth)
							require.Contains(t, env.Schedule().Faults, c)
						}
						require.Equal(t, want[i].Lost, fates[i].Lost)
						require.Equal(t, want[i].Arrival, fates[i].Arrival)
						require.Equal(t, want[i].Again, fates[i].Again)
						if fates[i].Lost {
							lost++
						} else if fates[i].Arrival > 0 {
							late++
						}
					}
				})
			}
		}
	}
	require.Positive(t, picked)
	require.Positive(t, lost)
	require.Positive(t, late)
}

// randomlyOfKinds lets some faults of links hit one kind of message, or one message.
func randomlyOfKinds(r *rand.Rand, s rounds.Schedule) rounds.Schedule {
	var faults []rounds.Fault
	for _, f := range s.Faults {
		for again := true; again; again = f.Of != "" && r.IntN(2) == 0 {
			switch f.Kind {
			case rounds.Omit, rounds.Cut, rounds.Delay, rounds.Duplicate:
				f.Of = []string{"", "A", "A", "B"}[r.IntN(4)]
				if f.Nth = 0; f.Of != "" {
					f.Nth = r.IntN(3)
				}
			}
			faults = append(faults, f)
		}
	}
	return rounds.Schedule{Settings: s.Settings, Faults: faults}
}

// projected returns what a schedule does to the messages of a kind.
func projected(s rounds.Schedule, of string, nth int) rounds.Schedule {
	var faults []rounds.Fault
	for _, f := range s.Faults {
		if f.Of == "" || f.Of == of && (f.Nth == 0 || f.Nth == nth) {
			f.Of, f.Nth = "", 0
			faults = append(faults, f)
		}
	}
	return rounds.Schedule{Settings: s.Settings, Faults: faults}.Normal()
}
