package etcdtest

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

var (
	changes = flag.Int("changes", 20, "search each kind of configuration change with so many executions")
	found   = flag.String("found", "", "the searches that find something, as they are named, with commas: this version has the bug")
)

// A kind of configuration change: what a client asks whoever leads, by round.
type kind struct {
	name     string
	needs    []etcd.Feature
	requests map[int]any
}

// kinds returns how a cluster of a, b and c becomes one of others.
func kinds() []kind {
	joint := func(transition etcd.Transition, leave ...any) map[int]any {
		requests := map[int]any{
			20: etcd.ConfChange{Voters: []string{"d", "e"}, Remove: []string{"b", "c"}, Transition: transition},
			34: etcd.ConfChange{Voters: []string{"b"}, Learners: []string{"a"}, Transition: transition},
		}
		for _, l := range leave {
			requests[28], requests[42] = l, l
		}
		return requests
	}
	return []kind{
		{"simple", nil, map[int]any{
			20: etcd.ConfChange{Voters: []string{"d"}}, 26: etcd.ConfChange{Remove: []string{"a"}},
			32: etcd.ConfChange{Voters: []string{"e"}}, 38: etcd.ConfChange{Remove: []string{"b"}},
		}},
		{"learners", []etcd.Feature{etcd.Learners, etcd.LearnersKept}, map[int]any{
			20: etcd.ConfChange{Learners: []string{"d"}}, 26: etcd.ConfChange{Learners: []string{"e"}},
			32: etcd.ConfChange{Voters: []string{"d"}}, 38: etcd.ConfChange{Remove: []string{"a"}},
		}},
		{"joint", []etcd.Feature{etcd.JointConfigs}, joint(etcd.Auto)},
		{"explicit", []etcd.Feature{etcd.JointConfigs}, joint(etcd.JointExplicit, etcd.ConfChange{})},
	}
}

// TestChanges searches configuration changes of all kinds, without faults and with
// them, while clients write.
func (c Cluster) TestChanges(t *testing.T) {
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			c.Needs(t, k.needs...)
			t.Run("calm", func(t *testing.T) { c.search(t, k, rounds.Bounds{}) })
			t.Run("faults", func(t *testing.T) {
				c.search(t, k, rounds.Bounds{Isolations: 2, Period: 10, Crashes: 2, Restarts: 2, EFF: 60})
			})
		})
	}
}

// changed is a cluster that is changed while clients write.
func (c Cluster) changed(k kind) *system.System {
	s := c.members(k.requests)
	s.Rounds = 120
	s.Properties = append(s.Properties, append(etcd.Membership(), etcd.LeavesJoint(40))...)
	s.Requests = append(s.Requests, etcd.EveryLeader(five, 15, 60, 5, func(round int) any { return etcd.Propose(fmt.Sprint(round)) })...)
	return s
}

// search searches, and fails if it finds something where nothing is expected, or
// nothing where something is.
func (c Cluster) search(t *testing.T, k kind, bounds rounds.Bounds) {
	target, err := search.NewTarget(c.changed(k), nil)
	require.NoError(t, err)
	r, err := strategies.Run(t.Context(), target, search.Options{Strategy: "spread", Bounds: bounds, Executions: *changes, Seed: 1})
	require.NoError(t, err)
	t.Log(r.Summary())
	_, name, _ := strings.Cut(t.Name(), "/")
	require.Equal(t, slices.Contains(strings.Split(*found, ","), name), r.Verdict == result.Violated)
}
