package etcd

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// report reports what the node thinks of itself, at the end of a round and after a
// restart.
func (p *process) report(s *system.Step) {
	p.reportRole(s)
	p.reportVote(s)
	p.reportLog(s)
}

// reportLog reports the end of the log of a process that does not vote, as far as it
// knows: others who know that it does may need its vote.
func (p *process) reportLog(s *system.Step) {
	if self := numberOf(s, s.Process()); slices.Contains(p.config.Voters, self) || slices.Contains(p.config.Outgoing, self) {
		return
	}
	index, term, err := p.node.Last()
	must(err)
	s.Fact("log", index, term)
}

// reportStored reports what has changed, as soon as it is stored. A vote that has
// not changed may be over by the end of the round: a node that is alone goes on to
// the next term at once.
func (p *process) reportStored(s *system.Step, before Status) {
	p.reportRole(s)
	if status := p.work.Status; status.Term != before.Term || status.Vote != before.Vote {
		p.reportVote(s)
	}
}

func (p *process) reportRole(s *system.Step) {
	role := Status{Term: p.work.Term, Role: p.work.Role}
	if role == p.reported.role {
		return
	}
	p.reported.role = role
	s.Fact("role", same(&p.role, role.Role), role.Term)
	if role.Role == "leader" {
		s.Fact("leader", role.Term)
	}
}

func (p *process) reportVote(s *system.Step) {
	vote := Status{Term: p.work.Term, Vote: p.work.Vote}
	if vote == p.reported.vote || vote.Vote == 0 {
		return
	}
	p.reported.vote = vote
	s.Fact("vote", vote.Term, same(&p.vote, nameOf(s, vote.Vote)))
}

// same returns a text as an argument of a fact, the one before if it is the same:
// each would be allocated.
func same(before *any, text string) any {
	if *before != text {
		*before = text
	}
	return *before
}

// reported is what was reported in a round already.
type reported struct{ role, vote Status }

// reportCommitted reports that an entry is applied.
func (p *process) reportCommitted(s *system.Step, e Entry) {
	if e.Change != nil {
		s.Fact("committed", e.Index, e.Term, e.Change.text(func(n uint64) string { return nameOf(s, n) }))
		return
	}
	_, value := parseData(e.Data)
	s.Fact("committed", e.Index, e.Term, value)
}

// reportConfig reports the configuration, unless it is known.
func (p *process) reportConfig(s *system.Step) {
	if p.known {
		return
	}
	p.known = true
	members := func(relation string, nodes []uint64) {
		for _, n := range nodes {
			s.Fact(relation, p.last, nameOf(s, n))
		}
	}
	members("voter", p.config.Voters)
	members("outgoing", p.config.Outgoing)
	members("learner", p.config.Learners)
	switch {
	case p.config.Joint() && p.config.AutoLeave:
		s.Fact("joint", p.last, "implicit")
	case p.config.Joint():
		s.Fact("joint", p.last, "explicit")
	}
}

// nameOf returns the name of the process with a number.
func nameOf(s *system.Step, node uint64) string {
	if all := s.Processes(); node >= 1 && node <= uint64(len(all)) {
		return all[node-1]
	}
	return fmt.Sprintf("node %d", node)
}

// numberOf returns the number of a process.
func numberOf(s *system.Step, name string) uint64 {
	for i, p := range s.Processes() {
		if p == name {
			return uint64(i + 1)
		}
	}
	panic(fmt.Sprintf("%q is no process: the processes are %q", name, s.Processes()))
}
