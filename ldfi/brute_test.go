package ldfi_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// brute is the answer that comes from executing every schedule.
type brute struct {
	sets      []rounds.Schedule // as minimal, by which they are named
	minimal   []string          // the schedules that break the promise without a part that does, by size and text
	smallest  int               // the size of the first; -1 if none breaks it
	schedules int
	broken    map[string]bool // every schedule that breaks the promise, whether it was asked for or not
}

// mostSchedules is how many schedules are executed.
const mostSchedules = 100_000

// enumerate executes every schedule within the bounds, and looks at those that
// it is asked to. The error is that of the first schedule that has one.
func enumerate(ctx context.Context, p *dedalus.Program, b rounds.Bounds, goals string, asked func(rounds.Schedule) bool) (brute, error) {
	if schedules.Count(b).Cmp(big.NewInt(mostSchedules)) > 0 {
		return brute{}, errTooMany
	}
	m, err := lockstep.Compile(p, b, lockstep.Options{Only: []string{"pre", "post", "good", "violation"}})
	if err != nil {
		return brute{}, err
	}
	j := judge{program: p, eot: b.EOT, goals: goals}
	u := schedules.New(b)
	all := brute{smallest: -1, broken: map[string]bool{}}
	var bad []unitSet
	for s := range u.All() {
		run, err := m.Run(ctx, s)
		if err != nil {
			return all, err
		}
		if s.Size() == 0 {
			j.faultless(s, run)
		}
		all.schedules++
		if !j.broken(s, run) {
			continue
		}
		all.broken[s.String()] = true
		if asked(s) {
			bad = append(bad, newUnitSet(u, s))
		}
	}
	for _, set := range minimal(bad) {
		all.sets = append(all.sets, set.schedule)
		all.minimal = append(all.minimal, findingOf(set.schedule))
		if all.smallest < 0 {
			all.smallest = set.size
		}
	}
	return all, nil
}

// judge decides whether a run breaks the promise, written from the language's
// description and apart from the package's own.
type judge struct {
	program    *dedalus.Program
	eot        int
	goals      string
	post, good map[string][][]specs.Value // of the runs without faults, by what they choose
}

// chosenIn returns what a schedule chooses.
func chosenIn(s rounds.Schedule) string {
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind != rounds.Choose })
	return s.String()
}

func (j *judge) defines(relation string) bool {
	return slices.ContainsFunc(j.program.Rules, func(r *syntax.Rule) bool { return r.Head.Relation == relation }) ||
		slices.ContainsFunc(j.program.Facts, func(f *syntax.Fact) bool { return f.Relation == relation }) ||
		slices.ContainsFunc(j.program.Choices, func(c *syntax.Choose) bool { return c.Relation == relation })
}

func (j *judge) faultless(s rounds.Schedule, run *lockstep.Run) {
	if j.post == nil {
		j.post, j.good = map[string][][]specs.Value{}, map[string][][]specs.Value{}
	}
	key := chosenIn(s)
	for _, t := range run.Facts("post", j.eot) {
		j.post[key] = append(j.post[key], slices.Clone(t))
	}
	for _, t := range run.Facts("good", j.eot) {
		j.good[key] = append(j.good[key], slices.Clone(t))
	}
}

func (j *judge) broken(s rounds.Schedule, run *lockstep.Run) bool {
	for round := 1; round <= j.eot; round++ {
		if len(run.Facts("violation", round)) > 0 {
			return true
		}
	}
	if j.defines("pre") || j.defines("post") {
		for _, t := range run.Facts("pre", j.eot) {
			if run.Has("post", t, j.eot) {
				continue
			}
			if j.goals != "witnessed" || slices.ContainsFunc(j.post[chosenIn(s)], func(w []specs.Value) bool { return slices.Equal(w, t) }) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(j.good[chosenIn(s)], func(t []specs.Value) bool { return !run.Has("good", t, j.eot) })
}

// findingOf names the faults of a schedule, and how many choices it has: which those
// are may differ.
func findingOf(s rounds.Schedule) string {
	n := s.Choices()
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind == rounds.Choose })
	if n > 0 {
		return fmt.Sprintf("%s with %d choices", s, n)
	}
	return s.String()
}

// unitSet is a schedule as a set of fault units.
type unitSet struct {
	schedule rounds.Schedule
	words    []uint64 // of faults alone: choices are free
	size     int
}

func newUnitSet(u *schedules.Universe, s rounds.Schedule) unitSet {
	set := unitSet{schedule: s, words: make([]uint64, u.Len()/64+1), size: s.Size()}
	for _, f := range s.Faults {
		if f.Kind == rounds.Choose {
			continue
		}
		unit, _ := u.Index(f)
		set.words[unit/64] |= 1 << (unit % 64)
	}
	return set
}

func (s unitSet) within(t unitSet) bool {
	for i, w := range s.words {
		if bits.OnesCount64(w&^t.words[i]) > 0 {
			return false
		}
	}
	return true
}

// minimal returns the sets that contain no other, by size and text, each once with
// the fewest choices that there are.
func minimal(sets []unitSet) []unitSet {
	slices.SortStableFunc(sets, func(a, b unitSet) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.schedule.Choices(), b.schedule.Choices()))
	})
	var least []unitSet
	for _, s := range sets {
		if !slices.ContainsFunc(least, func(l unitSet) bool { return l.within(s) }) {
			least = append(least, s)
		}
	}
	slices.SortStableFunc(least, func(a, b unitSet) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.schedule.String(), b.schedule.String()))
	})
	return least
}

// everySet asks Check for more sets than a search can find.
const everySet = 1 << 30

// errTooMany says that enumeration was not tried.
var errTooMany = errors.New("too many schedules")

// agreeWithEnumeration compares Check with the execution of every schedule: the
// verdict, the smallest size and, if there are at most so many schedules, all
// minimal sets. It returns what came out, in a word.
func agreeWithEnumeration(ctx context.Context, p *dedalus.Program, b rounds.Bounds, goals string, complete int64) (string, error) {
	b = b.Normal()
	want, err := enumerate(ctx, p, b, goals, func(rounds.Schedule) bool { return true })
	if errors.Is(err, errTooMany) || ctx.Err() != nil {
		return "too many schedules", ctx.Err()
	}
	o := ldfi.Options{Goals: goals}
	if schedules.Count(b).Cmp(big.NewInt(complete)) <= 0 {
		o.Max = everySet
	}
	m, badBounds := ldfi.New(p, b, o)
	if badBounds != nil {
		return "", badBounds
	}
	got, gotErr := m.Check(ctx)
	if outcome, err := sameError(err, gotErr); outcome != "" || err != nil {
		return outcome, err
	}
	switch {
	case got.Limit != nil:
		return "stopped at a limit on " + got.Limit.Kind, ctx.Err()
	case (want.smallest >= 0) != (got.Verdict == result.Violated):
		return "", fmt.Errorf("the verdict is %s; executed: %q", got.Verdict, want.minimal)
	case want.smallest < 0:
		return string(got.Verdict), nil
	}
	return string(got.Verdict), want.compare(got)
}

// compare tells how the counterexamples of a report differ from what was found
// by enumeration.
func (want brute) compare(got *result.Answer) error {
	first := got.Counterexamples[0]
	switch {
	case !first.Confirmed || !first.Minimal:
		return fmt.Errorf("%q is not confirmed and minimal", first.Schedule)
	case first.Size != want.smallest || !slices.Contains(want.minimal, findingOf(first.Schedule)) || !want.broken[first.Schedule.String()]:
		return fmt.Errorf("the smallest is %q; executed: %q", first.Schedule, want.minimal)
	case !got.Complete:
		return nil
	}
	if err := want.sizes(got); err != nil {
		return err
	}
	all := findings(got)
	slices.Sort(all)
	sorted := slices.Sorted(slices.Values(want.minimal))
	if !slices.Equal(sorted, all) {
		return fmt.Errorf("the minimal sets are %q; executed: %q", all, sorted)
	}
	return nil
}

// sizes tells what an answer says wrongly about how small its fault sets are.
func (want brute) sizes(got *result.Answer) error {
	for _, c := range got.Counterexamples {
		irreducible := true
		for i := range c.Schedule.Faults {
			irreducible = irreducible && !want.broken[without(c.Schedule, c.Schedule.Faults[i]).String()]
		}
		needed := c.Schedule
		for _, f := range c.Unneeded.Faults {
			needed = without(needed, f)
		}
		switch {
		case c.Irreducible != irreducible || c.Irreducible == (len(c.Unneeded.Faults) > 0):
			return fmt.Errorf("%q: irreducible: %t, not needed: %q", c.Schedule, c.Irreducible, c.Unneeded)
		case c.Minimal != (irreducible && c.Size == want.smallest) || c.Minimal != (c.Among != ""):
			return fmt.Errorf("%q: minimal: %t among %q; the fewest are %d", c.Schedule, c.Minimal, c.Among, want.smallest)
		case !want.broken[needed.String()]:
			return fmt.Errorf("%q does not break the promise without %q", c.Schedule, c.Unneeded)
		}
	}
	return nil
}

func without(s rounds.Schedule, f rounds.Fault) rounds.Schedule {
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(g rounds.Fault) bool { return g == f })
	return s
}

// sameError compares errors, and returns in a word that both have no answer. An
// evaluation of all schedules at once may run away, or meet a limit, where no
// single schedule does.
func sameError(executed, checked error) (outcome string, err error) {
	var undefined, alsoUndefined *limits.UndefinedError
	var runaway *limits.RunawayError
	var limit *limits.LimitError
	switch {
	case errors.As(executed, &limit), errors.As(executed, &runaway), errors.As(checked, &runaway):
		return "runaway", nil
	case errors.As(executed, &undefined) != errors.As(checked, &alsoUndefined):
		return "", fmt.Errorf("the error is %v; executed: %v", checked, executed)
	case executed != nil && undefined == nil:
		return "", executed
	case undefined != nil:
		return "undefined", nil
	}
	return "", checked
}

func findings(r *result.Answer) []string {
	var all []string
	for _, c := range r.Counterexamples {
		all = append(all, findingOf(c.Schedule))
	}
	return all
}

func parse(t testing.TB, text string) (*dedalus.Program, rounds.Bounds) {
	t.Helper()
	p, err := dedalus.ParseText("test.ded", text)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	return p, b
}
