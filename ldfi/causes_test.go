package ldfi_test

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// chain is replication along a chain. The client sends its write at most four times, until
// it has an answer; each process passes on what it gets, and the tail answers.
const chain = `
// ldfi: processes=client,head,middle,tail eot=11 eff=9 crashes=1
first("client", "head")@1;
next("head", "middle")@1;
next("middle", "tail")@1;
last("tail", "client")@1;
first(C, P)@next :- first(C, P);
next(P, Q)@next :- next(P, Q);
last(P, C)@next :- last(P, C);

wants("client", "w")@1;
asked(C, V) :- wants(C, V);
asked(C, V)@next :- asked(C, V);
write(C, V, 1) :- wants(C, V);
write(C, V, N + 1)@next :- write(C, V, N), notin done(C, V), N < 4;
request(P, V)@async :- write(C, V, _), first(C, P);

gets(P, V) :- request(P, V);
gets(P, V) :- update(P, V);
update(Q, V)@async :- gets(P, V), next(P, Q);
reply(C, V)@async :- gets(P, V), last(P, C);
done(C, V) :- reply(C, V);
done(C, V)@next :- done(C, V);

pre(C, V) :- asked(C, V);
post(C, V) :- done(C, V);
`

// grouped asks for all fault sets of a program in groups.
func grouped(t *testing.T, c oracle.Case, fold string, max int) *result.Answer {
	t.Helper()
	a, err := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: max, Bare: true, Fold: fold}).Hypotheses(t.Context(), nil, nil)
	require.NoError(t, err)
	require.Nil(t, a.Limit)
	return a
}

func groupTexts(a *result.Answer) (texts []string) {
	for _, g := range a.Groups {
		texts = append(texts, fmt.Sprintf("%d: %s", g.Sets, g.Text))
	}
	return texts
}

// However many fault sets there are, they have few causes: how far a write comes along a
// chain.
func TestCausesOfAChain(t *testing.T) {
	p, b := parse(t, chain)
	c := oracle.Case{Program: p, Bounds: b}
	require.Len(t, grouped(t, c, "symmetry", 1000).Groups, 175)
	a := grouped(t, c, "cause", 1000)
	require.True(t, a.Complete)
	require.Len(t, a.Counterexamples, 602)
	require.Equal(t, []string{
		"5: post is missing: request is lost (client>head)",
		"42: post is missing: update is lost (head>middle); in 36 of them before that also request (client>head)",
		"157: post is missing: update is lost (middle>tail); in 150 of them before that also request (client>head) or update (head>middle)",
		"398: post is missing: reply is lost (tail>client); in 390 of them before that also request (client>head), update (head>middle) or update (middle>tail)",
	}, groupTexts(a))
}

// Whoever leads in the replicated log and in whatever phase, there are two causes.
func TestCausesOfTheReplicatedLog(t *testing.T) {
	all := oracle.Protocols(t)
	log := slices.IndexFunc(all, func(c oracle.Case) bool { return strings.HasSuffix(c.Name, "replog/buggy.ded") })
	a := grouped(t, all[log], "cause", 1000)
	require.Len(t, a.Counterexamples, 222)
	require.Equal(t, []string{
		"36: violation holds: prepare is lost (some of 6 links) and propose is lost (some of 6 links)",
		"186: violation holds: prepare is lost (some of 6 links), ack is lost (some of 6 links) and propose is lost (some of 6 links)",
	}, groupTexts(a))
}

// All fault sets of a protocol in testdata have at most five causes; those of a published
// bug, which takes several kinds of faults, more.
func TestCausesAreFew(t *testing.T) {
	for _, c := range oracle.Quick(t) {
		few := 5
		if strings.HasPrefix(c.Name, published) {
			few = 50
		}
		a := grouped(t, c, "cause", 1000)
		require.LessOrEqual(t, len(a.Groups), few, "%s: %q", c.Name, groupTexts(a))
	}
}

// Rules of their own say what is broken.
func TestCausesTellOutcomesApart(t *testing.T) {
	p, b := parse(t, `
// ldfi: processes=a,b,c eot=4 eff=3 crashes=0
begin("a", "b", "x")@1;
begin("a", "c", "x")@1;
begin("a", "b", "y")@2;
told(Q, M)@async :- begin(P, Q, M);
told(Q, M)@next :- told(Q, M);
late("b")@4;
late("c")@4;
violation("no x", P) :- late(P), notin told(P, "x");
violation("no y", "b") :- late("b"), notin told("b", "y");
`)
	a := grouped(t, oracle.Case{Program: p, Bounds: b}, "cause", 10)
	require.Equal(t, []string{
		`2: violation("no x", _) holds: told is lost (a>b or a>c)`,
		`1: violation("no y", _) holds: told is lost (a>b)`,
	}, groupTexts(a))
}

// timelessCuts is what the cuts of a set say, without rounds and faults.
func timelessCuts(c result.Counterexample) (texts, relations []string, only bool) {
	only = true
	for _, cut := range c.Cuts {
		for _, m := range cut.Messages {
			link, _, _ := strings.Cut(m, "@")
			relation, _, _ := strings.Cut(m, " ")
			texts, relations = append(texts, fmt.Sprint(link, cut.Missing)), append(relations, relation)
		}
		for _, e := range cut.Effects {
			texts = append(texts, fmt.Sprint(e, cut.Missing))
		}
		only = only && !cut.Missing && len(cut.Effects) == 0
	}
	slices.Sort(texts)
	slices.Sort(relations)
	return slices.Compact(texts), slices.Compact(relations), only
}

// checkCauses tells what is wrong with groups by causes: they follow from the cuts alone,
// sets that let happen what must not lose messages of the same relations, and the text of
// a group names nothing that none of its sets loses.
func checkCauses(a *result.Answer) error {
	groups, relations := map[string]int{}, map[int]string{}
	lost := map[int]map[string]bool{}
	for _, c := range a.Counterexamples {
		texts, lose, only := timelessCuts(c)
		key := fmt.Sprint(c.Violations[0].Fact.Relation, c.Violations[0].Fact.Args, c.Violations[0].Missing, texts)
		if g, known := groups[key]; known && g != c.Group {
			return fmt.Errorf("%s is in group %d, and what is cut as it in %d", c.Schedule, c.Group, g)
		}
		groups[key] = c.Group
		if same := fmt.Sprint(lose); only {
			if first, known := relations[c.Group]; known && first != same {
				return fmt.Errorf("%s loses %s, and the first of its group %s", c.Schedule, same, first)
			}
			relations[c.Group] = same
		}
		if lost[c.Group] == nil {
			lost[c.Group] = map[string]bool{}
		}
		for _, relation := range lose {
			lost[c.Group][relation] = true
		}
	}
	for _, g := range a.Groups {
		for relation := range lost[g.Number] {
			if !strings.Contains(g.Text, relation) {
				return fmt.Errorf("%q does not name %s", g.Text, relation)
			}
		}
	}
	return nil
}

// sameCause tells what is wrong with a shorter list: its sets are in the groups that they
// have in a longer one.
func sameCause(short, long *result.Answer) error {
	for i, c := range short.Counterexamples {
		if l := long.Counterexamples[i]; l.Schedule.String() != c.Schedule.String() || l.Group != c.Group {
			return fmt.Errorf("%s is in group %d of few sets, and %s in %d of many", c.Schedule, c.Group, l.Schedule, l.Group)
		}
	}
	return nil
}

// Causes follow from what the faults of each set cut, and do not depend on the other sets
// or on how they were found.
func TestCauses(t *testing.T) {
	campaign.RunOn(t, generate.Symmetric, 150, causesOf(t))
	campaign.Run(t, 150, causesOf(t))
}

func causesOf(t *testing.T) oracle.Check {
	return func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(100_000)) > 0 {
			return "too many schedules", nil
		}
		ask := func(max, workers int) (*result.Answer, error) {
			o := ldfi.Options{Goals: c.Goals, Max: max, Workers: workers, Bare: true, Fold: "cause"}
			return model(t, c.Program, c.Bounds, o).Hypotheses(ctx, nil, nil)
		}
		long, err := ask(200, 1)
		if err != nil || long.Limit != nil {
			return "no answer", nil
		}
		if err := checkCauses(long); err != nil {
			return "", err
		}
		short, err := ask(3, 2)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("several groups: %t", len(long.Groups) > 1), sameCause(short, long)
	}
}
