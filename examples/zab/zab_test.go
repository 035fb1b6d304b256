package zab_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/zab"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// reports are the bugs, each with its fix, and with the smallest fault set of its protocol.
var reports = []struct {
	name, faults string
	buggy, fixed func() *system.System
}{
	{"zookeeper_335", "crash a@1; crash b@5; crash c@6; restart a@2; restart b@6; restart c@8", zab.Forgetting, zab.Accepting},
	{"zookeeper_1653", "crash c@5; restart c@5", zab.Unmarked, zab.Marked},
}

// logs returns what each server that follows in the end has logged: the request of each
// epoch.
func logs(e *recording.Execution) string {
	var texts []string
	last := ""
	for _, f := range e.Facts {
		if f.Relation != "logged" {
			continue
		}
		if name := f.Args[0].Text(); name != last {
			texts = append(texts, name)
			last = name
		}
		texts[len(texts)-1] += fmt.Sprintf(" %s:%s", f.Args[1].Text(), f.Args[2].Text())
	}
	return strings.Join(texts, ", ")
}

func TestBroadcast(t *testing.T) {
	for _, story := range []struct{ title, schedule, buggy, fixed string }{
		{"without faults all have both requests", "",
			"a 1:1 2:2, b 1:1 2:2, c 1:1 2:2", "a 1:1 2:2, b 1:1 2:2, c 1:1 2:2"},
		{"who was down is brought to the log of the leader", "crash a@1; restart a@13",
			"a 1:1 2:2, b 1:1 2:2, c 1:1 2:2", "a 1:1 2:2, b 1:1 2:2, c 1:1 2:2"},
		{"what a leader alone has logged is lost with it, and others log another request in its place",
			"crash a@5; crash b@5; crash c@6; restart a@6; restart b@6",
			"a 1:2, b 1:2", "a 2:2, b 2:2"},
		{"and comes back with it", "crash a@5; crash b@5; crash c@6; restart a@6; restart b@6; restart c@8",
			"a 1:2, b 1:2, c 1:1", "a 2:2, b 2:2, c 2:2"},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.buggy, logs(systems.Run(t, zab.Forgetting(), story.schedule)))
			require.Equal(t, story.fixed, logs(systems.Run(t, zab.Accepting(), story.schedule)))
		})
	}
}

// A server that is stopped before the snapshot starts again, and so does one that is
// stopped after the epoch.
func TestRecovery(t *testing.T) {
	for _, story := range []struct {
		title, schedule string
		buggy, fixed    bool
	}{
		{"without faults", "", true, true},
		{"before the snapshot", "crash c@4; restart c@4", true, true},
		{"between the snapshot and the epoch", "crash c@5; restart c@5", false, true},
		{"after the epoch", "crash c@6; restart c@6", true, true},
		{"who has the snapshot already", "crash b@5; restart b@5", true, true},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.buggy, len(systems.Violations(t, zab.Unmarked(), story.schedule)) == 0)
			require.Equal(t, story.fixed, len(systems.Violations(t, zab.Marked(), story.schedule)) == 0)
		})
	}
}

// The system breaks under the smallest fault set of the protocol, and of many others under
// those under which the protocol does.
func TestProtocols(t *testing.T) {
	for _, r := range reports {
		require.NotEmpty(t, systems.Violations(t, r.buggy(), r.faults))
		require.Empty(t, systems.Violations(t, r.fixed(), r.faults))
		for suffix, s := range map[string]*system.System{"": r.buggy(), "_fixed": r.fixed()} {
			t.Run(r.name+suffix, func(t *testing.T) {
				protocol := systems.Catalogue(t, r.name+suffix)
				of, err := rounds.ParseSchedule(r.faults)
				require.NoError(t, err)
				broken := protocol.RequireLike(t, s, drawn(protocol.Bounds, of))
				t.Logf("%d break", broken)
				if suffix == "" {
					require.Greater(t, broken, 10)
				} else {
					require.Zero(t, broken)
				}
			})
		}
	}
}

// drawn returns schedules within the bounds, half of them drawn at random, and half of them
// like a given one with a few faults earlier or later.
func drawn(b rounds.Bounds, of rounds.Schedule) (all []string) {
	random := rand.New(rand.NewPCG(1, 2))
	universe := schedules.New(b)
	for range 1000 {
		all = append(all, universe.Random(random).String())
	}
	for range 1000 {
		near := rounds.Schedule{Faults: slices.Clone(of.Faults)}
		for i := range near.Faults {
			if random.IntN(len(near.Faults)) == 0 {
				near.Faults[i].Round = max(1, near.Faults[i].Round+random.IntN(5)-2)
			}
		}
		if near.Check(b) == nil {
			all = append(all, near.Normal().String())
		}
	}
	return all
}

// The search by default finds the smallest faults, and certifies the fix.
func TestSearch(t *testing.T) {
	for _, r := range reports {
		t.Run(r.name, func(t *testing.T) {
			systems.RequireLeast(t, r.buggy(), 1+strings.Count(r.faults, ";"))
			systems.RequireLeast(t, r.fixed(), 0)
		})
	}
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, zab.Forgetting(), zab.Accepting(), zab.Unmarked(), zab.Marked())
}
