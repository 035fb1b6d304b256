package ldfi_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// TestGuidedAgrees compares the answer about random programs with random guides with that of the definition: what is decided
// in a round is what the rules derive of an execution in which nothing is decided from that round on.
func TestGuidedAgrees(t *testing.T) {
	campaign.Run(t, 120, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(60)) > 0 {
			return "too many schedules", nil
		}
		r := rand.New(rand.NewPCG(c.Seed, 13))
		if len(c.Program.Relations()) == 0 {
			return "nothing to read", nil
		}
		text := randomGuide(r, c)
		g, err := guide.Parse("random.mg", text)
		if err != nil {
			return "", fmt.Errorf("%s\n%w", text, err)
		}
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Max: 100, Workers: 2, Goals: c.Goals})
		if err != nil {
			return "", err
		}
		a, gotErr := m.Guided(ctx, g)
		var none *ldfi.NoPromiseError
		if errors.As(gotErr, &none) {
			return "promises nothing", nil
		}
		n := &naiveGuided{c: c, guide: g}
		want, err := n.all(ctx)
		if outcome, err := sameError(err, gotErr); outcome != "" || err != nil {
			if err != nil {
				err = fmt.Errorf("%s\n%w", text, err)
			}
			return outcome, err
		}
		var got []string
		for _, x := range a.Counterexamples {
			got = append(got, broken(x.Violations))
		}
		if !slices.Equal(got, want) {
			return "", fmt.Errorf("%s\nfound %q, by the definition %q: %v", text, got, want, n.schedules)
		}
		single := slices.ContainsFunc(a.Counterexamples, func(x result.Counterexample) bool {
			return slices.ContainsFunc(x.Schedule.Faults, func(f rounds.Fault) bool { return f.Nth > 0 })
		})
		return fmt.Sprintf("%s, decides: %t, about one of several: %t", a.Verdict, a.Guidance.Fired > 0, single), nil
	})
}

func broken(violations []result.Violation) string {
	var all []string
	for _, v := range violations {
		all = append(all, fmt.Sprint(v.Fact, v.Missing))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// randomGuide decides about messages of relations of a program, and its processes.
func randomGuide(r *rand.Rand, c oracle.Case) string {
	var sent, relations []string
	for _, rule := range c.Program.Rules {
		if rule.Kind == syntax.Async {
			sent = append(sent, rule.Head.Relation)
		}
	}
	arity := map[string]int{}
	for _, relation := range c.Program.Relations() {
		if relation.Name != syntax.Crash && relation.Name != syntax.Booted {
			relations, arity[relation.Name] = append(relations, relation.Name), relation.Arity
		}
	}
	if len(relations) == 0 {
		return "drop(M) :- message(M, _, _, _, _, _).\n"
	}
	one := func(of []string) string { return of[r.IntN(len(of))] }
	process := func() string { return fmt.Sprintf("%q", one(c.Bounds.Processes)) }
	fact := func(round string) string {
		name := one(relations)
		columns := strings.Repeat("_, ", arity[name])
		if slices.Contains([]string{"message", "in", "good", "bad", "hold", "lie", "ask", "tick", "sent", "round"}, name) {
			name += "_" // as a guide calls it
		}
		return fmt.Sprintf("%s(%s%s)", name, columns, round)
	}
	var rules []string
	for range 1 + r.IntN(3) {
		about := ""
		if len(sent) > 0 {
			about = fmt.Sprintf(`message(M, %s, %s, %q, _, R)`, one([]string{"_", "_"}), one([]string{"_", "_"}), one(sent))
		}
		body := one([]string{fact("S") + ", R = fn:plus(S, 1)", fmt.Sprintf("round(R), R = %d", 1+r.IntN(c.Bounds.EOT)), fact("S") + ", R = fn:plus(S, 2)"})
		which := one([]string{"", "", fmt.Sprintf(", M > %d", r.IntN(4)), fmt.Sprintf(", M < %d", 1+r.IntN(5)), ", first(M)"})
		past := which + one([]string{"", ", " + fact("S") + ", S < R", fmt.Sprintf(", R > %d", r.IntN(3)), fmt.Sprintf(", !crashed(%s, 1), R > 1", c.Program.ProcessValue(one(c.Bounds.Processes)))})
		switch kind := r.IntN(8); {
		case kind == 7 && about != "" && c.Bounds.Delays == 0 && c.Bounds.Duplicates == 0 && c.Bounds.Deliver == "" && c.Bounds.Kernel == "":
			rules = append(rules, "hold(M) :- "+about+past+".")
			if r.IntN(2) == 0 {
				rules = append(rules, "release(M, Q) :- "+about+which+fmt.Sprintf(", Q = fn:plus(R, %d).", r.IntN(3)))
			}
		case kind < 2 && about != "" || kind > 5 && about != "":
			rules = append(rules, "drop(M) :- "+about+past+".")
		case kind == 2 && about != "":
			rules = append(rules, "deliver(M) :- "+about+past+".")
		case kind == 3:
			rules = append(rules, fmt.Sprintf("isolate(%s, R) :- %s.", process(), body))
		case kind == 4:
			rules = append(rules, fmt.Sprintf("part(%s, %s, R) :- %s.", process(), process(), body))
		default:
			rules = append(rules, fmt.Sprintf("crash(%s, R) :- %s.", process(), body))
		}
	}
	if slices.ContainsFunc(rules, func(rule string) bool { return strings.Contains(rule, ", first(M)") }) {
		rules = append(rules, firsts)
	}
	return strings.Join(once(rules), "\n") + "\n"
}

// once returns rules without those that stand there twice.
func once(rules []string) (all []string) {
	for _, rule := range rules {
		if !slices.Contains(all, rule) {
			all = append(all, rule)
		}
	}
	return all
}

// firsts has the first message of each kind on each link in each round.
const firsts = "first(M) :- message(L, From, To, Kind, _, R) |> do fn:group_by(From, To, Kind, R), let M = fn:min(L)."

// naiveGuided executes every schedule with a guide by the definition.
type naiveGuided struct {
	c     oracle.Case
	guide *guide.Guide

	schedules []rounds.Schedule // that break something
}

// all returns what is broken under each schedule of which no part breaks anything, the fewest faults first.
func (n *naiveGuided) all(ctx context.Context) ([]string, error) {
	var want []string
	var found [][]int
	u := schedules.New(n.c.Bounds)
	m, err := ldfi.New(n.c.Program, n.c.Bounds, ldfi.Options{Goals: n.c.Goals})
	if err != nil {
		return nil, err
	}
	for set := range u.InOrder(ctx, 1000) {
		s, allowed, err := n.decided(ctx, u.Schedule(func(unit int) bool { return slices.Contains(set, unit) }))
		if err != nil {
			return nil, err
		}
		if !allowed {
			continue
		}
		in, err := m.Inject(ctx, s)
		if err != nil {
			return nil, err
		}
		part := func(known []int) bool {
			return !slices.ContainsFunc(known, func(unit int) bool { return !slices.Contains(set, unit) })
		}
		if len(in.Violations) > 0 && !slices.ContainsFunc(found, part) {
			found, want = append(found, slices.Clone(set)), append(want, broken(in.Violations))
			n.schedules = append(n.schedules, s)
		}
	}
	return want, nil
}

// fateOf is a delay of a message alone, by no rounds yet.
func fateOf(sent []recording.Message, number int) rounds.Fault {
	m := sent[number-1]
	f := rounds.Fault{Kind: rounds.Delay, Process: m.From, To: m.To, Round: m.Round, Of: m.Relation}
	for _, o := range sent[:number] {
		if o.From == m.From && o.To == m.To && o.Round == m.Round && o.Relation == m.Relation {
			f.Nth++
		}
	}
	return f
}

// with adds messages that are held to a schedule: for ever, unless they have been released.
func (n *naiveGuided) with(s rounds.Schedule, holds []rounds.Fault) rounds.Schedule {
	all := rounds.Schedule{Settings: s.Settings, Faults: slices.Clone(s.Faults)}
	for _, f := range holds {
		if f.By == 0 {
			f.Kind = rounds.Omit
		}
		if more := (rounds.Schedule{Settings: s.Settings, Faults: append(slices.Clone(all.Faults), f)}).Normal(); more.Check(n.c.Bounds) == nil {
			all = more
		}
	}
	return all
}

// back tells whether a process is up again in a round after a crash.
func (n *naiveGuided) back(s rounds.Schedule, crash rounds.Fault, round int) bool {
	return slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool {
		return g.Kind == rounds.Restart && g.Process == crash.Process && crash.Round <= g.Round && g.Round <= round
	})
}

// decided returns a schedule with what the guide decides, and whether it is allowed.
func (n *naiveGuided) decided(ctx context.Context, s rounds.Schedule) (rounds.Schedule, bool, error) {
	allowed, given := true, s.Faults
	var must []recording.Message
	var holds []rounds.Fault // without how much later they arrive: 0 until they are released
	machine, err := lockstep.Compile(n.c.Program, n.c.Bounds, lockstep.Options{})
	if err != nil {
		return s, false, err
	}
	for round := 1; round <= n.c.Bounds.EOT; round++ {
		e, err := machine.Execute(ctx, n.with(s, holds))
		if err != nil {
			return s, false, err
		}
		e.Facts = slices.DeleteFunc(e.Facts, func(f recording.Fact) bool { return f.Relation == syntax.Crash || f.Relation == syntax.Booted })
		run, err := n.guide.NewRun(n.c.Bounds, n.c.Program.ProcessValue)
		if err != nil {
			return s, false, err
		}
		var d guide.Decisions
		var sent []recording.Message
		for r := 1; r <= round; r++ {
			var now []recording.Message
			for _, m := range e.Messages {
				if m.Round == r && !m.Again && m.From != "" {
					now = append(now, m)
				}
			}
			past := guide.Past{}
			if r > 1 {
				past = guide.PastOf(e, r-1)
			}
			if d, err = run.Decide(ctx, past, now); err != nil {
				return s, false, err
			}
			sent = append(sent, now...)
		}
		var more []rounds.Fault
		for _, f := range d.Fates {
			m := sent[f.Message-1]
			switch {
			case m.From == m.To: // it is not touched
			case f.Do == "drop":
				lost := rounds.Fault{Kind: rounds.Omit, Process: m.From, To: m.To, Round: round, Of: m.Relation, Nth: fateOf(sent, f.Message).Nth}
				link, kind := true, true
				for i, o := range sent {
					dropped := slices.ContainsFunc(d.Fates, func(f guide.Fate) bool { return f.Message == i+1 && f.Do == "drop" })
					on := o.From == m.From && o.To == m.To && o.Round == round
					link, kind = link && (dropped || !on), kind && (dropped || !on || o.Relation != m.Relation)
				}
				if kind {
					lost.Nth = 0
				}
				if link {
					lost.Of, lost.Nth = "", 0 // nothing else is sent on the link
				}
				more = append(more, lost)
			case f.Do == "deliver":
				must = append(must, m)
			case f.Do == "hold" && !slices.Contains(d.Releases, f.Message) && !slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool {
				return g.Kind == rounds.Omit && g.Process == m.From && g.To == m.To && g.Round == round
			}):
				holds = append(holds, fateOf(sent, f.Message))
			}
		}
		for _, number := range d.Releases {
			if m := sent[number-1]; m.Round < round {
				for i := range holds {
					if f := fateOf(sent, number); holds[i].By == 0 && f == holds[i] {
						holds[i].By = round - f.Round
					}
				}
			}
		}
		for _, a := range d.Acts {
			switch a.Do {
			case "crash":
				more = append(more, rounds.Fault{Kind: rounds.Crash, Process: a.Process, Round: round})
			case "isolate":
				more = append(more, rounds.Fault{Kind: rounds.Isolate, Process: a.Process, Round: round, Until: round})
			case "part":
				more = append(more, rounds.Fault{Kind: rounds.Cut, Process: a.Process, To: a.Other, Round: round, Until: round},
					rounds.Fault{Kind: rounds.Cut, Process: a.Other, To: a.Process, Round: round, Until: round})
			}
		}
		for _, f := range more {
			next := rounds.Schedule{Faults: append(slices.Clone(s.Faults), f)}.Normal()
			own := rounds.Schedule{Faults: slices.DeleteFunc(slices.Clone(next.Faults), func(g rounds.Fault) bool { return g != f && slices.Contains(given, g) })}
			switch {
			case next.Check(n.c.Bounds) == nil:
				s = next
			case own.Check(n.c.Bounds) == nil && !slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool {
				return f.Kind == rounds.Crash && g.Kind == f.Kind && g.Process == f.Process && g.Round <= f.Round && !n.back(s, g, f.Round)
			}):
				allowed = false // only the schedule is in the way of the guide
			}
		}
		if schedules.Assumed(n.with(s, holds), n.c.Bounds) != nil {
			return s, false, nil
		}
	}
	s = n.with(s, holds)
	e, err := machine.Execute(ctx, s)
	if err != nil {
		return s, false, err
	}
	for _, m := range must {
		same := func(o recording.Message) bool {
			return !o.Lost && o.Arrival == 0 && o.From == m.From && o.To == m.To && o.Relation == m.Relation && o.Round == m.Round && slices.Equal(o.Args, m.Args)
		}
		allowed = allowed && slices.ContainsFunc(e.Messages, same)
	}
	return s, allowed, nil
}

// guidedCase is a case with a guide.
func guidedCase(c oracle.Case, text string) (*guide.Guide, *ldfi.Model, error) {
	g, err := guide.Parse("random.mg", text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s\n%w", text, err)
	}
	m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Max: 1000, Goals: c.Goals})
	return g, m, err
}

// TestAssumedAgrees compares what the solver says of guides that decide the same in all executions with executing every schedule.
func TestAssumedAgrees(t *testing.T) {
	campaign.Run(t, 60, func(ctx context.Context, c oracle.Case) (string, error) {
		c.Bounds.Delays, c.Bounds.Duplicates, c.Bounds.Deliver, c.Bounds.Kernel = 0, 0, "", ""
		if schedules.Count(c.Bounds).Cmp(big.NewInt(300)) > 0 {
			return "too many schedules", nil
		}
		text := fixedGuide(rand.New(rand.NewPCG(c.Seed, 19)), c)
		g, m, err := guidedCase(c, text)
		if err != nil {
			return "", err
		}
		want, executed := m.Guided(ctx, g)
		var none *ldfi.NoPromiseError
		if errors.As(executed, &none) {
			return "promises nothing", nil
		}
		got, asked, err := ldfi.Assumed(ctx, m, g)
		if err == nil && !asked {
			return "executed", nil
		}
		if outcome, err := sameError(executed, err); outcome != "" || err != nil {
			return outcome, err
		}
		if len(c.Program.Choices) > 0 { // a set is listed with one choice, executed with each
			want.Counterexamples = want.Counterexamples[:min(1, len(want.Counterexamples))]
			got.Counterexamples = got.Counterexamples[:min(1, len(got.Counterexamples))]
		}
		if got.Verdict != want.Verdict || got.Complete && len(got.Counterexamples) != len(want.Counterexamples) {
			return "", fmt.Errorf("%s\nthe solver says %s with %d sets, executed: %s with %d", text, got.Verdict, len(got.Counterexamples), want.Verdict, len(want.Counterexamples))
		}
		for i, x := range got.Counterexamples {
			j := slices.IndexFunc(want.Counterexamples, func(w result.Counterexample) bool {
				return w.Schedule.String() == x.Schedule.String() && broken(w.Violations) == broken(x.Violations)
			})
			if j < 0 || got.Complete && j != i || x.Minimal && !want.Counterexamples[j].Minimal {
				return "", fmt.Errorf("%s\nthe solver has %s as set %d, executed it is %d", text, x.Schedule, i, j)
			}
		}
		return fmt.Sprintf("%s, complete: %t, decides: %t", got.Verdict, got.Complete, got.Guidance.Fired > 0), nil
	})
}

// fixedGuide decides by senders, receivers, kinds and rounds alone.
func fixedGuide(r *rand.Rand, c oracle.Case) string {
	sent := rounds.SentBy(c.Program)
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	process := func() string {
		return c.Program.ProcessValue(c.Bounds.Processes[r.IntN(len(c.Bounds.Processes))]).String()
	}
	body := func() string {
		kind := "_"
		if len(sent) > 0 && r.IntN(3) > 0 {
			kind = fmt.Sprintf("%q", sent[r.IntN(len(sent))])
		}
		return fmt.Sprintf("message(M, %s, %s, %s, _, R)", one("_", "P", process()), one("_", "Q", process()), kind) +
			one("", fmt.Sprintf(", R < %d", 2+r.IntN(c.Bounds.EOT)), fmt.Sprintf(", R > %d", r.IntN(2)), fmt.Sprintf(", side(%s, R)", process()), ", !left(M)")
	}
	round := func() string {
		return one(fmt.Sprintf("round(R), R = %d", 1+r.IntN(c.Bounds.EOT)), fmt.Sprintf("round(S), R = fn:plus(S, %d)", r.IntN(2)), fmt.Sprintf("side(%s, R)", process()))
	}
	var rules []string
	for range 1 + r.IntN(3) {
		switch r.IntN(5) {
		case 0, 1:
			rules = append(rules, "drop(M) :- "+body()+".")
		case 2:
			rules = append(rules, "deliver(M) :- "+body()+".")
		case 3:
			rules = append(rules, fmt.Sprintf("isolate(%s, R) :- %s.", process(), round()))
		default:
			rules = append(rules, fmt.Sprintf("part(%s, %s, R) :- %s.", process(), process(), round()))
		}
	}
	text := strings.Join(once(rules), "\n") + "\n"
	if strings.Contains(text, "left(M)") {
		text += fmt.Sprintf("left(M) :- message(M, %s, _, _, _, _).\n", process())
	}
	if strings.Contains(text, "side(") {
		text += fmt.Sprintf("side(P, R) :- process(P), round(R), R >= %d.\n", 1+r.IntN(3))
	}
	return text
}

// TestWaypointsOfTheSolver compares the waypoints that the solver reaches with those of executing every schedule.
func TestWaypointsOfTheSolver(t *testing.T) {
	campaign.Run(t, 120, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(100)) > 0 || len(c.Program.Relations()) == 0 {
			return "too many schedules", nil
		}
		text := randomWaypoints(rand.New(rand.NewPCG(c.Seed, 17)), c)
		g, m, err := guidedCase(c, text)
		if err != nil {
			return "", err
		}
		a, executed := m.Guided(ctx, g)
		way, only, err := ldfi.Reachable(ctx, m, g)
		if outcome, err := sameError(executed, err); outcome != "" || err != nil {
			return outcome, err
		}
		if !only {
			return "", fmt.Errorf("%s\nmore than waypoints", text)
		}
		n := 0
		for i, w := range a.Guidance.Waypoints {
			switch {
			case (way[i] != nil) != (w.Executions > 0):
				return "", fmt.Errorf("%s\nwaypoint %d: the solver has %v, executed: %d", text, i+1, way[i], w.Executions)
			case way[i] != nil && way[i].Size() != w.Schedule.Size():
				return "", fmt.Errorf("%s\nwaypoint %d: the solver has %v, executed: %v", text, i+1, way[i], w.Schedule)
			case way[i] != nil:
				n++
			}
		}
		return fmt.Sprintf("%d of %d", n, len(way)), nil
	})
}

func randomWaypoints(r *rand.Rand, c oracle.Case) string {
	arity := map[string]int{}
	var relations []string
	for _, relation := range c.Program.Relations() {
		if relation.Name != syntax.Crash && relation.Name != syntax.Booted {
			relations, arity[relation.Name] = append(relations, relation.Name), relation.Arity
		}
	}
	if len(relations) == 0 {
		return "waypoint(1, R) :- round(R), R = 1.\n"
	}
	fact := func(round string) string {
		name := relations[r.IntN(len(relations))]
		var columns string
		for range arity[name] {
			switch r.IntN(4) {
			case 0:
				columns += fmt.Sprintf("%q, ", c.Bounds.Processes[r.IntN(len(c.Bounds.Processes))])
			case 1:
				columns += "X, "
			default:
				columns += "_, "
			}
		}
		if slices.Contains([]string{"message", "in", "good", "bad", "hold", "lie", "ask", "tick", "sent", "round"}, name) {
			name += "_"
		}
		return fmt.Sprintf("%s(%s%s)", name, columns, round)
	}
	text := ""
	for i := range 1 + r.IntN(3) {
		for range 1 + r.IntN(2) {
			body := fact("R")
			switch r.IntN(4) {
			case 0:
				body += ", " + fact("S") + ", S < R"
			case 1:
				body += ", !" + strings.ReplaceAll(fact("R"), "X, ", "_, ")
			case 2:
				body = fmt.Sprintf("seen%d(N, R), N > %d", i, r.IntN(3))
				text += fmt.Sprintf("seen%d(N, R) :- round(R), %s |> do fn:group_by(R), let N = fn:count().\n", i, strings.ReplaceAll(fact("R"), "X", "Y"))
			}
			text += fmt.Sprintf("waypoint(%d, R) :- %s.\n", i+1, body)
		}
	}
	return text
}
