package rules

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/mangle/ast"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

var (
	long = flag.Int("long", 40, "how many random sets of rules to try")
	seed = flag.Uint64("seed", 1, "the first seed of them")
)

// TestRandomRulesMeanTheSameEverywhere evaluates random rules over random
// executions as a Dedalus program, with Mangle, and naively.
func TestRandomRulesMeanTheSameEverywhere(t *testing.T) {
	agreed := 0
	for i := range uint64(*long) {
		rng := rand.New(rand.NewPCG(*seed+i, 7))
		e, text := randomExecution(rng), randomRules(rng)
		r, err := parseRules("rules", text)
		if err != nil {
			continue // recursion through negation
		}
		fast, err := datalog.Query(t.Context(), table(t, e), text)
		require.NoError(t, err, text)
		_, err = r.program()
		require.NoError(t, err, text)
		require.Equal(t, show(byMangle(t, e, text)), show(fast), "seed %d by Mangle:\n%s", *seed+i, text)
		require.Equal(t, naively(t, r, e), show(fast), "seed %d naively:\n%s", *seed+i, text)
		agreed++
	}
	require.Greater(t, agreed, *long/3)
}

// randomExecution returns a few facts of p and q, of two columns and a round.
func randomExecution(rng *rand.Rand) *recording.Execution {
	e := &recording.Execution{System: "random", Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 4}}
	for range rng.IntN(9) {
		e.Facts = append(e.Facts, recording.Fact{
			Relation: []string{"p", "q"}[rng.IntN(2)],
			Args:     []specs.Value{specs.String(e.Bounds.Processes[rng.IntN(3)]), specs.Int(int64(rng.IntN(4)))},
			Round:    1 + rng.IntN(4),
		})
	}
	e.Sort()
	return e
}

// randomRules returns rules for r/2, s/2 and t/2 over those and each other. Their
// first columns are processes and their second ones numbers.
func randomRules(rng *rand.Rand) string {
	var b strings.Builder
	for _, head := range []string{"r", "s", "t"} {
		for range 1 + rng.IntN(2) {
			randomRule(&b, rng, head)
		}
	}
	return b.String()
}

func randomRule(b *strings.Builder, rng *rand.Rand, head string) {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	fold := rng.IntN(4) == 0
	body := []string{}
	atom := func(relation, first, second string) string {
		if relation == "p" || relation == "q" {
			round := pick("_", "R", "R", "2")
			if fold && round == "_" {
				round = "1"
			}
			return fmt.Sprintf("%s(%s, %s, %s)", relation, first, second, round)
		}
		return fmt.Sprintf("%s(%s, %s)", relation, first, second)
	}
	base := pick("p", "q")
	if fold {
		fmt.Fprintf(b, "%s(X, N) :- %s(X, Y, %s) |> do fn:group_by(X), let N = %s.\n", head, base, pick("1", "2"),
			pick("fn:count()", "fn:sum(Y)", "fn:max(Y)", "fn:min(Y)"))
		return
	}
	body = append(body, fmt.Sprintf("%s(X, Y, R)", base))
	for range rng.IntN(3) {
		body = append(body, atom(pick("p", "q", "r", "s", "t"), pick("X", "Z", "\"a\""), pick("Y", "W", "1")))
	}
	text := strings.Join(body, ", ")
	first, second := "X", "Y"
	if strings.Contains(text, "Z") {
		first = pick("X", "Z")
	}
	if strings.Contains(text, "W") {
		second = pick("Y", "W")
		if rng.IntN(2) == 0 {
			body = append(body, pick("Y < W", "Y != W", "Y <= W", "W = fn:plus(Y, 1)"))
		}
	}
	if rng.IntN(3) == 0 {
		body = append(body, "!"+atom(pick("p", "q", "r", "s", "t"), pick("X", "_"), pick("Y", "_")))
	}
	if rng.IntN(4) == 0 {
		body = append(body, "V = fn:minus(3, Y)", "V >= 0")
		second = "V"
	}
	rng.Shuffle(len(body), func(i, j int) { body[i], body[j] = body[j], body[i] })
	fmt.Fprintf(b, "%s(%s, %s) :- %s.\n", head, first, second, strings.Join(body, ", "))
}

// naively evaluates rules relation by relation, by trying all values for all
// variables.
func naively(t *testing.T, r *rules, e *recording.Execution) string {
	t.Helper()
	facts := map[string]bool{}
	for _, f := range table(t, e) {
		facts[recording.Display(f, nil)] = true
	}
	n := &naive{facts: facts}
	for _, relations := range levels(r) {
		for {
			before := len(facts)
			for _, c := range r.clauses {
				if slices.Contains(relations, c.Head.Predicate.Symbol) {
					n.clause(c)
				}
			}
			if len(facts) == before {
				break
			}
		}
	}
	var found []recording.Fact
	for relation := range r.defined {
		for text := range facts {
			if strings.HasPrefix(text, relation+"(") {
				q, err := dedalus.ParseQuery(text)
				require.NoError(t, err)
				f := recording.Fact{Relation: relation}
				for _, a := range q.Args {
					f.Args = append(f.Args, a.Value)
				}
				found = append(found, f)
			}
		}
	}
	x := &recording.Execution{Facts: found}
	x.Sort()
	return show(x.Facts)
}

// levels returns the derived relations so that each comes after, or with, all
// that it depends on.
func levels(r *rules) [][]string {
	below := dependencies(r)
	var all []string
	for relation := range r.defined {
		all = append(all, relation)
	}
	slices.Sort(all)
	done := map[string]bool{}
	var out [][]string
	for len(done) < len(all) {
		for _, relation := range all {
			if done[relation] {
				continue
			}
			var with []string
			ready := true
			for _, other := range all {
				switch {
				case other == relation || below[relation][other] && below[other][relation]:
					with = append(with, other)
				case below[relation][other] && !done[other]:
					ready = false
				}
			}
			if ready {
				out = append(out, with)
				for _, other := range with {
					done[other] = true
				}
			}
		}
	}
	return out
}

// dependencies returns all that each relation depends on.
func dependencies(r *rules) map[string]map[string]bool {
	direct := map[string][]string{}
	for _, c := range r.clauses {
		head := c.Head.Predicate.Symbol
		for _, premise := range c.Premises {
			switch p := premise.(type) {
			case ast.NegAtom:
				direct[head] = append(direct[head], p.Atom.Predicate.Symbol)
			case ast.Atom:
				direct[head] = append(direct[head], p.Predicate.Symbol)
			}
		}
	}
	below := map[string]map[string]bool{}
	for relation := range direct {
		seen := map[string]bool{}
		for todo := direct[relation]; len(todo) > 0; todo = todo[1:] {
			if !seen[todo[0]] {
				seen[todo[0]] = true
				todo = append(todo, direct[todo[0]]...)
			}
		}
		below[relation] = seen
	}
	return below
}
