package harness

import (
	"fmt"

	"github.com/lineage-driven/ldfi/adapters/coreosraft"
	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Learner is the harness of a bug of all versions v3.3: the ConfState that
// RawNode.ApplyConfChange returns, and which is to be stored, has the learners
// among the voters. So a learner that restarts stands for election, and can become
// the leader. v3.4 tells them apart. A client makes d a learner; one process
// may crash and restart, and one be isolated for a while.
func Learner() *system.System {
	s := coreosraft.System([]string{"a", "b", "c", "d"}, nil, etcd.Members("a", "b", "c"))
	s.Name = "learner"
	s.Requests = etcd.EveryLeader(s.Processes, 15, 35, 5, func(int) any { return etcd.ConfChange{Learners: []string{"d"}} })
	s.Faults = rounds.Bounds{Crashes: 1, Restarts: 1, Isolations: 1, Period: 15}
	s.Properties = append(s.Properties, property.Property{Name: "d only learns", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
		for _, f := range e.Facts {
			if f.Relation == "role" && f.Args[0].Text() == "d" && f.Args[1].Text() != "follower" {
				return []result.Violation{{Property: "d only learns", Text: fmt.Sprintf("%s, and no client has asked for its vote", f)}}
			}
		}
		return nil
	}})
	return s
}
