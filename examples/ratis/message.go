package ratis

// entry is one of a log: the term of the leader who put it there, and the request that it
// is of, 0 if the leader begins with it.
type entry struct{ Term, Request int }

// The messages of servers.
type (
	appendEntries struct {
		Term           int
		Prev, PrevTerm int   // where the entry before is, and its term
		Entry          entry // the zero entry: a heartbeat
	}
	taken       struct{ Term, Match int } // the log is that of the leader up to there
	refuse      struct{ Term, Next int }  // and which entry should come next
	later       struct{ Term int }        // to a leader of a former term
	requestVote struct{ Term, Last, LastTerm int }
	vote        struct{ Term int }
)

// The messages between client and servers. Requests have the numbers from 1.
type (
	ask       struct{ Request int }
	answer    struct{ Request int }
	notLeader struct{ Request int }
	restarted struct{} // whatever was asked is forgotten
)

// termOf returns the term that a message of a server says it is of.
func termOf(payload any) int {
	switch p := payload.(type) {
	case appendEntries:
		return p.Term
	case requestVote:
		return p.Term
	case later:
		return p.Term
	default:
		return 0
	}
}
