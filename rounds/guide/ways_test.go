package guide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// repeater is a process of a random system that says some things several times in a round.
type repeater struct {
	seed, state int
	shuffled    bool // it does not send in the order of recordings
}

func (p *repeater) Tick(*system.Step) { p.state += 3 }

func (p *repeater) Restart(s *system.Step) { s.Fact("p", p.state%3) }

func (p *repeater) Send(s *system.Step) {
	for _, q := range s.Requests() {
		p.state += len(fmt.Sprint(q.Payload))
	}
	type message struct {
		to      string
		payload any
	}
	var all []message
	for i, to := range names {
		if to == s.Process() {
			continue
		}
		for j, payload := range []any{v("one"), v("two"), w("one"), w("two")} {
			for range max(0, (p.state*p.seed+i+2*j+s.Round())%5-1) {
				all = append(all, message{to, payload})
			}
		}
	}
	if p.shuffled {
		rand.New(rand.NewPCG(uint64(p.seed), uint64(p.state))).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	for _, m := range all {
		s.Send(m.to, m.payload)
	}
}

func (p *repeater) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		p.state += p.seed + len(m.From)
		if fmt.Sprint(m.Payload) == "two" {
			p.state++
		}
	}
	if relation := []string{"p", "q"}[p.state/2%2]; p.state%5 > 0 {
		s.Fact(relation, p.state%3)
	}
}

// TestIdenticalMessagesAreOne compares two ways to execute a random system by a random guide, in which processes send identical messages
// in a round: to decide while it is executed, and to execute it again whenever something is decided. A recording has such messages once.
func TestIdenticalMessagesAreOne(t *testing.T) {
	single, again := 0, 0
	for i := range uint64(*long / 3) {
		rng := rand.New(rand.NewPCG(*seed+i, 7))
		shuffled := rng.IntN(2) == 0
		var g *Guide
		var text string
		for g == nil || shuffled && (strings.Contains(text, "goto(") || strings.Contains(text, "fn:min(L)")) { // these know the order of sending
			text = randomGuide(rng)
			if rng.IntN(2) == 0 {
				text += "\n" + `hold(M) :- message(M, _, _, "w", "two", R), R < 4.` + "\n" + `release(M, S) :- p(_, 1, R), round(S), S > R, message(M, _, _, _, "two", _).`
			}
			g, _ = Parse("random.mg", text)
		}
		factor := 1 + rng.IntN(4)
		s := &system.System{
			Name: "repeaters", Processes: names, Rounds: 4,
			New: func(name string, _ *rand.Rand) system.Process {
				return &repeater{seed: factor, state: slices.Index(names, name), shuffled: shuffled}
			},
			Lies: map[string]func(system.Message, *rand.Rand) any{
				"x": func(m system.Message, _ *rand.Rand) any { return said(m.Payload, "one") },
				"y": func(m system.Message, random *rand.Rand) any {
					return said(m.Payload, fmt.Sprint(m.Payload, random.IntN(2)))
				},
			},
		}
		given := randomGiven(rng)
		what := fmt.Sprintf("seed %d, factor %d, shuffled %v, under %s:\n%s", *seed+i, factor, shuffled, given, text)
		steering, err := g.NewSteering(s.Bounds(0), false)
		require.NoError(t, err, what)
		steering.Start(t.Context())
		steered, err := s.Run(t.Context(), given, system.RunOptions{Steer: steering})
		require.NoError(t, err, what)
		outcome, schedule, err := steering.End(steered)
		require.NoError(t, err, what)
		replayed, err := s.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err, what)
		require.Equal(t, steered.Facts, replayed.Facts, "%s\nsteered: %s\nwritten: %s", what, steered.Schedule, schedule)

		e, other, err := steering.ByExecuting(t.Context(), given, func(schedule rounds.Schedule) (*recording.Execution, error) {
			again++
			return s.Run(t.Context(), schedule, system.RunOptions{})
		})
		require.NoError(t, err, what)
		require.Nil(t, execution.FirstDivergence(replayed, e), "%s\nwritten: %s\nby executing: %s", what, schedule, e.Schedule)
		require.Equal(t, ofKinds(schedule), ofKinds(e.Schedule), what)
		require.Equal(t, outcome, other, what)
		for _, f := range schedule.Faults {
			if f.Nth > 0 {
				single++
			}
		}
	}
	require.Greater(t, single, *long/10)
	require.Less(t, again, 20**long)
}

// said returns a payload of the kind of another one.
func said(payload any, text string) any {
	if _, ok := payload.(v); ok {
		return v(text)
	}
	return w(text)
}

// randomGiven returns a schedule that is given beside a guide.
func randomGiven(rng *rand.Rand) (s rounds.Schedule) {
	for range rng.IntN(3) {
		f := rounds.Fault{Process: names[rng.IntN(3)], To: names[rng.IntN(3)], Round: 1 + rng.IntN(3)}
		switch f.Kind = []rounds.Kind{rounds.Omit, rounds.Delay, rounds.Duplicate, rounds.Lie}[rng.IntN(4)]; f.Kind {
		case rounds.Delay, rounds.Duplicate:
			f.By = 1 + rng.IntN(2)
		case rounds.Lie:
			f.Detail = []string{"x", "y"}[rng.IntN(2)]
		}
		if rng.IntN(2) == 0 {
			f.Of, f.Nth = []string{"v", "w"}[rng.IntN(2)], rng.IntN(3)
		}
		more := rounds.Schedule{Faults: append(slices.Clone(s.Faults), f)}
		if more.Check(rounds.Bounds{Processes: names, EOT: 4}) == nil {
			s = more
		}
	}
	return s.Normal()
}

// ofKinds writes a schedule without numbers of messages: which message it is that a process that is down does not get is not known.
func ofKinds(s rounds.Schedule) string {
	faults := slices.Clone(s.Faults)
	for i := range faults {
		faults[i].Nth = 0
	}
	return rounds.Schedule{Faults: faults}.Normal().String()
}
