package ldfi_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// TestHeldAgrees compares violations that leave waypoints unharmed with those of executing every schedule: by waypoints that rules
// derive in each execution, and by the solver.
func TestHeldAgrees(t *testing.T) {
	campaign.Run(t, 120, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(100)) > 0 || len(c.Program.Relations()) == 0 {
			return "too many schedules", nil
		}
		r := rand.New(rand.NewPCG(c.Seed, 17))
		text := randomWaypoints(r, c)
		if r.IntN(3) == 0 {
			text += randomGuide(r, c)
		}
		g, err := guide.Parse("random.mg", text)
		if err != nil {
			return "", fmt.Errorf("%s\n%w", text, err)
		}
		if g.Fits(c.Program, c.Bounds) != nil {
			return "of another program", nil
		}
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Max: 1000, Goals: c.Goals, Hold: true})
		if err != nil {
			return "", err
		}
		want, err := naivelyHeld(ctx, m, c, g)
		if err != nil {
			_, executed := m.Guided(ctx, g)
			return sameError(err, executed)
		}
		executed, err := m.Guided(ctx, g)
		if err != nil {
			return "", fmt.Errorf("%s\n%w", text, err)
		}
		if executed.Guidance.Held == nil {
			return "no schedule is left", nil
		}
		answers := map[string]*result.Answer{"executed": executed}
		if _, _, only := g.OnlyWaypoints(); only {
			if answers["solver"], err = ldfi.GuidedBySolver(ctx, m, g); err != nil {
				return "", fmt.Errorf("%s\n%w", text, err)
			}
		}
		for how, a := range answers {
			got, want := heldIn(a), want
			if len(c.Program.Choices) > 0 { // of those with the same faults the solver lists one
				got, want = smallestOf(got), smallestOf(want)
			}
			if got != want {
				return "", fmt.Errorf("%s\n%s: %s\nby executing every schedule %s", text, how, got, want)
			}
			if err := sound(a); err != nil {
				return "", fmt.Errorf("%s\n%s: %w", text, how, err)
			}
			if err := unharmed(ctx, m, c, g, a); err != nil {
				return "", fmt.Errorf("%s\n%s: %w", text, how, err)
			}
		}
		return fmt.Sprintf("%s with %d waypoints", executed.Verdict, executed.Guidance.Held.Waypoints), nil
	})
}

// naivelyHeld executes every schedule, once to see how many waypoints are reached, and looks at those that reach as many.
func naivelyHeld(ctx context.Context, m *ldfi.Model, c oracle.Case, g *guide.Guide) (string, error) {
	u := schedules.New(c.Bounds)
	type seen struct {
		set     []int
		whole   string // with what the guide decides
		reached int
		broken  bool
	}
	var all []seen
	most, elsewhere := 0, false
	for set := range u.InOrder(ctx, 1000) {
		in, err := m.InjectGuided(ctx, g, u.Schedule(func(unit int) bool { return slices.Contains(set, unit) }))
		switch {
		case err != nil && strings.Contains(err.Error(), "lies outside of the bounds"), err == nil && in.Guidance.Prevented > 0:
			continue
		case err != nil:
			return "", err
		}
		one := seen{slices.Clone(set), in.Schedule.String(), 0, len(in.Violations) > 0}
		for _, w := range in.Guidance.Waypoints {
			one.reached += w.Executions
		}
		most, elsewhere = max(most, one.reached), elsewhere || one.broken
		all = append(all, one)
	}
	var found [][]int
	var texts []string
	for _, one := range all {
		part := func(known []int) bool {
			return !slices.ContainsFunc(known, func(unit int) bool { return !slices.Contains(one.set, unit) })
		}
		if one.broken && one.reached == most && !slices.ContainsFunc(found, part) {
			found, texts = append(found, one.set), append(texts, one.whole)
		}
	}
	slices.Sort(texts)
	return fmt.Sprintf("%d waypoints, violated elsewhere %t\n%s", most, elsewhere && len(found) == 0, strings.Join(texts, "\n")), nil
}

func heldIn(a *result.Answer) string {
	var texts []string
	for _, c := range a.Counterexamples {
		texts = append(texts, c.Schedule.String())
	}
	slices.Sort(texts)
	return fmt.Sprintf("%d waypoints, violated elsewhere %t\n%s", a.Guidance.Held.Waypoints, a.Guidance.Held.Beside != nil, strings.Join(texts, "\n"))
}

// unharmed looks at every schedule with what led to the waypoints in the counterexample: it reaches them.
func unharmed(ctx context.Context, m *ldfi.Model, c oracle.Case, g *guide.Guide, a *result.Answer) error {
	if a.First() == nil || len(a.Guidance.Held.Ways) == 0 {
		return nil
	}
	u := schedules.New(c.Bounds)
	for set := range u.InOrder(ctx, 1000) {
		s := u.Schedule(func(unit int) bool { return slices.Contains(set, unit) })
		in, err := m.InjectGuided(ctx, g, s)
		switch {
		case err != nil && strings.Contains(err.Error(), "lies outside of the bounds"), err == nil && in.Guidance.Prevented > 0:
			continue
		case err != nil:
			return err
		}
		for i, w := range a.Guidance.Held.Ways {
			if !has(in.Execution, in.Schedule, w) {
				break
			}
			if in.Guidance.Waypoints[i].Executions == 0 {
				return fmt.Errorf("under %q waypoint %d is not reached by %v", s, i+1, w)
			}
		}
	}
	return nil
}

// has tells whether an execution has all of a way.
func has(e *recording.Execution, s rounds.Schedule, w result.Way) bool {
	for _, fault := range w.Faults {
		if !slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.String() == fault }) {
			return false
		}
	}
	for _, message := range w.Messages {
		if !slices.ContainsFunc(e.Messages, func(m recording.Message) bool {
			return !m.Lost && m.Arrival == 0 && fmt.Sprintf("%s %s>%s@%d", m.Relation, m.From, m.To, m.Round) == message
		}) {
			return false
		}
	}
	for _, up := range w.Processes {
		process, round, _ := strings.Cut(up, "@")
		if slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
			last, _ := strconv.Atoi(round)
			return f.Kind == rounds.Crash && f.Process == process && f.Round <= last
		}) {
			return false
		}
	}
	return true
}

// smallestOf is what was found, without schedules: how many faults the smallest has.
func smallestOf(found string) string {
	lines := strings.Split(found, "\n")
	least := -1
	for _, line := range lines[1:] {
		if s, err := rounds.ParseSchedule(line); err == nil && (least < 0 || s.Size() < least) {
			least = s.Size()
		}
	}
	return fmt.Sprintf("%s, %d faults", lines[0], least)
}

// sound compares the verdict with what was found.
func sound(a *result.Answer) error {
	c, held := a.First(), a.Guidance.Held
	switch {
	case (c != nil) != (a.Verdict == result.Violated), held.Beside != nil && a.Verdict != result.Inconclusive:
		return fmt.Errorf("%d sets, and it is %s", len(a.Counterexamples), a.Verdict)
	case c == nil:
		return nil
	case held.Ways != nil && len(held.Ways) != held.Waypoints:
		return fmt.Errorf("%d ways to %d waypoints", len(held.Ways), held.Waypoints)
	}
	return nil
}

// retried is a broadcast by a, once in every round.
const retried = `// ldfi: processes=a,b,c eot=5 eff=3 crashes=1 omissions=2
process("b")@1; process("c")@1;
has("a", 1)@1;
send("a", M)@next :- has("a", M);
send("a", M)@next :- send("a", M);
has(P, M)@async :- send("a", M), process(P)@1;
has(P, M)@next :- has(P, M);
pre(M) :- has(P, M), P != "a", notin crash(P, P, _), last(5);
post(M) :- has("b", M), has("c", M);
last(5)@5;
`

// The smallest violation keeps the message from b. If it stays with b it is c that does not get it, and if both are to have
// it nothing is left to break.
func TestHeld(t *testing.T) {
	const atB, atBoth = "waypoint(1, R) :- has(\"b\", _, R).\n", "waypoint(2, R) :- has(\"b\", _, R), has(\"c\", _, R).\n"
	free := guided(t, retried, atB, ldfi.Options{})
	require.Equal(t, "crash a@3; omit a>b@2", free.First().Schedule.String())
	require.Nil(t, free.Guidance.Held)

	held := guided(t, retried, atB, ldfi.Options{Hold: true})
	require.Equal(t, result.Violated, held.Verdict)
	require.Equal(t, "crash a@3; omit a>c@2", held.First().Schedule.String())
	require.Equal(t, result.Unharmed{Waypoints: 1, Ways: []result.Way{{Messages: []string{"has a>b@2"}, Processes: []string{"a@2"}}}}, *held.Guidance.Held)

	nothing := guided(t, retried, atB+atBoth, ldfi.Options{Hold: true})
	require.Equal(t, result.Inconclusive, nothing.Verdict)
	require.Equal(t, "no schedule that reaches waypoint 2 of votes.mg breaks the promise, but one that does not reach it does: crash a@3; omit a>b@2", nothing.Limit.Reason)
	require.Equal(t, "crash a@3; omit a>b@2", nothing.Guidance.Held.Beside.String())

	kept := guided(t, strings.Replace(retried, "crashes=1", "crashes=0", 1), atB+atBoth, ldfi.Options{Hold: true})
	require.Equal(t, result.Holds, kept.Verdict)
	require.True(t, kept.Complete)

	p, b := parse(t, retried)
	g, err := guide.Parse("votes.mg", "drop(M) :- message(M, _, \"b\", _, _, 2).")
	require.NoError(t, err)
	_, err = model(t, p, b, ldfi.Options{Hold: true}).Guided(t.Context(), g)
	require.ErrorContains(t, err, "votes.mg has none")
}

// A waypoint that is never reached holds nothing: the violation is that of the search without it.
func TestHeldUnreached(t *testing.T) {
	a := guided(t, retried, "waypoint(1, R) :- has(\"b\", 2, R).", ldfi.Options{Hold: true})
	require.Equal(t, "crash a@3; omit a>b@2", a.First().Schedule.String())
	require.Zero(t, a.Guidance.Held.Waypoints)
}

// Faults that lead to a waypoint stay, and what the promise does not need of them is said.
func TestHeldNeedsFaults(t *testing.T) {
	const down = "waypoint(1, R) :- has(\"c\", _, R), !has(\"b\", _, R).\n"
	a := guided(t, retried, down, ldfi.Options{Hold: true})
	require.Equal(t, "crash a@3; omit a>b@2", a.First().Schedule.String())
	require.Equal(t, []string{"omit a>b@2"}, []string(a.Guidance.Held.Ways[0].Faults))
	require.Equal(t, []string{"has a>c@2"}, []string(a.Guidance.Held.Ways[0].Messages))
}
