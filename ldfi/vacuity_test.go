package ldfi_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// A register that a writes, and that b gets a copy of.
const register = `// ldfi: processes=a,b eot=4 eff=3 crashes=1
reg("a", 1)@1;
reg("b", V)@async :- reg("a", V);
reg(P, V)@next :- reg(P, V);
names("a", "b")@1; names("a", "k")@1;
names(P, Q)@next :- names(P, Q);
`

// A promise that no fault can break, because of one rule, says nothing.
func TestPostThatFollowsFromPre(t *testing.T) {
	const follows = "post follows from pre by one rule, %s, so no fault can break the promise"
	for _, c := range []struct{ text, by string }{
		{`pre(P, V) :- reg(P, V); post(P, V) :- pre(P, V);`, "post(P, V) :- pre(P, V); (test.ded:7:25)"},
		{`pre(P, V) :- reg(P, V), V > 0; post(Q, W) :- reg(Q, W);`, "post(Q, W) :- reg(Q, W); (test.ded:7:32)"},
		{`pre(P, V) :- reg(P, V), V > 0, notin crash(P, P, _); post(P, V) :- reg(P, V), notin crash(P, P, 2), V > 0;`,
			"post(P, V) :- reg(P, V), notin crash(P, P, 2), V > 0; (test.ded:7:54)"},
		{`pre(P, V) :- reg(P, V); pre(P, V)@next :- pre(P, V); post(P, V) :- pre(P, V);`, "post(P, V) :- pre(P, V); (test.ded:7:54)"},
		{`pre(P, V) :- post(P, V), reg(P, V); post(P, V) :- reg(P, V);`, "pre(P, V) :- post(P, V), reg(P, V); (test.ded:7:1)"},
		{`pre("a", 1)@4; post(P, V) :- pre(P, V);`, "post(P, V) :- pre(P, V); (test.ded:7:16)"},
		{`pre(P, count<V>) :- reg(P, V); post(P, N) :- pre(P, N);`, "post(P, N) :- pre(P, N); (test.ded:7:32)"},
		// What a is asked for is not what b has.
		{`pre(P, V) :- reg("a", V), names("a", P), P == "b"; post(P, V) :- reg(P, V);`, ""},
		// The rule for post does not fire at k, which is no process.
		{`pre(P, V) :- names(Q, P), reg(Q, V); post(P, V) :- pre(P, V);`, ""},
		{`pre(P, V) :- names(Q, P), reg(Q, V); post(P, V) :- names(Q, P), pre(P, V);`, "post(P, V) :- names(Q, P), pre(P, V); (test.ded:7:38)"},
		// A comparison, a negation, a round or a rule for pre that it does not cover.
		{`pre(P, V) :- reg(P, V); post(P, V) :- reg(P, V), V < 1;`, ""},
		{`pre(P, V) :- reg(P, V), notin crash(P, P, 2); post(P, V) :- reg(P, V), notin crash(P, P, _);`, ""},
		{`pre(P, V) :- reg(P, V)@2; post(P, V) :- reg(P, V)@1;`, ""},
		{`pre(P, V) :- reg(P, V); pre(P, 2) :- names(P, "b"); post(P, V) :- reg(P, V);`, ""},
		// What was seen before is asked for for ever.
		{`pre(P, V) :- reg(P, V), names(P, "b"); pre(P, V)@next :- pre(P, V); post(P, V) :- reg(P, V), names(P, "b");`, ""},
	} {
		p, b := parse(t, register+c.text)
		a, err := model(t, p, b, ldfi.Options{}).Check(t.Context())
		require.NoError(t, err)
		if c.by == "" {
			require.NotContains(t, a.Vacuity, "follows", c.text)
			continue
		}
		require.Equal(t, result.Holds, a.Verdict, c.text)
		require.Equal(t, fmt.Sprintf(follows, c.by), a.Vacuity)
	}
}

// Where post is said to follow from pre, no schedule breaks the promise: of random
// programs, whose rules for post are those for pre with something changed.
func TestWhatFollowsIsNeverBroken(t *testing.T) {
	followed := 0
	for seed := range uint64(campaign.Programs(250)) {
		r := rand.New(rand.NewPCG(seed, 7))
		p, b, ok := weakened(r, generate.Random(seed).Program)
		if !ok {
			continue
		}
		m, err := ldfi.New(p, b, ldfi.Options{})
		require.NoError(t, err)
		a, err := m.Check(t.Context())
		if err != nil || !strings.Contains(a.Vacuity, "follows from pre") {
			continue
		}
		all, err := enumerate(t.Context(), p, b.Normal(), "every", func(rounds.Schedule) bool { return true })
		if errors.Is(err, errTooMany) {
			continue
		}
		require.NoError(t, err)
		require.Empty(t, all.minimal, p.String())
		followed++
	}
	require.Greater(t, followed, 5)
}

// weakened replaces the rules for post in a program by those for pre, with parts left out,
// in another order, or with other terms.
func weakened(r *rand.Rand, p *dedalus.Program) (*dedalus.Program, rounds.Bounds, bool) {
	var text []string
	var before []*syntax.Rule
	for _, s := range p.Settings {
		if s.Key != "goals" {
			text = append(text, "// ldfi: "+s.Key+"="+s.Value)
		}
	}
	for _, f := range p.Facts {
		text = append(text, f.String())
	}
	for _, c := range p.Choices {
		text = append(text, c.String())
	}
	for _, rule := range p.Rules {
		switch rule.Head.Relation {
		case "violation", "post":
			continue
		case "pre":
			before = append(before, rule)
		}
		text = append(text, rule.String())
	}
	for _, rule := range before {
		changed := *rule
		changed.Head.Relation, changed.Body = "post", nil
		for _, t := range rule.Body {
			switch r.IntN(6) {
			case 0:
				continue
			case 1:
				t = syntax.Term{Atom: &rule.Head}
			}
			changed.Body = append(changed.Body, t)
		}
		if r.IntN(3) == 0 {
			r.Shuffle(len(changed.Body), func(i, j int) { changed.Body[i], changed.Body[j] = changed.Body[j], changed.Body[i] })
		}
		if len(changed.Body) == 0 {
			changed.Body = []syntax.Term{{Atom: &rule.Head}}
		}
		text = append(text, changed.String())
	}
	weak, err := dedalus.ParseText("weak.ded", strings.Join(text, "\n"))
	if err != nil || len(before) == 0 {
		return nil, rounds.Bounds{}, false
	}
	b, _, err := rounds.BoundsOf(weak, nil)
	return weak, b, err == nil
}
