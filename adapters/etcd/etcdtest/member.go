package etcdtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// five are processes of which the first three are the members at first.
var five = []string{"a", "b", "c", "d", "e"}

// offers tells whether the version of the library has a feature.
func (c Cluster) offers(feature etcd.Feature) (offered bool) {
	s := c(Processes, etcd.Wrap(func(n etcd.Node) etcd.Node {
		offered = n.Offers(feature)
		return n
	}))
	s.New(Processes[0], rand.New(rand.NewPCG(1, 1)))
	return offered
}

// Needs skips a test of what the version of the library does not have.
func (c Cluster) Needs(t *testing.T, features ...etcd.Feature) {
	for _, f := range features {
		if !c.offers(f) {
			t.Skipf("this version of the library has no %s", f)
		}
	}
}

// members is a cluster of three, to which two can be added, with a client that
// makes requests of whoever leads, in these rounds.
func (c Cluster) members(requests map[int]any) *system.System {
	s := c(five, etcd.Members(Processes...))
	for round := 1; round <= s.Rounds; round++ {
		if payload, ok := requests[round]; ok {
			s.Requests = append(s.Requests, etcd.EveryLeader(five, round, round, 1, func(int) any { return payload })...)
		}
	}
	return s
}

// Changing is a cluster whose members change all the time, as far as the version
// of the library knows how. Joint configurations are left by clients: v3.4 panics
// when a leader leaves one by itself twice.
func (c Cluster) Changing() *system.System {
	changes := []etcd.ConfChange{{Voters: []string{"d"}}, {Remove: []string{"a"}}, {Voters: []string{"a"}}, {Remove: []string{"d"}}}
	if c.offers(etcd.Learners) {
		changes = append(changes, etcd.ConfChange{Learners: []string{"e"}}, etcd.ConfChange{Voters: []string{"e"}}, etcd.ConfChange{Remove: []string{"b"}}, etcd.ConfChange{Voters: []string{"b"}})
	}
	if c.offers(etcd.JointConfigs) {
		changes = append(changes,
			etcd.ConfChange{Voters: []string{"d", "e"}, Remove: []string{"a", "b"}, Transition: etcd.JointExplicit},
			etcd.ConfChange{},
			etcd.ConfChange{Voters: []string{"a", "b"}, Learners: []string{"e"}, Remove: []string{"d"}, Transition: etcd.JointExplicit},
			etcd.ConfChange{})
	}
	s := c(five, etcd.Members(Processes...))
	s.Requests = slices.Concat(
		etcd.EveryLeader(five, 12, 60, 4, func(round int) any { return changes[(round/4)%len(changes)] }),
		etcd.Every(five, 13, 60, 6, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) }),
		etcd.Every(five, 15, 60, 15, func(string, int) any { return etcd.Compact{} }))
	if c.offers(etcd.Transfers) {
		s.Requests = append(s.Requests, etcd.EveryLeader(five, 22, 60, 9, func(round int) any { return etcd.TransferLeader{To: five[round%5]} })...)
	}
	return s
}

// testMembership tests the changes of a configuration one by one.
func (c Cluster) testMembership(t *testing.T) {
	for _, test := range []struct {
		name     string
		needs    []etcd.Feature
		requests map[int]any
		voters   []string // in the end, as each of them sees it
		learners []string
	}{
		{"add", nil, map[int]any{20: etcd.ConfChange{Voters: []string{"d"}}}, []string{"a", "b", "c", "d"}, nil},
		{"remove", nil, map[int]any{20: etcd.ConfChange{Remove: []string{"c"}}}, []string{"a", "b"}, nil},
		{"snapshot", nil, map[int]any{16: etcd.Propose("x"), 20: etcd.Compact{}, 24: etcd.ConfChange{Voters: []string{"d"}}, 30: etcd.Compact{}},
			[]string{"a", "b", "c", "d"}, nil},
		{"learner", []etcd.Feature{etcd.Learners, etcd.LearnersKept}, map[int]any{20: etcd.ConfChange{Learners: []string{"d"}}},
			[]string{"a", "b", "c"}, []string{"d"}},
		{"promotion", []etcd.Feature{etcd.Learners, etcd.LearnersKept}, map[int]any{20: etcd.ConfChange{Learners: []string{"d"}}, 30: etcd.ConfChange{Voters: []string{"d"}}},
			[]string{"a", "b", "c", "d"}, nil},
		{"joint/implicit", []etcd.Feature{etcd.JointConfigs}, map[int]any{20: etcd.ConfChange{Voters: []string{"d", "e"}, Remove: []string{"b"}}},
			[]string{"a", "c", "d", "e"}, nil},
		{"joint/explicit", []etcd.Feature{etcd.JointConfigs, etcd.Learners}, map[int]any{
			20: etcd.ConfChange{Voters: []string{"d"}, Learners: []string{"b"}, Transition: etcd.JointExplicit}, 30: etcd.ConfChange{}},
			[]string{"a", "c", "d"}, []string{"b"}},
	} {
		t.Run("members/"+test.name, func(t *testing.T) {
			c.Needs(t, test.needs...)
			e := run(t, c.members(test.requests), "ticks 2; seed 1; crash b@40; restart b@44")
			for _, p := range test.voters {
				require.ElementsMatch(t, test.voters, configured(e, "voter", p), "as %s sees it", p)
				require.ElementsMatch(t, test.learners, configured(e, "learner", p), "as %s sees it", p)
				require.Empty(t, configured(e, "joint", p))
			}
		})
	}
}

// run executes a schedule.
func run(t *testing.T, s *system.System, schedule string) *recording.Execution {
	e, err := s.Run(t.Context(), parse(t, schedule), system.RunOptions{})
	require.NoError(t, err)
	return e
}

func parse(t *testing.T, schedule string) rounds.Schedule {
	s, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	return s
}

// configured returns what a process has reported of its last configuration.
func configured(e *recording.Execution, relation, process string) []string {
	newest := int64(0)
	for _, f := range e.Facts {
		if f.Relation == "voter" && f.Args[0].Text() == process {
			newest = max(newest, f.Args[1].Int())
		}
	}
	var all []string
	for _, f := range e.Facts {
		if f.Relation == relation && f.Args[0].Text() == process && f.Args[1].Int() == newest && !slices.Contains(all, f.Args[2].Text()) {
			all = append(all, f.Args[2].Text())
		}
	}
	return all
}
