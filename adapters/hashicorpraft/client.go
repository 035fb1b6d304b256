package hashicorpraft

import (
	"time"

	"github.com/hashicorp/raft"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// patience is how long a client waits until the leader takes its request.
const patience = 5 * time.Second

// Request does what a client asks. What fails is not answered.
func (s *server) Request(r system.Request) {
	switch ask := r.Payload.(type) {
	case Apply:
		f := s.raft.Apply([]byte(ask), patience)
		if f.Error() == nil {
			s.answer(r, "wrote", f.Index())
		}
	case Read:
		if index, ok := s.read(); ok {
			s.answer(r, "read", index)
		}
	case Verify:
		if s.raft.VerifyLeader().Error() == nil {
			s.answer(r, "verified", s.fsm.last())
		}
	case Barrier:
		if s.raft.Barrier(patience).Error() == nil {
			s.answer(r, "barrier", s.fsm.last())
		}
	default:
		if f := s.order(r.Payload); f.Error() == nil {
			s.machine.Reply(r, "done")
		}
	}
}

// answer answers a client, and reports what it was told.
func (s *server) answer(r system.Request, relation string, index uint64) {
	s.machine.Fact(relation, r.ID, index)
	s.machine.Reply(r, index)
}

// order does what an operator asks.
func (s *server) order(payload any) raft.Future {
	switch ask := payload.(type) {
	case AddVoter:
		return s.raft.AddVoter(raft.ServerID(ask.Server), addressOf(ask.Server), 0, patience)
	case AddNonvoter:
		return s.raft.AddNonvoter(raft.ServerID(ask.Server), addressOf(ask.Server), 0, patience)
	case DemoteVoter:
		return s.raft.DemoteVoter(raft.ServerID(ask.Server), 0, patience)
	case Remove:
		return s.raft.RemoveServer(raft.ServerID(ask.Server), 0, patience)
	case Snapshot:
		return s.raft.Snapshot()
	case Shutdown:
		return s.raft.Shutdown()
	case Transfer:
		if ask.To == "" {
			return s.raft.LeadershipTransfer()
		}
		return s.raft.LeadershipTransferToServer(raft.ServerID(ask.To), addressOf(ask.To))
	}
	panic("the cluster does not know what to do with this request: it is no type of package hashicorpraft")
}

// read returns the index of the newest value, if the server has led all the while that
// it was asked.
func (s *server) read() (index uint64, ok bool) {
	term := s.stable.term()
	if s.raft.State() != raft.Leader || !s.catchUp(term) || s.raft.VerifyLeader().Error() != nil {
		return 0, false
	}
	index = s.fsm.last()
	return index, s.stable.term() == term
}

// catchUp makes sure that the leader of a term has applied what was committed before
// that term: by a barrier, once.
func (s *server) catchUp(term uint64) bool {
	s.mutex.Lock()
	done := s.behind == term
	s.mutex.Unlock()
	if done {
		return true
	}
	if s.raft.Barrier(patience).Error() != nil || s.stable.term() != term {
		return false
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.behind = term
	return true
}
