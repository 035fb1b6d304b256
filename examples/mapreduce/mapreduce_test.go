package mapreduce_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/mapreduce"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// last returns the last fact of a relation, without the process and the round, and "no"
// if there is none.
func last(e *recording.Execution, relation string) string {
	text := "no"
	for _, f := range e.Facts {
		if f.Relation == relation {
			text = "yes"
			for _, a := range f.Args[1:] {
				text = a.Text()
			}
		}
	}
	return text
}

// A story is what comes of a schedule: the last fact of a relation, with the bug and
// without.
type story struct{ title, schedule, buggy, fixed string }

func tell(t *testing.T, buggy, fixed *system.System, relation string, stories []story) {
	t.Helper()
	for _, s := range stories {
		t.Run(s.title, func(t *testing.T) {
			require.Equal(t, s.buggy, last(systems.Run(t, buggy, s.schedule), relation))
			require.Equal(t, s.fixed, last(systems.Run(t, fixed, s.schedule), relation))
		})
	}
}

func TestSpeculation(t *testing.T) {
	tell(t, mapreduce.OneSuccess(), mapreduce.TwoSuccesses(), "failed", []story{
		{"without faults there is one attempt", "", "no", "no"},
		{"what is a little late has no second attempt", "delay m>v@1+1", "no", "no"},
		{"a straggler has one, and both succeed", "delay m>v@1+2", "yes", "no"},
		{"a straggler that is killed in time does no harm", "delay m>v@1+3", "no", "no"},
	})
	require.Equal(t, "yes", last(systems.Run(t, mapreduce.TwoSuccesses(), "delay m>v@1+2"), "succeeded"))
}

func TestContainers(t *testing.T) {
	tell(t, mapreduce.Untold(), mapreduce.Told(), "rejected", []story{
		{"without faults the job ends on the first node", "", "0", "0"},
		{"a node that stops is not heard from, and not given again", "crash u@4", "0", "0"},
		{"one that comes back is given again and again", "crash u@4; restart u@5", "5", "0"},
		{"unless the resource manager is down as well", "crash u@4; restart u@5; crash r@10", "0", "0"},
		{"two crashes and a reboot, as published", "crash u@4; restart u@5; crash r@7; restart r@9", "5", "0"},
	})
}

func TestRelaunch(t *testing.T) {
	for _, buggy := range []*system.System{mapreduce.Early(), mapreduce.EarlyAnswer()} {
		tell(t, buggy, mapreduce.Unregistered(), "relaunches", []story{
			{"without faults the job runs once", "", "no", "no"},
			{"a job that has not ended is run again", "crash r@1; restart r@2", "yes", "yes"},
			{"a job that is out of the store is not", "crash r@5; restart r@6", "no", "no"},
		})
	}
	const steps = "crash r@4; restart r@5" // those of the source
	for _, s := range []struct {
		system *system.System
		breaks bool
	}{
		{mapreduce.Early(), true},
		{mapreduce.EarlyAnswer(), true},
		{mapreduce.EarlyClient(), true},
		{mapreduce.Unregistered(), false},
	} {
		require.Equal(t, s.breaks, len(systems.Violations(t, s.system, steps)) > 0, s.system.Name)
	}
}

// The search by default finds as few faults as the protocols do, and certifies the fixes.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		system *system.System
		faults int // 0: there are none
	}{
		{mapreduce.OneSuccess(), 1},
		{mapreduce.TwoSuccesses(), 0},
		{mapreduce.Untold(), 2},
		{mapreduce.Told(), 0},
		{mapreduce.Early(), 2},
		{mapreduce.EarlyClient(), 2},
		{mapreduce.EarlyAnswer(), 2},
		{mapreduce.Unregistered(), 0},
	} {
		t.Run(c.system.Name, func(t *testing.T) {
			systems.RequireLeast(t, c.system, c.faults)
		})
	}
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, mapreduce.OneSuccess(), mapreduce.TwoSuccesses(), mapreduce.Untold(), mapreduce.Told(),
		mapreduce.Early(), mapreduce.EarlyClient(), mapreduce.EarlyAnswer(), mapreduce.Unregistered())
}
