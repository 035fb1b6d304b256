package published

import (
	"fmt"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"go.etcd.io/raft/v3"
)

// Liveness is Raft without PreVote and CheckQuorum: whoever does not hear of the leader
// stands for election, and so deposes it. s4 has a link to s2 alone, and s5 to s3, and
// what is lost on the others lasts.
func Liveness() *system.System {
	return disrupted("etcd-liveness", raft.Config{}, 10, both("s1>s2", "s1>s3", "s2>s3", "s2>s4", "s3>s5"))
}

// LivenessNoCQ is the same with a link between s4 and s5.
func LivenessNoCQ() *system.System {
	return disrupted("etcd-liveness-no-cq", raft.Config{}, 8, both("s1>s2", "s1>s3", "s2>s3", "s2>s4", "s3>s5", "s4>s5"))
}

// Lively is Liveness with PreVote and CheckQuorum, and any link may be down.
func Lively() *system.System {
	return disrupted("etcd-lively", raft.Config{PreVote: true, CheckQuorum: true}, 10, nil)
}

// disrupted is a cluster of five of which so many links are down all the time, each in
// one direction, but for those that are reliable.
func disrupted(name string, settings raft.Config, cuts int, reliable []string) *system.System {
	s := five(name, settings)
	s.Properties = []property.Property{LeaderStays}
	s.Faults = rounds.Bounds{Cuts: cuts, Period: s.Rounds, At: "phase", Reliable: reliable}
	return s
}

// NoLiveness has PreVote without CheckQuorum. s4 is made the leader, and goes on to
// lead when it has a link to s2 alone, whose log is then longer than those of the others.
func NoLiveness() *system.System {
	return abandoned("etcd-no-liveness", raft.Config{PreVote: true})
}

// Alive is the same with CheckQuorum.
func Alive() *system.System {
	return abandoned("etcd-alive", raft.Config{PreVote: true, CheckQuorum: true})
}

// abandoned is a cluster of five whose clients write all the time, and which loses links,
// or a process, for one half of the time.
func abandoned(name string, settings raft.Config) *system.System {
	s := five(name, settings)
	s.Properties = []property.Property{Progress}
	s.Requests = append(
		etcd.EveryLeader(s.Processes, 12, 12, 1, func(int) any { return etcd.TransferLeader{To: "s4"} }),
		etcd.Every(s.Processes, 15, s.Rounds-5, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) })...)
	s.Faults = rounds.Bounds{Isolations: 1, Cuts: 4, Period: s.Rounds / 2, At: "phase", Reliable: both("s1>s2", "s1>s3", "s2>s3", "s2>s4")}
	return s
}

// five is a cluster of five for 300 ticks, which are 15 times the longest time until an
// election.
func five(name string, settings raft.Config) *system.System {
	s := etcdraft.System([]string{"s1", "s2", "s3", "s4", "s5"}, func(c *raft.Config) {
		c.PreVote, c.CheckQuorum = settings.PreVote, settings.CheckQuorum
	})
	s.Name, s.Rounds, s.MinTicks, s.MaxTicks = name, 150, 2, 2
	return s
}

// both returns links in both directions.
func both(links ...string) []string {
	all := links
	for _, l := range links {
		all = append(all, l[3:]+">"+l[:2])
	}
	return all
}
