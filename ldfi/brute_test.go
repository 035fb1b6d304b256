package ldfi_test

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/lockstep"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// brute is the answer that comes from executing every schedule.
type brute struct {
	minimal   []string // the schedules that break the promise without a part that does, by size and text
	smallest  int      // the size of the first; -1 if none breaks it
	schedules int
}

// enumerate executes every schedule within the bounds. The error is that of the
// first schedule that has one.
func enumerate(p *dedalus.Program, b rounds.Bounds, goals string) (brute, error) {
	m, err := lockstep.Compile(p, b, lockstep.Options{Only: []string{"pre", "post", "good", "violation"}})
	if err != nil {
		return brute{}, err
	}
	j := judge{program: p, eot: b.EOT, goals: goals}
	u := rounds.NewUniverse(b)
	all := brute{smallest: -1}
	var bad []unitSet
	for s := range u.All() {
		run, err := m.Run(context.Background(), s)
		if err != nil {
			return all, err
		}
		if len(s) == 0 {
			j.faultless(run)
		}
		all.schedules++
		if j.broken(run) {
			bad = append(bad, newUnitSet(u, s))
		}
	}
	for _, set := range minimal(bad) {
		all.minimal = append(all.minimal, set.schedule.String())
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
	post, good [][]dedalus.Value
}

func (j *judge) defines(relation string) bool {
	return slices.ContainsFunc(j.program.Rules, func(r *dedalus.Rule) bool { return r.Head.Relation == relation }) ||
		slices.ContainsFunc(j.program.Facts, func(f *dedalus.Fact) bool { return f.Relation == relation })
}

func (j *judge) faultless(run *lockstep.Run) {
	for _, t := range run.Facts("post", j.eot) {
		j.post = append(j.post, slices.Clone(t))
	}
	for _, t := range run.Facts("good", j.eot) {
		j.good = append(j.good, slices.Clone(t))
	}
}

func (j *judge) broken(run *lockstep.Run) bool {
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
			if j.goals != "witnessed" || slices.ContainsFunc(j.post, func(w []dedalus.Value) bool { return slices.Equal(w, t) }) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(j.good, func(t []dedalus.Value) bool { return !run.Has("good", t, j.eot) })
}

// unitSet is a schedule as a set of fault units.
type unitSet struct {
	schedule rounds.Schedule
	words    []uint64
	size     int
}

func newUnitSet(u *rounds.Universe, s rounds.Schedule) unitSet {
	set := unitSet{schedule: s, words: make([]uint64, u.Len()/64+1), size: len(s)}
	for _, f := range s {
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

// minimal returns the sets that contain no other, by size and text.
func minimal(sets []unitSet) []unitSet {
	slices.SortStableFunc(sets, func(a, b unitSet) int { return cmp.Compare(a.size, b.size) })
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

// agreeWithEnumeration compares Check with the execution of every schedule: the
// verdict, the smallest size and, if complete is asked for, all minimal sets. It
// returns whether both had an answer.
func agreeWithEnumeration(t require.TestingT, p *dedalus.Program, b rounds.Bounds, goals string, complete bool) bool {
	b = b.Normal()
	want, wantErr := enumerate(p, b, goals)
	max := 1
	if complete {
		max = everySet
	}
	got, gotErr := ldfi.Check(context.Background(), p, b, ldfi.Options{Goals: goals, Max: max})
	if sameError(t, wantErr, gotErr) {
		return false
	}
	if got.Verdict == ldfi.Inconclusive || got.Limit != nil {
		return false
	}
	require.Equal(t, want.smallest >= 0, got.Verdict == ldfi.Violated, "verdict %s; executed: %v", got.Verdict, want.minimal)
	if want.smallest < 0 {
		return true
	}
	first := got.Counterexamples[0]
	require.True(t, first.Confirmed && first.Minimal)
	require.Equal(t, want.smallest, first.Size, "smallest %s; executed: %v", first.Schedule, want.minimal)
	require.Contains(t, want.minimal, first.Schedule.String())
	if complete {
		require.True(t, got.Complete)
		require.ElementsMatch(t, want.minimal, schedules(got))
	}
	return true
}

// sameError requires that both or neither failed, and for the same reason. An
// evaluation of all schedules at once may meet a limit that no single one
// meets.
func sameError(t require.TestingT, executed, checked error) (failed bool) {
	var undefined *rounds.UndefinedError
	var runaway *rounds.RunawayError
	var limit *rounds.LimitError
	switch {
	case errors.As(checked, &runaway):
		return true
	case errors.As(executed, &runaway) || errors.As(executed, &limit):
		return true
	case executed != nil:
		require.ErrorAs(t, executed, &undefined)
		require.ErrorAs(t, checked, &undefined, "executed: %v", executed)
		return true
	}
	require.NoError(t, checked)
	return false
}

func schedules(r *ldfi.Report) []string {
	var all []string
	for _, c := range r.Counterexamples {
		all = append(all, c.Schedule.String())
	}
	return all
}

func parse(t testing.TB, text string) (*dedalus.Program, rounds.Bounds) {
	t.Helper()
	p, err := dedalus.ParseText("test.ded", text)
	require.NoError(t, err)
	b, _, err := rounds.BoundsFrom(p.Settings, nil)
	require.NoError(t, err)
	return p, b
}
