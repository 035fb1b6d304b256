package hashicorpraft

import (
	"strings"

	"github.com/hashicorp/raft"

	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// roles are the texts of roles, as facts have them.
var roles = [...]any{raft.Follower: "follower", raft.Candidate: "candidate", raft.Leader: "leader", raft.Shutdown: "shutdown"}

// reported is what was reported last.
type reported struct {
	commit        uint64
	configuration configuration
}

// Report reports what the server knows at the end of a round: in every round its role,
// whether it leads, and whom it has voted for; of the rest what has changed.
func (s *server) Report(m *virtual.Machine) {
	role, term := s.raft.State(), s.state.term.Uint()
	m.Fact("role", roles[role], term)
	if role == raft.Leader {
		m.Fact("leader", term)
	}
	s.reportVote()
	if commit := s.state.commit.Uint(); commit != s.reported.commit {
		s.reported.commit = commit
		m.Fact("commit", commit)
	}
	s.reportConfiguration(m)
}

// reportVote reports whom the server has voted for last. A server that starts does so
// before it can vote anew.
func (s *server) reportVote() {
	if in, candidate := s.stable.vote(); in > 0 {
		s.machine.Fact("vote", in, candidate)
	}
}

// reportConfiguration reports the newest configuration in the log, which may not be
// committed: the library goes by it.
func (s *server) reportConfiguration(m *virtual.Machine) {
	c := s.state.configuration()
	if c.index == 0 || s.reported.configuration == c {
		return
	}
	s.reported.configuration = c
	voters, others := s.state.members()
	m.Fact("configuration", c.index, strings.Join(voters, " "), strings.Join(others, " "))
}
