package causality_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// asked asks about a fact of a system of this program.
func asked(s *system.System, q syntax.Query, schedule rounds.Schedule) causality.Asked {
	return causality.Asked{
		Query: q, Text: q.String(), Schedule: schedule, Most: 300,
		Bounds: rounds.Bounds{Processes: s.Processes, EOT: s.Rounds},
		Execute: func(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, error) {
			return s.Run(ctx, schedule, system.RunOptions{Record: true})
		},
	}
}

func query(t *testing.T, text string) syntax.Query {
	t.Helper()
	q, err := dedalus.ParseQuery(text)
	require.NoError(t, err)
	return q
}

// What no message of its past has to do with a fact has nothing to do with it: whatever
// else is lost, the fact holds. What it needs, it does not hold without.
func TestWhatIsNotInThePastMakesNoDifference(t *testing.T) {
	outside, needed, together := 0, 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := []*system.System{election.Buggy(), election.Fixed(), replog.Fixed()}[seed%3]
		b := rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, CrashStop: true, Crashes: 1, Isolations: 1, Period: 2, Omissions: 2}
		schedule := schedules.New(b).Random(r)
		e, err := s.Run(context.Background(), schedule, system.RunOptions{Record: true})
		require.NoError(t, err)
		if len(e.Facts) == 0 {
			continue
		}
		fact := e.Facts[r.IntN(len(e.Facts))]
		q := syntax.Query{Relation: fact.Relation, Round: fact.Round}
		for _, v := range fact.Args {
			q.Args = append(q.Args, syntax.QueryArg{Value: v})
		}
		g, err := causality.FindReasons(context.Background(), asked(s, q, schedule))
		require.NoError(t, err)
		require.True(t, g.Holds)
		holds := func(lost ...rounds.Fault) bool {
			under := schedule
			under.Faults = append(slices.Clone(schedule.Faults), lost...)
			e, err := s.Run(context.Background(), under.Normal(), system.RunOptions{Record: true})
			require.NoError(t, err)
			return slices.ContainsFunc(e.Facts, func(f recording.Fact) bool { return f.String() == fact.String() })
		}
		omit := func(a causality.Arrival) rounds.Fault {
			return rounds.Fault{Kind: rounds.Omit, Process: a.From, To: a.To, Round: a.Round}
		}
		for _, m := range e.Messages {
			at := causality.Arrival{From: m.From, To: m.To, Round: m.Round}
			in := slices.ContainsFunc(g.Past, func(a causality.Arrival) bool { return omit(a) == omit(at) })
			if !m.Lost && m.From != m.To && !in {
				require.True(t, holds(omit(at)), "%s under %s", fact, schedule)
				outside++
			}
		}
		for _, a := range g.Past {
			require.Equal(t, a.Needed, !holds(omit(a)))
			if a.Needed {
				needed++
			}
		}
		if len(g.Together) > 0 {
			together++
			var all []rounds.Fault
			for _, a := range g.Together {
				all = append(all, omit(a))
			}
			require.False(t, holds(all...))
			for i := range all {
				require.True(t, holds(slices.Delete(slices.Clone(all), i, i+1)...))
			}
		}
		for _, u := range g.Undone {
			require.NotEmpty(t, u.Fault.Faults)
		}
	}
	require.NotZero(t, outside)
	require.NotZero(t, needed)
	require.NotZero(t, together)
}

// A recording shows the same past as executions do, and of what was lost the fault that
// lost it.
func TestRecordedGrounds(t *testing.T) {
	lost := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := []*system.System{election.Buggy(), election.Fixed(), replog.Fixed()}[seed%3]
		b := rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, CrashStop: true, Crashes: 1, Isolations: 1, Period: 2, Omissions: 2}
		schedule := schedules.New(b).Random(r)
		e, err := s.Run(context.Background(), schedule, system.RunOptions{Record: true})
		require.NoError(t, err)
		for _, fact := range e.Facts {
			q := syntax.Query{Relation: fact.Relation, Round: fact.Round}
			for _, v := range fact.Args {
				q.Args = append(q.Args, syntax.QueryArg{Value: v})
			}
			asked := asked(s, q, schedule)
			asked.Most = 0
			want, err := causality.FindReasons(context.Background(), asked)
			require.NoError(t, err)
			got, err := causality.RecordedReasons(e, &q)
			require.NoError(t, err)
			require.True(t, got.Holds)
			require.Equal(t, want.Fact, got.Fact)
			require.Equal(t, want.Past, got.Past)
			require.Zero(t, got.Executions)
			for _, a := range got.Lost {
				require.True(t, slices.ContainsFunc(e.Messages, func(m recording.Message) bool {
					return m.Lost && m.From == a.From && m.To == a.To && m.Round == a.Round && m.Cause.String() == a.Cause
				}), "%v", a)
				require.LessOrEqual(t, a.Round, fact.Round)
				lost++
			}
		}
	}
	require.NotZero(t, lost)
}

// What was lost in the round of a failure itself is named: the answer to the call that
// failed. So is a call that was lost further away, of a service whose error came back.
func TestLostInTheRoundOfTheFailure(t *testing.T) {
	span := func(id, parent, service, name string, kind causality.SpanKind, start, end uint64, failed string) causality.Span {
		s := causality.Span{Trace: "1", ID: id, Parent: parent, Service: service, Name: name, Kind: kind, Start: start, End: end, Failed: failed != "", Error: failed}
		if kind == causality.Client {
			s.Peer = map[string]string{"Charge": "pay", "INSERT": "db"}[name]
		}
		return s
	}
	for name, c := range map[string]struct {
		spans []causality.Span
		lost  string
	}{
		"the answer": {[]causality.Span{
			span("a", "", "web", "GET /buy", causality.Server, 0, 90, ""),
			span("b", "a", "web", "Charge", causality.Client, 10, 50, "timeout"),
			span("c", "b", "pay", "Charge", causality.Server, 20, 60, ""),
		}, "pay>web@2 (answer 3 to Charge of web>pay@1): omit pay>web@2"},
		"the call": {[]causality.Span{
			span("a", "", "web", "GET /buy", causality.Server, 0, 90, ""),
			span("b", "a", "web", "Charge", causality.Client, 10, 20, "timeout"),
			span("c", "a", "web", "Charge", causality.Client, 30, 80, ""),
			span("d", "c", "pay", "Charge", causality.Server, 40, 70, ""),
		}, "web>pay@1 (Charge 5): omit web>pay@1"},
		"a call of who was called": {[]causality.Span{
			span("a", "", "web", "GET /buy", causality.Server, 0, 90, ""),
			span("b", "a", "web", "Charge", causality.Client, 10, 50, "no database"),
			span("c", "b", "pay", "Charge", causality.Server, 20, 45, "no database"),
			span("d", "c", "pay", "INSERT", causality.Client, 25, 40, "timeout"),
			span("e", "a", "web", "read", causality.Client, 60, 80, ""),
			span("f", "e", "db", "read", causality.Server, 65, 70, ""),
		}, "pay>db@2 (INSERT 7): omit pay>db@2"},
	} {
		trace, err := causality.NewTrace(c.spans, "")
		require.NoError(t, err)
		e, err := trace.Recording()
		require.NoError(t, err)
		q := query(t, "failed(web, _, _, _)")
		g, err := causality.RecordedReasons(e, &q)
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, g.WriteText(&b))
		require.Contains(t, b.String(), "  lost     "+c.lost+"\n", name)
	}
}

// Nothing is known of a fact of a program from its recording alone, and the error says
// who knows.
func TestRecordedProgram(t *testing.T) {
	q := query(t, "post(c, hello)")
	schedule, err := rounds.ParseSchedule("omit a>c@1")
	require.NoError(t, err)
	_, err = causality.RecordedReasons(&recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a", "c"}, EOT: 3}, Schedule: schedule}, &q)
	require.EqualError(t, err, `the recording is of a program, whose rules say why: ask ldfi why FILE 'post("c", "hello")' --faults 'omit a>c@1'`)
}

// A fact that does not hold is one that single faults have taken away, or nobody
// reports.
func TestAbsence(t *testing.T) {
	schedule, err := rounds.ParseSchedule("crash c@4; isolate a@5..6")
	require.NoError(t, err)
	g, err := causality.FindReasons(context.Background(), asked(election.Fixed(), query(t, "leader(a, 3)"), schedule))
	require.NoError(t, err)
	require.False(t, g.Holds)
	var undone []string
	for _, u := range g.Undone {
		undone = append(undone, fmt.Sprint(u.Fault, " ", u.Holds))
	}
	require.Equal(t, []string{"crash c@4 false", "isolate a@5..6 true"}, undone)
	var text bytes.Buffer
	require.NoError(t, g.WriteText(&text))
	require.Equal(t, `absent     leader("a", 3) does not hold
  faults   crash c@4; isolate a@5..6
  instead  leader(a, 1) holds in round 2
           leader(a, 2) holds in round 4
  undone   without crash c@4 it does not hold either
           without isolate a@5..6 it holds
  tried    3 executions: each fault undone alone
`, text.String())
}

// What only a property derives no process reports, with or without the faults.
func TestReasonsOfAPromise(t *testing.T) {
	schedule, err := rounds.ParseSchedule("crash a@5")
	require.NoError(t, err)
	g, err := causality.FindReasons(context.Background(), asked(election.Fixed(), query(t, "violation(3, a, c)"), schedule))
	require.NoError(t, err)
	require.Empty(t, g.Undone)
	var b bytes.Buffer
	require.NoError(t, g.WriteText(&b))
	require.Contains(t, b.String(), "violation is a relation of a property: ask for a fact that processes report (leader)\n")
	require.NotContains(t, b.String(), "either")
}
