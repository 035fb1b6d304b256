package guide

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// twenty is a guide of twenty rules, such as one for Raft has.
const twenty = `
	drop(M) :- message(M, "a", _, "MsgVote", _, R), R < 40.
	drop(M) :- message(M, _, _, "MsgVoteResp", T, _), :string:contains(T, "term 1 ").
	deliver(M) :- message(M, _, "b", "MsgApp", _, _), in("led", _).
	hold(M) :- message(M, _, "c", "MsgApp", _, R), !second(R).
	release(M, R) :- hold(M), second(R).
	second(R) :- leader(_, 2, S), round(R), R > S.
	drop(M) :- late(M).
	late(M) :- message(M, P, _, "MsgHeartbeat", _, R), crashed(P, S), S < R.
	crash(P, S) :- leader(P, 1, R), S = fn:plus(R, 3), !crashed(P, _).
	restart(P, S) :- crashed(P, R), S = fn:plus(R, 5).
	isolate(P, R) :- leader(P, 2, S), round(R), R > S, R < 60.
	votes(P, N) :- message(_, P, Q, "MsgVoteResp", _, R) |> do fn:group_by(P), let N = fn:count().
	part("a", P, R) :- votes(P, N), N > 5, round(R), R > 70, R < 75.
	tick("b", 2, R) :- round(R), R > 20, R < 30.
	lie(M, "ToNil") :- message(M, "c", _, "MsgAppResp", _, R), R = 33.
	goto("start", "led") :- leader(_, 1, _).
	goto("led", "second") :- leader(_, 2, _).
	goto("second", "voted") :- message(_, _, "a", "MsgVoteResp", _, _).
	waypoint(1, R) :- leader(_, 1, R).
	waypoint(2, R) :- leader(_, 2, R).
`

// execution returns what happens in rounds of so many messages each.
func executionOf(roundsOf, messages int) (sends [][]recording.Message, past []Past) {
	kinds := []string{"MsgHeartbeat", "MsgHeartbeatResp", "MsgApp", "MsgAppResp", "MsgVote", "MsgVoteResp"}
	for round := 1; round <= roundsOf; round++ {
		var all []recording.Message
		for i := range messages {
			from, to := names[i%3], names[(i/3+i+1)%3]
			all = append(all, sent(round, from, to, kinds[(i+round)%len(kinds)], fmt.Sprintf("%s to %s: term %d index %d", from, to, 1+round/50, round*messages+i)))
		}
		sends = append(sends, all)
		past = append(past, Past{Facts: []recording.Fact{fact("leader", names[round/50%3], 1+round/50, round)}, Delivered: all})
	}
	return sends, past
}

// A guide of twenty rules over an execution with 100,000 messages.
func BenchmarkTwentyRules(b *testing.B) {
	require.Equal(b, 20, strings.Count(twenty, ":-"))
	benchmark(b, twenty)
}

// Ten filters, each of which excludes what those before it match.
func BenchmarkTenFilters(b *testing.B) {
	var all []Filter
	for i := range 10 {
		all = append(all, Filter{If: fmt.Sprintf(`message(M, _, %q, _, T, R), :string:contains(T, "index %d"), R > 3`, names[i%3], i), Then: []string{"drop(M)", "deliver(M)"}[i%2]})
	}
	benchmark(b, Filters(all...))
}

func benchmark(b *testing.B, text string) {
	for _, shape := range [][2]int{{1000, 100}, {100, 1000}, {5000, 20}} {
		sends, past := executionOf(shape[0], shape[1])
		b.Run(fmt.Sprintf("%d rounds of %d", shape[0], shape[1]), func(b *testing.B) {
			g, err := Parse("guide.mg", text)
			require.NoError(b, err)
			r, err := g.NewRun(boundsOf(shape[0]), nil)
			require.NoError(b, err)
			for b.Loop() {
				require.NoError(b, r.reset())
				before := Past{}
				for i := range sends {
					_, err := r.Decide(b.Context(), before, sends[i])
					require.NoError(b, err)
					before = past[i]
				}
				_, err := r.End(b.Context(), before)
				require.NoError(b, err)
			}
		})
	}
}

// What steering adds to the decisions of twenty rules: faults, and the order of messages.
func BenchmarkSteering(b *testing.B) {
	for _, shape := range [][2]int{{1000, 100}, {100, 1000}, {5000, 20}} {
		sends, past := executionOf(shape[0], shape[1])
		b.Run(fmt.Sprintf("%d rounds of %d", shape[0], shape[1]), func(b *testing.B) {
			g, err := Parse("guide.mg", twenty)
			require.NoError(b, err)
			s, err := g.NewSteering(boundsOf(shape[0]), false)
			require.NoError(b, err)
			for b.Loop() {
				s.Start(b.Context())
				s.Begin(rounds.Schedule{})
				before := Past{}
				for i := range sends {
					_, err := s.Decide(system.Turn{Round: i + 1, Facts: before.Facts, Arrived: before.Delivered, Sent: sends[i]})
					require.NoError(b, err)
					before = past[i]
				}
			}
		})
	}
}
