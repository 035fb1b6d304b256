package ldfi_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

func whatIf(t *testing.T, text string, asked result.Wanted) *result.WhatIf {
	t.Helper()
	p, b := parse(t, text)
	found, err := model(t, p, b, ldfi.Options{}).WhatIf(t.Context(), asked)
	require.NoError(t, err)
	require.Nil(t, found.Limit)
	return found
}

// A fact vanishes in a round, or in all.
func TestWhatIfAbsent(t *testing.T) {
	found := whatIf(t, retry, result.Wanted{Fact: `log(c, hello)@4`, Absent: true, Forbid: []string{"crash a@1"}})
	require.Equal(t, result.Possible, found.Answer)
	require.True(t, found.Holds)
	require.Equal(t, `log(c, "hello")@4`, found.Fact)
	set := found.Sets[0]
	require.Equal(t, "crash a@2; omit a>c@1", set.Schedule.String())
	require.True(t, set.Confirmed && set.Minimal)
	require.Equal(t, `log(c, "hello") is missing at round 4`, set.Violations[0].String())
	require.Contains(t, set.Because[0], "lost in round 1 (omit a>c@1)")
	require.NotNil(t, set.Execution)

	found = whatIf(t, retry, result.Wanted{Fact: `log(c, _)`, Absent: true})
	require.Equal(t, "crash a@1", found.Sets[0].Schedule.String())
	require.Equal(t, `log(c, _) holds in no round`, found.Sets[0].Violations[0].String())
	found = whatIf(t, retry, result.Wanted{Fact: `log(c, _)@2`, Absent: true, Forbid: []string{"crash *"}})
	require.Equal(t, "omit a>c@1", found.Sets[0].Schedule.String())
	require.Equal(t, `no log(c, _) holds at round 2`, found.Sets[0].Violations[0].String())
}

// What is so without faults takes none.
func TestWhatIfWithoutFaults(t *testing.T) {
	found := whatIf(t, retry, result.Wanted{Fact: `log(c, hello)`})
	require.Equal(t, result.Possible, found.Answer)
	require.True(t, found.Holds && found.Complete)
	require.Len(t, found.Sets, 1)
	require.Empty(t, found.Sets[0].Schedule.Faults)
	found = whatIf(t, retry, result.Wanted{Fact: `log(c, bye)`, Absent: true})
	require.False(t, found.Holds)
	require.Empty(t, found.Sets[0].Schedule.Faults)
	require.Empty(t, found.Sets[0].Because)
}

// That nothing does it is a certificate, whatever is assumed or because of that.
func TestWhatIfImpossible(t *testing.T) {
	found := whatIf(t, retry, result.Wanted{Fact: `log(c, _)@1`})
	require.Equal(t, result.Impossible, found.Answer)
	require.Nil(t, found.Conflict)
	found = whatIf(t, retry, result.Wanted{Fact: `log(c, _)`, Absent: true, Require: []string{"omit a>c@1"}, Forbid: []string{"crash a"}})
	require.Equal(t, result.Impossible, found.Answer)
	require.Equal(t, &result.Conflict{Forbid: []string{"crash a"}}, found.Conflict)
}

// The program needs no promise, and the fact none that the promise depends on.
func TestWhatIfBesidesThePromise(t *testing.T) {
	found := whatIf(t, `
// ldfi: processes=a,b eot=3 eff=2
to("a", "b")@1;
log(Q)@async :- to(P, Q);
`, result.Wanted{Fact: "log(b)@2", Absent: true})
	require.Equal(t, "omit a>b@1", found.Sets[0].Schedule.String())
}

// A search that is stopped says what is known: no set below so many faults, and one that
// does it if there is one.
func TestWhatIfStopped(t *testing.T) {
	p, b := parse(t, retry)
	found, err := model(t, p, b, ldfi.Options{MaxFacts: 20}).WhatIf(t.Context(), result.Wanted{Fact: "log(c, _)@6", Absent: true, Forbid: []string{"crash a@1"}})
	require.NoError(t, err)
	require.Equal(t, result.Unknown, found.Answer)
	require.Equal(t, result.LimitFacts, found.Limit.Kind)

	all := oracle.Protocols(t)
	c := all[slices.IndexFunc(all, func(c oracle.Case) bool { return strings.HasSuffix(c.Name, "delivery/ack12.ded") })]
	found, err = model(t, c.Program, c.Bounds, ldfi.Options{MaxGates: 100}).WhatIf(t.Context(), result.Wanted{Fact: "log(l, hello)@14", Absent: true, Forbid: []string{"crash *"}})
	require.NoError(t, err)
	require.Equal(t, result.LimitGates, found.Limit.Kind)
	require.Equal(t, 1, found.AtLeast) // the run without faults shows that
}

func TestWhatIfErrors(t *testing.T) {
	p, b := parse(t, retry)
	for asked, wrong := range map[string]string{
		"lgo(c, hello)":    `fact "lgo(c, hello)": the program has no relation lgo (did you mean "log"?)`,
		"log(c)":           `fact "log(c)": log has 2 columns, not 1`,
		"log(c, hello)@7":  `fact "log(c, hello)@7": round 7 is after the last round, 6`,
		"log(c, hello)@0":  "rounds count from 1",
		"log(c, hello":     "query:1:13",
		"crash(_, a, 2)":   "name these by --require, as in --require 'crash a@2'",
		"booted(a)":        "name these by --require",
		"log(c, hello) :-": "query:1:15",
	} {
		_, err := model(t, p, b, ldfi.Options{}).WhatIf(t.Context(), result.Wanted{Fact: asked})
		require.ErrorContains(t, err, wrong, asked)
	}
	_, err := model(t, p, b, ldfi.Options{}).WhatIf(t.Context(), result.Wanted{Fact: "log(c, _)", Require: []string{"melt a"}})
	require.ErrorContains(t, err, `there is no fault "melt"`)
}

// TestExhaustiveWhatIf compares the smallest fault set with the execution of every
// schedule: it is the first of all under which the fact holds, or does not.
func TestExhaustiveWhatIf(t *testing.T) {
	campaign.Run(t, 150, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(500)) > 0 {
			return "too many schedules", nil
		}
		return agreeOnFacts(ctx, c.Program, c.Bounds, newAssumptions(c), rand.New(rand.NewPCG(c.Seed, 7)), 3)
	})
}

// TestExhaustiveWhatIfOfProtocols does so for every protocol, within those of some
// smaller bounds that have few enough schedules.
func TestExhaustiveWhatIfOfProtocols(t *testing.T) {
	most, facts := int64(60), 1
	if long, _ := strconv.Atoi(flag.Lookup("long").Value.String()); long > 0 {
		most, facts = 2000, long
	}
	for _, c := range oracle.Quick(t) {
		for _, b := range smallBounds(c.Bounds, most) {
			b = b.Normal()
			outcome, err := agreeOnFacts(t.Context(), c.Program, b, &assumptions{bounds: b}, rand.New(rand.NewPCG(1, 7)), facts)
			require.NoError(t, err, "%s: %s", c.Name, b)
			t.Logf("%s: %s: %s", c.Name, b, outcome)
		}
	}
}

// agreeOnFacts asks for some facts of each relation. It returns how many of the questions
// had a set with faults.
func agreeOnFacts(ctx context.Context, p *dedalus.Program, b rounds.Bounds, a *assumptions, r *rand.Rand, facts int) (string, error) {
	m, err := ldfi.New(p, b, ldfi.Options{})
	if err != nil {
		return "", err
	}
	asked, needed := 0, 0
	for _, relation := range p.Relations() {
		if j := (&judge{program: p}); !j.defines(relation.Name) {
			continue // nothing gives it, or it is built in
		}
		all, executed := executions(ctx, p, b, relation.Name)
		for range facts {
			w := all.random(r, relation, b)
			w.Require, w.Forbid = a.require, a.forbid
			found, err := m.WhatIf(ctx, w)
			if outcome, err := sameError(executed, err); outcome != "" || err != nil {
				if err != nil {
					return "", fmt.Errorf("%+v: %w", w, err)
				}
				continue
			}
			if found.Limit != nil {
				return "stopped at a limit", nil
			}
			want := all.first(w, a.meet)
			if got := firstOf(found); got != want {
				return "", fmt.Errorf("%+v: the first set is %s; executed: %s", w, got, want)
			}
			if asked++; len(found.Sets) > 0 && found.Sets[0].Size > 0 {
				needed++
			}
		}
	}
	return fmt.Sprintf("with faults: %t", needed > 0), nil
}

// firstOf names the first set of an answer.
func firstOf(f *result.WhatIf) string {
	if len(f.Sets) == 0 {
		return string(f.Answer)
	}
	return fmt.Sprintf("%q", f.Sets[0].Schedule)
}

// everyExecution is what some relations have under every schedule, in the order in which sets
// are reported.
type everyExecution struct {
	b         rounds.Bounds
	schedules []rounds.Schedule
	facts     [][]recording.Fact
	seen      []recording.Fact // in some, in the order in which they were met
}

// executions executes every schedule. The error is that of the first that has one.
func executions(ctx context.Context, p *dedalus.Program, b rounds.Bounds, relations ...string) (*everyExecution, error) {
	all := &everyExecution{b: b, schedules: inOrder(b)}
	m, err := lockstep.Compile(p, b, lockstep.Options{Only: relations})
	if err != nil {
		return all, err
	}
	known := map[string]bool{}
	for _, s := range all.schedules {
		run, err := m.Run(ctx, s)
		if err != nil {
			return all, err
		}
		var facts []recording.Fact
		for _, relation := range relations {
			for round := 1; round <= b.EOT; round++ {
				for _, args := range run.Facts(relation, round) {
					f := recording.Fact{Relation: relation, Args: slices.Clone(args), Round: round}
					if facts = append(facts, f); !known[f.String()] {
						known[f.String()] = true
						all.seen = append(all.seen, f)
					}
				}
			}
		}
		all.facts = append(all.facts, facts)
	}
	return all, nil
}

// inOrder returns the schedules by the number of faults, by the faults, by the number of
// choices and by the choices, all as bounds number them.
func inOrder(b rounds.Bounds) []rounds.Schedule {
	u := schedules.New(b)
	type place struct {
		schedule        rounds.Schedule
		faults, choices []int
	}
	var all []place
	for s := range u.All() {
		p := place{schedule: s}
		for _, f := range s.Normal().Faults {
			unit, _ := u.Index(f)
			if f.Kind == rounds.Choose {
				p.choices = append(p.choices, unit)
			} else {
				p.faults = append(p.faults, unit)
			}
		}
		slices.Sort(p.faults)
		slices.Sort(p.choices)
		all = append(all, p)
	}
	slices.SortFunc(all, func(x, y place) int {
		return cmp.Or(len(x.faults)-len(y.faults), slices.Compare(x.faults, y.faults), len(x.choices)-len(y.choices), slices.Compare(x.choices, y.choices))
	})
	schedules := make([]rounds.Schedule, len(all))
	for i, p := range all {
		schedules[i] = p.schedule
	}
	return schedules
}

// random draws a question about a fact that some schedule gives, or about one that none
// does.
func (all *everyExecution) random(r *rand.Rand, relation dedalus.Relation, b rounds.Bounds) result.Wanted {
	f := recording.Fact{Relation: relation.Name, Args: make([]specs.Value, relation.Arity), Round: 1 + r.IntN(b.EOT)}
	if len(all.seen) > 0 && r.IntN(10) > 0 {
		f = all.seen[r.IntN(len(all.seen))]
	}
	text := f.Relation + "("
	for i, arg := range f.Args {
		if i > 0 {
			text += ", "
		}
		if r.IntN(5) == 0 {
			text += "_"
		} else {
			text += arg.String()
		}
	}
	text += ")"
	if r.IntN(3) > 0 {
		text += fmt.Sprintf("@%d", f.Round)
	}
	return result.Wanted{Fact: text, Absent: r.IntN(2) == 0}
}

// first names the first schedule that does what is asked for, of those that are looked at.
func (all *everyExecution) first(w result.Wanted, asked func(rounds.Schedule) bool) string {
	q, _ := dedalus.ParseQuery(w.Fact)
	meant := func(f recording.Fact) bool {
		for i, arg := range q.Args {
			if !arg.Wildcard && arg.Value != f.Args[i] {
				return false
			}
		}
		return q.Round == 0 || q.Round == f.Round
	}
	for i, s := range all.schedules {
		if asked(s) && slices.ContainsFunc(all.facts[i], meant) != w.Absent {
			return fmt.Sprintf("%q", s)
		}
	}
	return string(result.Impossible)
}
