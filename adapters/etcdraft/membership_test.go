package etcdraft_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/adapters/etcdraft/harness"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
	"go.etcd.io/raft/v3"
)

// five are processes of which the first three are the members at first.
var five = []string{"a", "b", "c", "d", "e"}

// changing is a cluster whose members change all the time, in every way, but for c:
// the library panics when nobody is left who votes.
func changing(with ...etcd.Option) *system.System {
	changes := []etcd.ConfChange{
		{Voters: []string{"d"}},
		{Learners: []string{"e"}},
		{Voters: []string{"e"}, Remove: []string{"a", "b"}},
		{Remove: []string{"d"}},
		{Voters: []string{"a", "b"}, Learners: []string{"e"}, Transition: etcd.JointExplicit},
		{},
		{Voters: []string{"e"}, Remove: []string{"b"}, Transition: etcd.JointImplicit},
		{Voters: []string{"b"}},
		{Remove: []string{"e"}},
	}
	s := etcdraft.System(five, func(c *raft.Config) { c.CheckQuorum, c.PreVote = true, true }, append(with, etcd.Members("a", "b", "c"))...)
	s.Rounds = 80
	s.Requests = slices.Concat(
		etcd.EveryLeader(five, 12, 60, 3, func(round int) any { return changes[round/3%len(changes)] }),
		etcd.EveryLeader(five, 13, 80, 5, func(round int) any { return etcd.Propose(fmt.Sprint(round)) }),
		etcd.EveryLeader(five, 14, 60, 11, func(round int) any { return etcd.TransferLeader{To: five[round%5]} }),
		etcd.Every(five, 15, 60, 9, func(string, int) any { return etcd.Compact{} }),
		etcd.Every(five, 15, 70, 4, func(string, int) any { return etcd.ReadIndex{} }))
	s.Properties = slices.Concat(etcd.Safety(), etcd.Membership(), []property.Property{etcd.LeavesJoint(20), etcd.LeaderAfter(50)})
	return s
}

// Nothing is violated when members change while processes are isolated, crash,
// restart and stand still.
func TestMembership(t *testing.T) {
	ldfitest.Run(t, changing(), ldfitest.Executions(*long), ldfitest.Bounds(membershipFaults))
}

var membershipFaults = rounds.Bounds{Isolations: 2, Period: 10, Crashes: 2, Restarts: 2, Pauses: 1, EFF: 60}

// Mistakes that the properties are there for.

// staying never leaves a joint configuration.
type staying struct{ etcd.Node }

func (n staying) ApplyConfChange(c etcd.Change) (etcd.Config, error) {
	if !c.Simple() && len(c.Nodes) > 0 {
		c.Transition = etcd.JointExplicit
	}
	config, err := n.Node.ApplyConfChange(c)
	config.AutoLeave = config.Joint()
	return config, err
}

// voting lets learners vote, and stand for election.
type voting struct{ etcd.Node }

func (n voting) ApplyConfChange(c etcd.Change) (etcd.Config, error) {
	if len(c.Nodes) == 0 || c.Nodes[0].Op != etcd.AddLearner {
		return n.Node.ApplyConfChange(c)
	}
	learner := c.Nodes[0].Node
	config, err := n.Node.ApplyConfChange(etcd.Change{Nodes: []etcd.NodeChange{{Op: etcd.AddVoter, Node: learner}}})
	config.Voters = slices.DeleteFunc(slices.Clone(config.Voters), func(v uint64) bool { return v == learner })
	config.Learners = []uint64{learner}
	return config, err
}

func TestMembershipMistakes(t *testing.T) {
	for name, test := range map[string]struct {
		wrap     func(etcd.Node) etcd.Node
		property property.Property
		change   etcd.ConfChange
	}{
		"jumping": {harness.Jump, etcd.NoTwoMajorities, etcd.ConfChange{Voters: []string{"d", "e"}, Remove: []string{"a", "b"}}},
		"staying": {func(n etcd.Node) etcd.Node { return staying{n} }, etcd.LeavesJoint(20), etcd.ConfChange{Voters: []string{"d", "e"}, Remove: []string{"a", "b"}}},
		"voting":  {func(n etcd.Node) etcd.Node { return voting{n} }, etcd.LearnersNeverLead, etcd.ConfChange{Learners: []string{"d"}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, mistaken := range []bool{false, true} {
				options := []etcd.Option{etcd.Members("a", "b", "c")}
				if mistaken {
					options = append(options, etcd.Wrap(test.wrap))
				}
				s := etcdraft.System(five, nil, options...)
				s.Requests = etcd.EveryLeader(five, 20, 30, 5, func(int) any { return test.change })
				s.Properties = []property.Property{test.property}
				r, err := search.Run(t.Context(), s, search.Options{Bounds: rounds.Bounds{Isolations: 2, Period: 15}, Executions: 200, Seed: 1})
				require.NoError(t, err)
				t.Log(r.Summary())
				require.Equal(t, mistaken, r.Verdict == result.Violated)
			}
		})
	}
}

// A node that is alone goes on to the next term within a round when it asks for
// votes in advance. What it reports is what it has stored all the same.
func TestAlone(t *testing.T) {
	s := etcdraft.System([]string{"a", "b", "c"}, func(c *raft.Config) { c.PreVote, c.ElectionTick = true, 4 }, etcd.Members("a"))
	changes := []etcd.ConfChange{{Voters: []string{"b"}}, {Remove: []string{"b"}}, {Voters: []string{"c"}}, {Remove: []string{"c"}}}
	s.Requests = append(
		etcd.EveryLeader(s.Processes, 10, 60, 3, func(round int) any { return changes[round/3%len(changes)] }),
		etcd.Every(s.Processes, 5, 60, 3, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) })...)
	require.NoError(t, s.CheckDurability(t.Context(), 100, 1))
}
