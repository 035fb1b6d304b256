package advise_test

import (
	"context"
	"flag"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/advise"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

var long = flag.Int("long", 0, "1: look at all protocols, and execute more schedules")

// quick are the protocols that a default run looks at; -long 1 looks at all.
var quick = []string{
	"delivery/simple.ded", "delivery/retry.ded", "delivery/classic.ded", "election/bully_min.ded", "restart/2pc_forgets.ded",
	"elastic/v2-single.ded", "network/register.ded", "replication/kafka_isr.ded", "paxos/synod_nocheck.ded", "traps/good.ded",
	"partitions/half.ded", "partitions/heartbeats.ded", "traps/negation.ded", "commit/2pc.ded", "replog/buggy.ded",
}

// opened are the protocols that break their promise, each with a smallest counterexample
// and, by its name, what is suggested: all tests look at these, and change none.
var opened struct {
	cases           []oracle.Case
	counterexamples []*result.Counterexample
	suggested       map[string]*result.Repairs
}

// broken returns the protocols that break their promise, each with a smallest
// counterexample.
func broken(t *testing.T) (all []oracle.Case, found []*result.Counterexample) {
	t.Helper()
	if opened.cases != nil {
		return opened.cases, opened.counterexamples
	}
	for _, c := range oracle.Protocols(t) {
		if *long == 0 && !slices.Contains(quick, c.Name) {
			continue
		}
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals})
		require.NoError(t, err)
		a, err := m.Check(t.Context())
		require.NoError(t, err)
		if a.Verdict == result.Violated {
			all, found = append(all, c), append(found, a.First())
		}
	}
	require.GreaterOrEqual(t, len(all), len(quick))
	opened.cases, opened.counterexamples, opened.suggested = all, found, map[string]*result.Repairs{}
	return all, found
}

// suggest returns what is suggested for a protocol of broken. It is asked once.
func suggest(t *testing.T, c oracle.Case, broken *result.Counterexample) *result.Repairs {
	t.Helper()
	if found, asked := opened.suggested[c.Name]; asked {
		return found
	}
	found, err := advise.Suggest(t.Context(), c.Program, c.Bounds, ldfi.Options{Goals: c.Goals}, broken)
	require.NoError(t, err, c.Name)
	opened.suggested[c.Name] = found
	return found
}

// certified are the protocols of which some suggestion mends everything; of the others in
// quick there is none.
var certified = []string{"delivery/simple.ded", "delivery/retry.ded", "delivery/classic.ded", "election/bully_min.ded", "restart/2pc_forgets.ded", "elastic/v2-single.ded", "traps/good.ded",
	"partitions/half.ded", "replication/kafka_isr.ded"}

// TestSuggestions checks what each suggestion says by what a reader would do: the rules
// go into a file beside the program, and that is decided. Where there are few schedules
// all of them are executed as well.
func TestSuggestions(t *testing.T) {
	all, counterexamples := broken(t)
	for i, c := range all {
		found := suggest(t, c, counterexamples[i])
		holds := slices.ContainsFunc(found.Suggestions, func(s result.Repair) bool { return s.Verdict == result.Holds })
		if slices.Contains(quick, c.Name) {
			require.Equal(t, slices.Contains(certified, c.Name), holds, c.Name)
		}
		require.Equal(t, !holds, found.Note != "", c.Name)
		require.Zero(t, found.Undecided, c.Name)
		for _, s := range found.Suggestions {
			p, b := repaired(t, c, s)
			again(t, c, p, b, s, counterexamples[i].Size)
			stillAsked(t, c, p)
		}
		t.Logf("%s: suggested %d of %d; %s", c.Name, len(found.Suggestions), found.Tried, found.Note)
	}
}

// repaired reads a program again with a suggestion.
func repaired(t *testing.T, c oracle.Case, s result.Repair) (*dedalus.Program, rounds.Bounds) {
	t.Helper()
	added := filepath.Join(t.TempDir(), "added.ded")
	require.NoError(t, os.WriteFile(added, []byte(strings.Join(s.Rules, "\n")+"\n"), 0o600))
	original := filepath.Join("..", "..", "testdata", "protocols", c.Name)
	if len(s.Instead) > 0 {
		original = filepath.Join(t.TempDir(), "without.ded")
		text := c.Program.String()
		for _, old := range s.Instead {
			require.Contains(t, text, old.Rule+"\n")
			text = strings.Replace(text, old.Rule+"\n", "", 1)
		}
		require.NoError(t, os.WriteFile(original, []byte(text), 0o600))
	}
	p, err := dedalus.Parse(original, added)
	require.NoError(t, err, s.Text)
	overrides := map[string]string{}
	if len(s.Durable) > 0 {
		overrides["durable"] = strings.Join(s.Durable, ",")
	}
	b, _, err := rounds.BoundsOf(p, overrides)
	require.NoError(t, err)
	return p, b
}

// again decides a repaired program anew.
func again(t *testing.T, c oracle.Case, p *dedalus.Program, b rounds.Bounds, s result.Repair, before int) {
	t.Helper()
	m, err := ldfi.New(p, b, ldfi.Options{Goals: c.Goals})
	require.NoError(t, err)
	a, err := m.Check(t.Context())
	require.NoError(t, err)
	require.Empty(t, a.Vacuity)
	require.Nil(t, a.Limit)
	require.Equal(t, s.Verdict, a.Verdict, "%s: %s", c.Name, s.Text)
	if s.Verdict == result.Violated {
		require.Equal(t, s.Size, a.First().Size)
		require.Greater(t, s.Size, before)
		require.Equal(t, s.Schedule.String(), a.First().Schedule.String())
	}
	most := int64(2_000)
	if *long > 0 {
		most = 100_000
	}
	if schedules.Count(b).Cmp(big.NewInt(most)) <= 0 {
		require.Equal(t, s.Size, fewest(t, c, p, b), "%s: %s", c.Name, s.Text)
	}
}

// fewest executes every schedule, and returns how many faults the smallest has that
// breaks the promise; 0 if none does.
func fewest(t *testing.T, c oracle.Case, p *dedalus.Program, b rounds.Bounds) (size int) {
	t.Helper()
	m, err := lockstep.Compile(p, b, lockstep.Options{Only: []string{"pre", "post", "good", "violation"}})
	require.NoError(t, err)
	run, err := m.Run(t.Context(), rounds.Schedule{})
	require.NoError(t, err)
	good := run.Facts("good", b.EOT)
	for s := range schedules.New(b).All() {
		if size > 0 && s.Size() >= size {
			continue
		}
		run, err := m.Run(t.Context(), s)
		require.NoError(t, err)
		wrong := false
		for _, args := range run.Facts("pre", b.EOT) {
			wrong = wrong || !run.Has("post", args, b.EOT)
		}
		for _, args := range good {
			wrong = wrong || !run.Has("good", args, b.EOT)
		}
		for round := 1; round <= b.EOT; round++ {
			wrong = wrong || len(run.Facts("violation", round)) > 0
		}
		if wrong {
			require.Positive(t, s.Size())
			size = s.Size()
		}
	}
	return size
}

// stillAsked checks that the promise asks without faults for as much as it did.
func stillAsked(t *testing.T, c oracle.Case, p *dedalus.Program) {
	t.Helper()
	asked := func(p *dedalus.Program) (tuples []string) {
		m, err := lockstep.Compile(p, c.Bounds, lockstep.Options{})
		require.NoError(t, err)
		run, err := m.Run(t.Context(), rounds.Schedule{})
		require.NoError(t, err)
		for _, relation := range []string{"pre", "post", "good"} {
			for _, args := range run.Facts(relation, c.Bounds.EOT) {
				text := relation
				for _, v := range args {
					text += " " + v.String()
				}
				tuples = append(tuples, text)
			}
		}
		return tuples
	}
	require.Equal(t, asked(c.Program), asked(p), c.Name)
}

// Where what must not be is there, the rules are named that derive it, those of the
// protocol first.
func TestWhatMustNotBeIsNamed(t *testing.T) {
	all, counterexamples := broken(t)
	for i, c := range all {
		if c.Name != "paxos/synod_nocheck.ded" {
			continue
		}
		found := suggest(t, c, counterexamples[i])
		require.Positive(t, found.Tried)
		require.Empty(t, found.Suggestions)
		require.Equal(t, "none of the 13 changes that were tried helps: the promise is broken by a fact that holds, not by one that is missing", found.Note)
		require.Equal(t, `asked("x", 1)@4`, found.Present[0].Fact.String())
		require.Equal(t, "synod_nocheck.ded", filepath.Base(found.Present[0].File))
		require.Equal(t, 23, found.Present[0].Line)
		require.Equal(t, "violation", found.Present[len(found.Present)-1].Fact.Relation)
		return
	}
	t.Fatal("paxos is missing")
}

// Where nothing helps it is said what stands in the way, and without which faults the
// promise holds: that is decided again, from files.
func TestDeadEnds(t *testing.T) {
	all, counterexamples := broken(t)
	settings := map[string]func(*rounds.Bounds){
		"crashes": func(b *rounds.Bounds) { b.Crashes, b.Restarts = 0, 0 }, "omissions": func(b *rounds.Bounds) { b.Omissions, b.Implied = 0, false },
		"partitions": func(b *rounds.Bounds) { b.Partitions = 0 }, "cuts": func(b *rounds.Bounds) { b.Cuts = 0 }, "isolations": func(b *rounds.Bounds) { b.Isolations = 0 }, "restarts": func(b *rounds.Bounds) { b.Restarts = 0 },
	}
	said := map[string][]string{}
	for i, c := range all {
		found := suggest(t, c, counterexamples[i])
		if len(found.Suggestions) > 0 {
			require.Empty(t, found.Fewer)
			require.Nil(t, found.Resists)
			continue
		}
		if c.Name == "commit/2pc.ded" {
			require.Equal(t, "crash tm@1", found.Resists.Schedule.String())
			require.Equal(t, 22, found.Resists.Breaks)
		}
		for _, f := range found.Fewer {
			p, b := c.Program, c.Bounds
			if f.Repair != nil {
				require.Equal(t, result.Holds, f.Repair.Verdict)
				p, b = repaired(t, c, *f.Repair)
				stillAsked(t, c, p)
			}
			settings[f.Kind](&b)
			m, err := ldfi.New(p, b, ldfi.Options{Goals: c.Goals})
			require.NoError(t, err)
			a, err := m.Check(t.Context())
			require.NoError(t, err)
			require.Equal(t, result.Holds, a.Verdict, "%s without %s", c.Name, f.Kind)
			require.Empty(t, a.Vacuity)
			said[c.Name] = append(said[c.Name], f.Kind)
		}
	}
	require.Equal(t, []string{"crashes"}, said["commit/2pc.ded"])
}

// What a rule gives that is left out still comes about otherwise, and so does something by
// a stricter rule: some schedule does it. What is said to be gone is gone.
func TestLessIsNotNothing(t *testing.T) {
	all, counterexamples := broken(t)
	kinds := map[string]int{}
	for i, c := range all {
		for _, s := range suggest(t, c, counterexamples[i]).Suggestions {
			if len(s.Gone) == 0 {
				continue
			}
			require.True(t, slices.ContainsFunc(s.Kinds, func(kind string) bool {
				return kind == "threshold" || kind == "constant" || kind == "without"
			}), "%s: %s", c.Name, s.Text)
			kinds[s.Kinds[0]]++
			p, b := repaired(t, c, s)
			before, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
			require.NoError(t, err)
			bad, err := before.Run(t.Context(), counterexamples[i].Schedule)
			require.NoError(t, err)
			m, err := lockstep.Compile(p, b, lockstep.Options{})
			require.NoError(t, err)
			run, err := m.Run(t.Context(), counterexamples[i].Schedule)
			require.NoError(t, err)
			for _, f := range s.Gone {
				require.True(t, bad.Has(f.Relation, f.Args, f.Round), f)
				for round := 1; round <= b.EOT; round++ {
					require.False(t, run.Has(f.Relation, f.Args, round), f)
				}
			}
			require.True(t, comesAbout(t, p, b, s.Gone[0].Relation), "%s: %s", c.Name, s.Text)
		}
	}
	if *long == 0 {
		require.Equal(t, map[string]int{"threshold": 1, "without": 1}, kinds)
	}
}

// comesAbout tells whether some schedule brings a fact of a relation.
func comesAbout(t *testing.T, p *dedalus.Program, b rounds.Bounds, relation string) bool {
	t.Helper()
	m, err := lockstep.Compile(p, b, lockstep.Options{Only: []string{relation}})
	require.NoError(t, err)
	for s := range schedules.New(b).All() {
		run, err := m.Run(t.Context(), s)
		require.NoError(t, err)
		for round := 1; round <= b.EOT; round++ {
			if len(run.Facts(relation, round)) > 0 {
				return true
			}
		}
	}
	return false
}

// A rule without which the promise holds is not left out if what it gives never comes about
// then: nobody takes over any more, or nothing is asked for.
func TestRulesAreNotLeftOutInVain(t *testing.T) {
	asksNobody := `
// ldfi: processes=a,b eot=4 eff=3
node("a")@1;
node("b")@1;
sends("a")@1;
heard(Q)@async :- sends(P), node(Q)@1;
heard(P)@next :- heard(P);
late("a")@4;
late(P)@next :- node(P)@1, node(P), notin heard(P);
node(P)@next :- node(P);
pre(P) :- late(P), node(P)@1;
post(P) :- heard(P);
`
	for _, c := range []struct{ text, rule string }{
		{asksNobody, `late(P)@next :- node(P)@1, node(P), notin heard(P);`},
		{read(t, "traps/negation.ded"), `holds(P) :- waits(P), notin heartbeat(P, _);`},
	} {
		require.Contains(t, c.text, c.rule)
		decide := func(text string) (*dedalus.Program, rounds.Bounds, *result.Answer) {
			p, err := dedalus.ParseText("test.ded", text)
			require.NoError(t, err)
			b, _, err := rounds.BoundsOf(p, nil)
			require.NoError(t, err)
			m, err := ldfi.New(p, b, ldfi.Options{})
			require.NoError(t, err)
			a, err := m.Check(t.Context())
			require.NoError(t, err)
			return p, b, a
		}
		_, _, without := decide(strings.Replace(c.text, c.rule, "", 1))
		require.Equal(t, result.Holds, without.Verdict)
		require.Empty(t, without.Vacuity)
		p, b, a := decide(c.text)
		require.Equal(t, result.Violated, a.Verdict)
		found, err := advise.Suggest(t.Context(), p, b, ldfi.Options{}, a.First())
		require.NoError(t, err)
		for _, s := range found.Suggestions {
			require.NotContains(t, s.Kinds, "without", s.Instead)
		}
	}
}

func read(t *testing.T, protocol string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "protocols", protocol))
	require.NoError(t, err)
	return string(text)
}

// A promise that asks for nothing any more is no repair: what would keep everybody from
// asking, or hide that somebody has fallen silent, is not suggested.
func TestPromisesAreNotKeptInVain(t *testing.T) {
	all, counterexamples := broken(t)
	for i, c := range all {
		for _, s := range suggest(t, c, counterexamples[i]).Suggestions {
			require.NotContains(t, s.Rules, "heartbeat(Z, R)@next :- heartbeat(Z, R);")
			require.NotContains(t, s.Rules, "store(Q, V)@async :- store(R, V);")
		}
	}
}

// The end of the time leaves what is known by then.
func TestStopped(t *testing.T) {
	all, counterexamples := broken(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	retry := slices.IndexFunc(all, func(c oracle.Case) bool { return c.Name == "delivery/retry.ded" })
	found, err := advise.Suggest(ctx, all[retry].Program, all[retry].Bounds, ldfi.Options{Goals: all[retry].Goals}, counterexamples[retry])
	require.NoError(t, err)
	require.Contains(t, found.Note, "stopped before everything was tried")
}

// What is broken without faults has no good outcome.
func TestBrokenWithoutFaults(t *testing.T) {
	p, err := dedalus.ParseText("test.ded", `
// ldfi: processes=a,b eot=2 eff=2
node("a")@1;
pre(P) :- node(P)@1;
post(P) :- node(P)@3;
`)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	found, err := advise.Suggest(t.Context(), p, b, ldfi.Options{}, &result.Counterexample{})
	require.NoError(t, err)
	require.Contains(t, found.Note, "broken without faults")
}
