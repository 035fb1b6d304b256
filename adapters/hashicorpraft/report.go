package hashicorpraft

import (
	"strings"

	"github.com/hashicorp/raft"

	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// reported is what was reported last.
type reported struct {
	commit        uint64
	configuration string
}

// Report reports what the server knows at the end of a round: in every round its role,
// whether it leads, and whom it has voted for; of the rest what has changed.
func (s *server) Report(m *virtual.Machine) {
	role, term := s.raft.State(), s.state.term()
	m.Fact("role", strings.ToLower(role.String()), term)
	if role == raft.Leader {
		m.Fact("leader", term)
	}
	s.reportVote()
	if commit := s.state.commitIndex(); commit != s.reported.commit {
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
	index, servers := s.state.configuration()
	var voters, others []string
	for _, server := range servers {
		if server.Suffrage == raft.Voter {
			voters = append(voters, nameOf(server.Address))
		} else {
			others = append(others, nameOf(server.Address))
		}
	}
	text := strings.Join(voters, " ") + "|" + strings.Join(others, " ")
	if index == 0 || s.reported.configuration == text {
		return
	}
	s.reported.configuration = text
	m.Fact("configuration", index, strings.Join(voters, " "), strings.Join(others, " "))
}
