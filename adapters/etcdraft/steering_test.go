package etcdraft_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/system"
	_ "github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// guides are guides of an execution by what they do in it.
var guides = []struct{ name, text string }{
	{"twenty rules", `
		drop(M) :- message(M, "a", _, "MsgVote", _, R), R < 40.
		drop(M) :- message(M, _, _, "MsgVoteResp", T, _), :string:contains(T, "Term:1 ").
		deliver(M) :- message(M, _, "b", "MsgSnap", _, _), in("led", _).
		hold(M) :- message(M, _, "c", "MsgApp", _, R), !second(R).
		release(M, R) :- hold(M), second(R).
		second(R) :- leader(_, 2, S), round(R), R > S.
		drop(M) :- late(M).
		late(M) :- message(M, P, _, "MsgHeartbeat", _, R), paused(P, S), S < R.
		lie(M, "unheard") :- message(M, "c", _, "MsgTimeoutNow", _, R), R = 33.
		isolate(P, S) :- leader(P, 2, R), S = fn:plus(R, 30), S < 60.
		isolate(P, R) :- leader(P, 3, S), round(R), R > S, R < 160.
		votes(P, N) :- message(_, P, Q, "MsgVoteResp", _, R) |> do fn:group_by(P), let N = fn:count().
		part("a", P, R) :- votes(P, N), N > 5, round(R), R > 170, R < 175.
		tick("b", 2, R) :- round(R), R > 20, R < 23.
		pause("c", R) :- role("c", "leader", 1, S), R = fn:plus(S, 20), !calm(S).
		calm(R) :- committed(_, _, _, _, R).
		goto("start", "led") :- leader(_, 2, _).
		goto("led", "voted") :- message(_, _, "a", "MsgVoteResp", _, _).
		waypoint(1, R) :- leader(_, 2, R).
		waypoint(2, R) :- leader(_, 3, R).`},
	{"a filter that matches nothing", `drop(M) :- message(M, "c", _, "MsgAppResp", _, _).`},
	{"a message late in each round", `
		hold(M) :- message(M, _, "c", "MsgAppResp", _, _).
		release(M, R) :- message(M, _, "c", "MsgAppResp", _, S), R = fn:plus(S, 2).`},
	{"an isolation in each round", `isolate("c", R) :- committed("a", _, _, _, S), R = fn:plus(S, 3), !isolated("b", S).`},
}

// What steering costs, beside the same execution of 100,000 messages by its schedule.
func BenchmarkSteering(b *testing.B) {
	const last = 6_000
	s := cluster(etcdtest.Processes)
	s.Rounds = last
	s.Requests = etcd.Every(etcdtest.Processes, 15, last, 2, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) })
	for _, g := range guides {
		guide, err := guide.Parse("guide.mg", g.text)
		require.NoError(b, err)
		steering, err := guide.NewSteering(s.Bounds(0), false)
		require.NoError(b, err)
		decided := rounds.Schedule{Settings: rounds.Settings{Seed: rounds.Set(1)}}
		r := s.NewRunner()
		execute := func(b *testing.B, schedule rounds.Schedule, steer bool) {
			r.Options = system.RunOptions{Record: true}
			if steer {
				steering.Start(b.Context())
				r.Options.Steer = steering
			}
			require.NoError(b, r.Run(b.Context(), schedule))
			e := r.Execution()
			b.ReportMetric(float64(len(e.Messages)), "messages")
			if steer {
				_, decided, err = steering.End(e)
				require.NoError(b, err)
				b.ReportMetric(float64(len(decided.Faults)), "faults")
			}
		}
		first := decided
		for _, steer := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/steered=%t", g.name, steer), func(b *testing.B) {
				speed := oracle.StartSpeed()
				for b.Loop() {
					if steer {
						execute(b, first, true)
					} else {
						execute(b, decided, false)
					}
				}
				b.ReportMetric(speed.Seconds()*1000/float64(b.N), "cpu-ms")
			})
		}
	}
}
