package advise

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

var three = []string{"a", "b", "c"}

// breaking answers as a protocol does that breaks under these schedules alone.
func breaking(all []rounds.Schedule) Ask {
	return func(_ context.Context, b rounds.Bounds) (*result.Answer, error) {
		for _, s := range all {
			if schedules.Within(s, b) == nil {
				return &result.Answer{Verdict: result.Violated, Counterexamples: []result.Counterexample{{Schedule: s}}}, nil
			}
		}
		return &result.Answer{Verdict: result.Holds}, nil
	}
}

// agree demands that what is known of each point is what its own question says.
func agree(t *testing.T, s *weakestSearch, ask Ask) {
	t.Helper()
	for i, p := range s.points {
		if s.known[i].verdict == "" {
			continue
		}
		a, err := ask(t.Context(), s.at(p))
		require.NoError(t, err)
		require.Equal(t, a.Verdict, s.known[i].verdict, "%v", s.at(p))
		if found := s.known[i].found; found != nil {
			require.NoError(t, schedules.Within(*found, s.at(p)))
		}
	}
}

// Whatever schedules break a promise, of all bounds of the grid the verdict is the one
// that a question about each would give, and few are asked about.
func TestFindAgreesWithAskingAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, loss := range Losses() {
		for range 8 {
			b := rounds.Bounds{Processes: three[:2+r.IntN(2)], EOT: 2 + r.IntN(2), Period: 1 + r.IntN(3), CrashStop: r.IntN(2) == 0}
			if loss == "partitions" {
				b.Processes = []string{"a", "b", "c", "d"}
			}
			if r.IntN(3) == 0 {
				b.NeverCrash = b.Processes[:1]
			}
			if r.IntN(3) == 0 {
				b.Reliable = []string{"*>a"}
			}
			g, err := newGrid(b, loss, false)
			require.NoError(t, err)
			u := schedules.New(g.at(point{g.crashes, g.losses, len(g.effs) - 1, 0}))
			var bad []rounds.Schedule
			for range r.IntN(4) {
				bad = append(bad, u.Random(r))
			}
			ask := breaking(bad)
			s, err := find(t.Context(), b, WeakestOptions{Loss: loss, Questions: 1000}, ask)
			require.NoError(t, err)
			require.Zero(t, s.open)
			require.Less(t, s.asked, max(len(s.points)/3, 12))
			agree(t, s, ask)
			edges(t, s)
		}
	}
}

// edges demands that every point is above or below a row with its verdict.
func edges(t *testing.T, s *weakestSearch) {
	t.Helper()
	holds, breaks := s.edge(result.Holds), s.edge(result.Violated)
	for i, p := range s.points {
		said := false
		for _, j := range holds {
			said = said || s.known[i].verdict == result.Holds && p.within(s.points[j])
		}
		for _, j := range breaks {
			said = said || s.known[i].verdict == result.Violated && s.points[j].within(p)
		}
		require.True(t, said, "%v", s.at(p))
	}
}

const echo = `
process("a")@1; process("b")@1; process("c")@1;
has("a")@1;
has(Q)@async :- has(P), process(Q)@1;
has(P)@next :- has(P);
pre(P) :- process(P)@1, notin crash(P, P, _), has("b");
post(P) :- has(P);
`

// Of a protocol the verdicts are those of asking about each bounds.
func TestFindOfAProtocol(t *testing.T) {
	program, err := dedalus.ParseText("echo.ded", echo)
	require.NoError(t, err)
	ask := func(ctx context.Context, b rounds.Bounds) (*result.Answer, error) {
		m, err := ldfi.New(program, b, ldfi.Options{})
		if err != nil {
			return nil, err
		}
		return m.Check(ctx)
	}
	for _, loss := range []string{"omissions", "isolations"} {
		s, err := find(t.Context(), rounds.Bounds{Processes: three, EOT: 3, Period: 2}, WeakestOptions{Loss: loss, Questions: 200}, ask)
		require.NoError(t, err)
		require.Zero(t, s.open)
		agree(t, s, ask)
	}
}

func TestFindSaysWhatWasNotAsked(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 3, Omissions: 1}
	bad, err := rounds.ParseSchedule("omit a>b@2; omit a>c@1; crash b@3")
	require.NoError(t, err)
	ask := breaking([]rounds.Schedule{bad})
	r, err := Weakest(t.Context(), b, WeakestOptions{Questions: 2}, ask)
	require.NoError(t, err)
	require.Equal(t, 2, r.Questions)
	require.NotZero(t, r.NotAsked)
	require.False(t, r.Whole())
	require.False(t, r.Interrupted)

	ctx, cancel := context.WithCancel(t.Context())
	r, err = Weakest(ctx, b, WeakestOptions{Questions: 200}, func(ctx context.Context, b rounds.Bounds) (*result.Answer, error) {
		if b.Crashes < 3 {
			cancel()
			return &result.Answer{Verdict: result.Inconclusive}, nil
		}
		return ask(ctx, b)
	})
	require.NoError(t, err)
	require.True(t, r.Interrupted)
	require.NotZero(t, r.NotAsked)

	r, err = Weakest(t.Context(), b, WeakestOptions{Questions: 200}, func(ctx context.Context, b rounds.Bounds) (*result.Answer, error) {
		if b.Kernel != "" && b.Crashes == 1 && b.Omissions == 2 {
			return &result.Answer{Verdict: result.Inconclusive, Limit: &result.Limit{Reason: "too hard"}}, nil
		}
		return ask(ctx, b)
	})
	require.NoError(t, err)
	var text, page bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	require.NoError(t, r.WriteMarkdown(&page))
	data, err := json.Marshal(r)
	require.NoError(t, err)
	for _, out := range []string{text.String(), page.String(), string(data)} {
		require.Contains(t, out, "violated")
		require.Contains(t, out, "holds")
	}
}

func TestFindRefuses(t *testing.T) {
	_, err := Weakest(t.Context(), rounds.Bounds{Processes: three, EOT: 3}, WeakestOptions{Loss: "pauses"}, nil)
	require.ErrorContains(t, err, `no kind of loss "pauses"`)
	_, err = Weakest(t.Context(), rounds.Bounds{Processes: three[:2], EOT: 3}, WeakestOptions{Loss: "partitions"}, nil)
	require.ErrorContains(t, err, "cannot be parted")
}

// onceAgain breaks in round 7 only, and only if two messages are lost.
const onceAgain = `
clock("a", 1)@1;
clock(P, N + 1)@next :- clock(P, N), N < 9;
turn("b", N)@async :- clock("a", N);
heard(P)@next :- turn(P, N), N > 3;
heard(P)@next :- heard(P);
violation("b") :- clock("a", 7), notin heard("b");
`

// For any number of rounds the largest bounds that hold are those of proofs, and what breaks in a round behind eot is
// found: of each point the verdict is that of a question with more rounds than the program counts.
func TestWeakestForAnyNumberOfRounds(t *testing.T) {
	program, err := dedalus.ParseText("again.ded", onceAgain)
	require.NoError(t, err)
	asking := func(ask func(m *ldfi.Model, ctx context.Context) (*result.Answer, error), eot int) Ask {
		return func(ctx context.Context, b rounds.Bounds) (*result.Answer, error) {
			m, err := ldfi.New(program, b.Lasting(eot), ldfi.Options{})
			if err != nil {
				return nil, err
			}
			return ask(m, ctx)
		}
	}
	b, o := rounds.Bounds{Processes: three[:2], EOT: 4}, WeakestOptions{Questions: 200, AnyRounds: true}
	s, err := find(t.Context(), b, o, asking((*ldfi.Model).AnyRounds, 4))
	require.NoError(t, err)
	require.Zero(t, s.open)
	many := asking((*ldfi.Model).Check, 12)
	for i, p := range s.points {
		a, err := many(t.Context(), s.at(p))
		require.NoError(t, err)
		require.Equal(t, a.Verdict, s.known[i].verdict, "%v", s.at(p))
	}
	var text bytes.Buffer
	require.NoError(t, s.report().WriteText(&text))
	require.Contains(t, text.String(), "the promise bears for any number of rounds")
	require.Contains(t, text.String(), "up to 2 processes, any number of rounds")
	require.Regexp(t, `violated  0        2 +- .* omit a>b@4; omit a>b@5`, text.String())
}
