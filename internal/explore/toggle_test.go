package explore_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// inBounds are protocols of testdata with faults of every kind that programs have.
var inBounds = map[string]map[string]string{
	"delivery/retry.ded":       {"isolations": "2", "cuts": "1", "period": "3", "omissions": "2", "kinds": "all"},
	"network/register.ded":     {"max-delay": "2", "duplicates": "1", "kinds": "all"},
	"partitions/half.ded":      nil,
	"restart/2pc_recovers.ded": nil,
	"choices/primary_own.ded":  nil,
	"choices/write_once.ded":   nil,
	"rounds/ben_or_coin.ded":   nil,
	"replog/buggy.ded":         nil,
	"traps/good.ded":           {"at": "phase", "period": "2", "isolations": "1", "crashes": "1"},
}

// Every fault that is possible within the bounds, and everything that can be chosen, is put
// into its cell by the space bar, and everything that it puts there is gone in the end.
func TestSpaceReachesEverything(t *testing.T) {
	kinds := map[rounds.Kind]bool{}
	for file, bounds := range inBounds {
		maps.Copy(kinds, reaches(t, file, begin(t, file, bounds), map[string]bool{}))
	}
	for k := rounds.Crash; k <= rounds.Choose; k++ {
		s := rounds.Schedule{Faults: []rounds.Fault{{Kind: k, Process: "a", To: "b", Round: 1}}}
		require.Equal(t, s.CheckProgram() == nil, kinds[k], k.String())
	}
}

// reaches tries that for one exploration, and returns the kinds of faults that there are,
// with the details of crashes.
func reaches(t *testing.T, what string, e *explore.Exploration, details map[string]bool) map[rounds.Kind]bool {
	kinds := map[rounds.Kind]bool{}
	u := schedules.New(e.Bounds())
	units, cells := map[explore.Cell][]rounds.Fault{}, []explore.Cell{}
	for unit := range u.Len() {
		f := u.Fault(unit)
		if !u.Alive(unit) || f.Kind == rounds.Restart && f.Round == 1 { // then it crashes in the same cell
			continue
		}
		c, ok := e.CellOf(f)
		require.True(t, ok, "%s: %s", what, f)
		if units[c] == nil {
			cells = append(cells, c)
		}
		units[c] = append(units[c], f)
		kinds[f.Kind] = true
		if f.Kind == rounds.Crash {
			details[f.Detail] = true
		}
	}
	for _, c := range cells {
		require.Empty(t, missing(t, e, c, units[c]), "%s: %v", what, c)
	}
	return kinds
}

// missing presses the space bar in a cell until nothing is left there, and returns those
// of some faults that were never there. Of a restart there is a crash before.
func missing(t *testing.T, e *explore.Exploration, c explore.Cell, faults []rounds.Fault) []rounds.Fault {
	require.NoError(t, e.Clear())
	if slices.ContainsFunc(faults, func(f rounds.Fault) bool { return f.Kind == rounds.Restart }) {
		require.NoError(t, e.Toggle(rounds.Crash, explore.Cell{From: c.From, Round: c.Round - 1}))
	}
	before := e.Schedule().String()
	left := slices.Clone(faults)
	for range 100 {
		err := e.Cycle(c)
		for _, f := range e.Schedule().Faults {
			left = slices.DeleteFunc(left, func(g rounds.Fault) bool { return f == g })
		}
		if len(e.Faults(c)) == 0 {
			require.NoError(t, err)
			break
		}
	}
	require.Empty(t, e.Faults(c))
	if len(left) < len(faults) && !slices.ContainsFunc(faults, func(f rounds.Fault) bool { return f.Kind == rounds.Crash }) {
		require.Equal(t, before, e.Schedule().String())
	}
	return left
}

// A key for one kind goes through what is later and later, and takes it away.
func TestToggle(t *testing.T) {
	for _, test := range []struct {
		file, begin string
		kind        rounds.Kind
		cell        explore.Cell
		then        []string
	}{
		{"network/register.ded", "", rounds.Delay, explore.Cell{From: "c", To: "r", Round: 1}, []string{"delay c>r@1+1", "delay c>r@1+2", ""}},
		{"network/register.ded", "delay c>r@1+2", rounds.Duplicate, explore.Cell{From: "c", To: "r", Round: 1}, []string{"delay c>r@1+2; duplicate c>r@1+1", "delay c>r@1+2; duplicate c>r@1+2", "delay c>r@1+2"}},
		{"partitions/half.ded", "partition b,d|a,c@1..3", rounds.Partition, explore.Cell{Kind: rounds.Partition, Detail: "a,c|*", Round: 2}, []string{"", "partition a,c|*@2..3", ""}},
		{"choices/primary_common.ded", "", rounds.Choose, explore.Cell{Kind: rounds.Choose, Detail: `primary("b")`, Round: 1}, []string{`choose primary("b")@1`, ""}},
		{"choices/primary_common.ded", `choose primary("b")@1`, rounds.Choose, explore.Cell{Kind: rounds.Choose, Detail: `primary("c")`, Round: 1}, []string{`choose primary("c")@1`, ""}},
		{"choices/primary_common.ded", `choose primary("b")@1`, rounds.Choose, explore.Cell{Kind: rounds.Choose, Detail: `primary("a")`, Round: 1}, []string{""}},
		{"restart/2pc_recovers.ded", "crash c@2; restart c@4", rounds.Crash, explore.Cell{From: "c", Round: 2}, []string{"", "crash c@2"}},
		{"restart/2pc_recovers.ded", "crash c@2", rounds.Restart, explore.Cell{From: "c", Round: 2}, []string{"crash c@2; restart c@2", "crash c@2"}},
		{"restart/2pc_recovers.ded", "crash c@2; restart c@2", rounds.Isolate, explore.Cell{From: "c", Round: 3}, []string{"crash c@2; restart c@2; isolate c@3", "crash c@2; restart c@2"}},
		{"delivery/retry.ded", "crash a@2", rounds.Crash, explore.Cell{From: "a", Round: 4}, []string{"crash a@4", ""}},
	} {
		e := begin(t, test.file, nil)
		require.NoError(t, e.SetText(test.begin))
		for _, then := range test.then {
			require.NoError(t, e.Toggle(test.kind, test.cell), "%v", test)
			require.Equal(t, then, e.Schedule().String(), "%v", test)
		}
	}
}

// What is not possible says why, and changes nothing.
func TestNotPossible(t *testing.T) {
	for _, test := range []struct {
		file  string
		kind  rounds.Kind
		cell  explore.Cell
		wrong string
	}{
		{"delivery/retry.ded", rounds.Omit, explore.Cell{From: "a", Round: 1}, "an omission is a fault of links: there is another layer for these"},
		{"delivery/retry.ded", rounds.Restart, explore.Cell{From: "a", Round: 3}, "a has not crashed before"},
		{"delivery/retry.ded", rounds.Pause, explore.Cell{From: "a", Round: 3}, "has no pauses"},
		{"choices/primary_common.ded", rounds.Choose, explore.Cell{Kind: rounds.Choose, Detail: `primary("b")`, Round: 2}, `primary("b")`},
		{"choices/primary_common.ded", rounds.Choose, explore.Cell{Kind: rounds.Choose, Detail: `primary("a")`, Round: 1}, `primary("a") holds already, as long as nothing else is chosen`},
	} {
		e := begin(t, test.file, nil)
		require.ErrorContains(t, e.Toggle(test.kind, test.cell), test.wrong)
		require.Empty(t, e.Schedule().String())
		require.False(t, e.Undo())
	}
}

// A lock of a cell is about everything that could be there; what holds by default can be a
// must.
func TestLockCells(t *testing.T) {
	for _, test := range []struct {
		file, begin string
		cell        explore.Cell
		must        bool
		locks       []string
	}{
		{"network/append_numbers.ded", "", explore.Cell{From: "c", To: "l", Round: 1}, false, []string{"must not delay c>l@1", "must not duplicate c>l@1"}},
		{"network/register.ded", "delay c>r@1+2", explore.Cell{From: "c", To: "r", Round: 1}, true, []string{"must delay c>r@1+2"}},
		{"partitions/half.ded", "", explore.Cell{Kind: rounds.Partition, Detail: "a,c|*", Round: 2}, false, []string{"must not partition a,c|*@2"}},
		{"partitions/half.ded", "", explore.Cell{From: "a", Round: 2}, false, []string{"must not isolate a@2"}},
		{"choices/primary_common.ded", "", explore.Cell{Kind: rounds.Choose, Detail: `primary("a")`, Round: 1}, true, []string{`must choose primary("a")@1`}},
	} {
		e := begin(t, test.file, nil)
		require.NoError(t, e.SetText(test.begin))
		require.NoError(t, e.LockCell(test.cell, test.must))
		var locks []string
		for _, l := range e.Locks() {
			locks = append(locks, l.String())
		}
		require.Equal(t, test.locks, locks)
		must, mustNot := e.Locked(test.cell)
		require.Equal(t, test.must, must)
		require.Equal(t, !test.must, mustNot)
		file := filepath.Join(t.TempDir(), "x.txt")
		require.NoError(t, e.Save(file))
		other := begin(t, test.file, nil)
		require.NoError(t, other.Load(file))
		require.Equal(t, e.Locks(), other.Locks())
	}
}

// Whatever a process is called, what is locked in its cell is a fault, and no fact.
func TestLocksOfHostileNames(t *testing.T) {
	for _, name := range []string{"c(1)", "(", "c()", "😀", "\u05d0\u05d1", "post(c)", "must", "c#"} {
		e := begin(t, "delivery/retry.ded", map[string]string{"processes": "a,b," + name})
		cell := explore.Cell{From: name, Round: 2}
		require.NoError(t, e.LockCell(cell, false), name)
		require.Contains(t, e.Locks(), explore.Lock{Text: "crash " + name + "@2"})
		_, mustNot := e.Locked(cell)
		require.True(t, mustNot, name)
		_, err := e.Hypotheses(t.Context(), e.Locks(), "")
		require.NoError(t, err, name)
		file := filepath.Join(t.TempDir(), "x.txt")
		require.NoError(t, e.Save(file))
		other := begin(t, "delivery/retry.ded", map[string]string{"processes": "a,b," + name})
		require.NoError(t, other.Load(file), name)
		require.Equal(t, e.Locks(), other.Locks())
	}
}
