package ldfi_test

import (
	"cmp"
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
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// namesOf reads what a set is renamed to: c for b.
func namesOf(renamed string) map[string]string {
	names := map[string]string{}
	for part := range strings.SplitSeq(renamed, ", ") {
		if is, was, ok := strings.Cut(part, " for "); ok {
			names[was] = is
		}
	}
	return names
}

// withNames renames the faults of a schedule, and leaves their rounds out.
func withNames(s rounds.Schedule, names map[string]string) (texts []string) {
	rename := func(name string) string { return cmp.Or(names[name], name) }
	for _, f := range s.Faults {
		var sides []string
		for side := range strings.SplitSeq(f.Detail, "|") {
			all := strings.Split(side, ",")
			for i, name := range all {
				all[i] = rename(name)
			}
			slices.Sort(all)
			sides = append(sides, strings.Join(all, ","))
		}
		if f.Kind != rounds.Choose {
			texts = append(texts, fmt.Sprint(f.Kind, rename(f.Process), rename(f.To), sides))
		}
	}
	slices.Sort(texts)
	return texts
}

// checkGroups tells what is wrong with the groups of an answer: each set is in one, and is
// the first of it under the names, and in the rounds, that it says.
func checkGroups(a *result.Answer, fold string) error {
	sets, rounds := map[int]int{}, map[string]bool{}
	for i, c := range a.Counterexamples {
		if c.Group < 1 || c.Group > len(a.Groups) {
			return fmt.Errorf("%s is in group %d of %d", c.Schedule, c.Group, len(a.Groups))
		}
		g := a.Groups[c.Group-1]
		first := a.Counterexamples[g.First-1]
		switch sets[c.Group]++; {
		case sets[c.Group] == 1 && g.First != i+1 || g.Number != c.Group:
			return fmt.Errorf("%s is in %v", c.Schedule, g)
		case c.Renamed != "" && (fold == "rounds" || !slices.Contains(g.Same, c.Renamed)):
			return fmt.Errorf("%s is renamed, %s, in %v", c.Schedule, c.Renamed, g)
		}
		mapped := slices.Equal(withNames(first.Schedule, namesOf(c.Renamed)), withNames(c.Schedule, nil))
		if fold != "cause" && !mapped {
			return fmt.Errorf("%s, with %s, is not %s", first.Schedule, c.Renamed, c.Schedule)
		}
		key := strings.Join(withNames(c.Schedule, nil), ";")
		if fold == "rounds" && rounds[key] && sets[c.Group] == 1 {
			return fmt.Errorf("%s is in a group of its own", c.Schedule)
		}
		rounds[key] = true
		if broken := c.Violations[0]; broken.Fact.Relation != first.Violations[0].Fact.Relation && fold == "cause" {
			return fmt.Errorf("%s breaks %s, and %s %s", first.Schedule, first.Violations[0].Fact.Relation, c.Schedule, broken.Fact.Relation)
		}
	}
	for _, g := range a.Groups {
		if g.Text == "" || sets[g.Number] != g.Sets {
			return fmt.Errorf("%v has %d sets", g, sets[g.Number])
		}
	}
	return nil
}

// renamedSets tells what is wrong with the names under which sets are said to be the same:
// the first set of a group, its rounds unchanged, breaks the promise with these names too.
func renamedSets(a *result.Answer) (int, error) {
	all, renamed := map[string]bool{}, 0
	for _, c := range a.Counterexamples {
		all[timed(c.Schedule, nil)] = true
	}
	for _, g := range a.Groups {
		for _, names := range g.Same {
			image := timed(a.Counterexamples[g.First-1].Schedule, namesOf(names))
			if renamed++; !all[image] {
				return renamed, fmt.Errorf("%s, with %s, does not break the promise", a.Counterexamples[g.First-1].Schedule, names)
			}
		}
	}
	return renamed, nil
}

// timed is a schedule with other names.
func timed(s rounds.Schedule, names map[string]string) string {
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind == rounds.Choose })
	for i, f := range s.Faults {
		s.Faults[i].Process, s.Faults[i].To = cmp.Or(names[f.Process], f.Process), cmp.Or(names[f.To], f.To)
	}
	return s.Normal().String()
}

// partitions tells whether some fault is one, which timed does not rename.
func partitions(a *result.Answer) bool {
	return slices.ContainsFunc(a.Counterexamples, func(c result.Counterexample) bool {
		return slices.ContainsFunc(c.Schedule.Faults, func(f rounds.Fault) bool { return f.Kind == rounds.Partition })
	})
}

// checkFolds asks for all groups of a program. It returns how many times a set is said to
// be the same under other names.
func checkFolds(ctx context.Context, t testing.TB, c oracle.Case, max int) (renamed int, err error) {
	for _, fold := range ldfi.Folds() {
		a, err := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: max, Bare: true, Fold: fold}).Hypotheses(ctx, nil, nil)
		if err != nil || a.Limit != nil {
			return 0, nil
		}
		if err := checkGroups(a, fold); err != nil {
			return 0, fmt.Errorf("by %s: %w", fold, err)
		}
		if fold != "symmetry" || !a.Complete || partitions(a) {
			continue
		}
		if renamed, err = renamedSets(a); err != nil {
			return 0, err
		}
	}
	return renamed, nil
}

// Groups are what they say they are, for random programs that are symmetric, or almost.
func TestGroups(t *testing.T) {
	campaign.RunOn(t, generate.Symmetric, 150, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(100_000)) > 0 {
			return "too many schedules", nil
		}
		renamed, err := checkFolds(ctx, t, c, 200)
		return fmt.Sprintf("with renamed sets: %t", renamed > 0), err
	})
}

func TestGroupsOfProtocols(t *testing.T) {
	renamed := 0
	for _, c := range oracle.Quick(t) {
		n, err := checkFolds(t.Context(), t, c, 60)
		require.NoError(t, err, c.Name)
		renamed += n
	}
	require.Greater(t, renamed, 5)
}
