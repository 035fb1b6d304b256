package system_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// lottery draws numbers and passes on the greatest; it counts ticks.
type lottery struct{ Best, Ticks int }

func (l *lottery) Tick(s *system.Step)    { l.Ticks++ }
func (l *lottery) Restart(s *system.Step) { l.Ticks = 0 }
func (l *lottery) Send(s *system.Step) {
	l.Best = max(l.Best, s.Rand().IntN(1000))
	s.Broadcast(ticket{l.Best})
}

func (l *lottery) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		l.Best = max(l.Best, m.Payload.(ticket).Number)
	}
	s.Fact("best", l.Best)
	s.Fact("ticks", l.Ticks)
}

func (l *lottery) Snapshot() any       { return *l }
func (l *lottery) Restore(state any)   { *l = state.(lottery) }
func (l *lottery) Fingerprint() string { return fmt.Sprint(*l) }

type ticket struct{ Number int }

func lotteries() *system.System {
	return &system.System{
		Name: "lottery", Processes: []string{"a", "b", "c"}, Rounds: 6, MaxTicks: 5,
		New: func(_ string, random *rand.Rand) system.Process { return &lottery{Best: random.IntN(10)} },
	}
}

func TestReplay(t *testing.T) {
	s := lotteries()
	b := s.Bounds(0)
	b.Isolations, b.Omissions, b.Pauses, b.Crashes, b.Restarts, b.Period = 2, 2, 2, 2, 2, 3
	universe := schedules.New(b)
	random := rand.New(rand.NewPCG(3, 4))
	different, reused := map[string]bool{}, s.NewRunner()
	reused.Options.Record = true
	for i := range 200 {
		schedule := universe.Random(random).With(rounds.Settings{Seed: rounds.Set(uint64(i % 7))})
		if i%3 == 0 {
			schedule = schedule.With(rounds.Settings{Reseed: rounds.Set(uint64(i)), ReseedFrom: 1 + i%6})
		}
		first := execute(t, s, schedule.String())
		ticks := first.Schedule.Settings.Ticks
		require.True(t, ticks.Given, "what was drawn is recorded")
		require.True(t, 1 <= ticks.Value && ticks.Value <= 5)

		again := execute(t, s, first.Schedule.String())
		require.Equal(t, first, again)
		require.NoError(t, reused.Run(context.Background(), first.Schedule))
		require.Equal(t, first, reused.Execution())

		var out bytes.Buffer
		require.NoError(t, first.WriteLines(&out))
		read, err := recording.ReadLines(&out)
		require.NoError(t, err)
		require.Equal(t, first, read)
		different[facts(first, "best")[0]] = true
	}
	require.Greater(t, len(different), 3, "seeds matter")
}

// The second seed of a schedule changes nothing before its round, and from there on
// everything that is drawn at random but the ticks.
func TestReseed(t *testing.T) {
	s := lotteries()
	s.Rounds = 8
	before := func(e *recording.Execution, round int) (texts []string) {
		for _, f := range e.Facts {
			if f.Round < round {
				texts = append(texts, f.String())
			}
		}
		return texts
	}
	different := 0
	for seed := range 20 {
		for from := 1; from <= 8; from++ {
			plain := execute(t, s, fmt.Sprintf("seed %d", seed))
			other := execute(t, s, fmt.Sprintf("seed %d; seed 99 from %d", seed, from))
			require.Equal(t, before(plain, from), before(other, from))
			require.Equal(t, plain.Schedule.Settings.Ticks, other.Schedule.Settings.Ticks)
			require.Equal(t, other, execute(t, s, other.Schedule.String()))
			if len(before(other, 9)) != len(before(plain, 9)) || fmt.Sprint(before(other, 9)) != fmt.Sprint(before(plain, 9)) {
				different++
			}
		}
	}
	require.Greater(t, different, 60, "seeds matter")
	_, err := s.Run(context.Background(), rounds.Schedule{Settings: rounds.Settings{Reseed: rounds.Set(1), ReseedFrom: 9}}, system.RunOptions{})
	require.EqualError(t, err, `system "lottery": schedule: seed 1 from 9: there is no round 9, the rounds are 1 to 8 (eot=8)`)
}

// Processes that are run from kept states draw what they draw in an execution.
func TestReseedFromKeptStates(t *testing.T) {
	s := lotteries()
	s.Processes = s.Processes[:1]
	settings := rounds.Settings{Seed: rounds.Set(5), Reseed: rounds.Set(6), ReseedFrom: 4}
	e, err := s.Run(context.Background(), rounds.Schedule{Settings: settings}, system.RunOptions{})
	require.NoError(t, err)
	local, err := s.NewLocal(0, settings)
	require.NoError(t, err)
	state, err := local.Start(0)
	require.NoError(t, err)
	var all []recording.Fact
	names := map[string]bool{}
	for round := 1; round <= s.Rounds; round++ {
		middle, _, sent, _, err := local.Send(0, round, state, false, nil, "", 0)
		require.NoError(t, err)
		next, received, _, err := local.Receive(0, round, middle, nil, "")
		require.NoError(t, err)
		all = append(append(all, sent...), received...)
		require.False(t, names[next.Name], "two states have one name")
		names[next.Name], state = true, next
	}
	require.Equal(t, e.Facts, all)
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		least, most int
		schedule    string
		want        []uint64 // nil: none recorded
	}{
		{0, 0, "", nil},
		{2, 0, "", []uint64{2}},
		{0, 3, "", []uint64{1, 2, 3}},
		{2, 3, "", []uint64{2, 3}},
		{2, 3, "ticks 0", []uint64{0}},
	} {
		s := lotteries()
		s.MinTicks, s.MaxTicks = test.least, test.most
		var got []uint64
		for seed := range uint64(50) {
			e := execute(t, s, parse(t, test.schedule).With(rounds.Settings{Seed: rounds.Set(seed)}).String())
			ticks, ok := e.Schedule.Settings.Ticks.Value, e.Schedule.Settings.Ticks.Given
			require.Equal(t, test.want != nil, ok)
			require.Contains(t, facts(e, "ticks"), fmt.Sprintf(`ticks("a", %d)@6`, 6*ticks))
			if ok {
				require.Contains(t, test.want, ticks)
				got = append(got, ticks)
			}
		}
		require.Subset(t, got, test.want, "all of the range comes up")
	}
}

// Going on from kept states, the processes do what they did in the execution.
func TestLocal(t *testing.T) {
	s := lotteries()
	local, err := s.NewLocal(0, rounds.Settings{Seed: rounds.Set(5)})
	require.NoError(t, err)
	states := make([]system.State, 3)
	for p := range states {
		states[p], err = local.Start(p)
		require.NoError(t, err)
	}
	index := map[string]int{"a": 0, "b": 1, "c": 2}
	seen := 0
	_, err = s.Run(context.Background(), parse(t, "seed 5; crash a@2; restart a@4; isolate b@3"), system.RunOptions{Transition: func(tr system.Transition) {
		p := index[tr.Process]
		require.Equal(t, tr.State, states[p].Name)
		var next system.State
		for range 2 { // a state can be used again
			middle, sent, first, _, err := local.Send(p, tr.Round, states[p], tr.Restarted, nil, "", tr.More)
			require.NoError(t, err)
			require.Equal(t, tr.Sent, sent)
			var second []recording.Fact
			next, second, _, err = local.Receive(p, tr.Round, middle, tr.Inbox, "")
			require.NoError(t, err)
			require.Equal(t, tr.Next, next.Name)
			require.Equal(t, tr.Facts, append(first, second...))
		}
		states[p] = next
		seen++
	}})
	require.NoError(t, err)
	require.Equal(t, 16, seen)
	made := s.New
	var b *lottery
	s.New = func(name string, random *rand.Rand) system.Process {
		p := made(name, random)
		if name == "b" {
			b = p.(*lottery)
		}
		return p
	}
	last := map[string]string{}
	_, err = s.Run(context.Background(), parse(t, "seed 5; crash a@2; restart a@4; isolate b@3"), system.RunOptions{
		Transition: func(tr system.Transition) { last[tr.Process] = tr.Next },
	})
	require.NoError(t, err)
	for name, p := range index {
		require.Equal(t, states[p].Name, last[name])
	}
	require.Equal(t, 24, b.Ticks)
	require.Equal(t, "seed 5; ticks 4", local.Settings().String())

	_, _, _, _, err = local.Send(0, 7, states[0], false, nil, "", 0)
	require.ErrorContains(t, err, "there is no round 7, the rounds are 1 to 6")
	var log []string
	_, err = counting(&log).NewLocal(0, rounds.Settings{})
	require.ErrorContains(t, err, "(system.Snapshotter)")
}
