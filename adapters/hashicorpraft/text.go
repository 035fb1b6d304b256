package hashicorpraft

import (
	"fmt"
	"strings"

	"github.com/hashicorp/raft"
)

// text returns what a datagram says, such as "AppendEntries term 3 prev 4/2 entries 5..6
// commit 4" or "AppendEntries ok term 3 last 6".
func text(b []byte) string {
	f, err := parseFrame(b)
	if err != nil {
		return fmt.Sprintf("%d bytes: %v", len(b), err)
	}
	name := rpcs[f.rpc].name
	switch {
	case f.answer && f.value == nil:
		return fmt.Sprintf("%s error %q", name, f.err)
	case f.answer:
		return strings.TrimSpace(name + " " + answerText(f.value))
	}
	return strings.TrimSpace(name + " " + requestText(f))
}

func requestText(f frame) string {
	switch r := f.value.(type) {
	case *raft.AppendEntriesRequest:
		if len(r.Entries) == 0 && r.PrevLogEntry == 0 && r.LeaderCommitIndex == 0 {
			return fmt.Sprintf("heartbeat term %d", r.Term)
		}
		return fmt.Sprintf("term %d prev %d/%d%s commit %d", r.Term, r.PrevLogEntry, r.PrevLogTerm, entriesText(r.Entries), r.LeaderCommitIndex)
	case *raft.RequestVoteRequest:
		text := fmt.Sprintf("term %d last %d/%d", r.Term, r.LastLogIndex, r.LastLogTerm)
		if r.LeadershipTransfer {
			text += " transfer"
		}
		return text
	case *raft.InstallSnapshotRequest:
		return fmt.Sprintf("term %d last %d/%d, %d bytes", r.Term, r.LastLogIndex, r.LastLogTerm, len(f.data))
	case *raft.TimeoutNowRequest:
		return ""
	}
	return fmt.Sprintf("%s last %d/%d", termOf(f.value), number(f.value, "LastLogIndex"), number(f.value, "LastLogTerm"))
}

func answerText(value any) string {
	switch r := value.(type) {
	case *raft.AppendEntriesResponse:
		return fmt.Sprintf("%s term %d last %d", verdict(r.Success), r.Term, r.LastLog)
	case *raft.RequestVoteResponse:
		return fmt.Sprintf("%s term %d", verdict(r.Granted), r.Term)
	case *raft.InstallSnapshotResponse:
		return fmt.Sprintf("%s term %d", verdict(r.Success), r.Term)
	case *raft.TimeoutNowResponse:
		return "ok"
	}
	granted := fieldOf(value, "Granted")
	return verdict(granted.IsValid() && granted.Bool()) + " " + termOf(value)
}

// termOf returns the term in a value whose type the code cannot name.
func termOf(value any) string { return fmt.Sprintf("term %d", number(value, "Term")) }

func number(value any, field string) uint64 {
	if f := fieldOf(value, field); f.IsValid() && f.CanUint() {
		return f.Uint()
	}
	return 0
}

func verdict(ok bool) string {
	if ok {
		return "ok"
	}
	return "refused"
}

func entriesText(entries []*raft.Log) string {
	switch len(entries) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" entry %d", entries[0].Index)
	}
	return fmt.Sprintf(" entries %d..%d", entries[0].Index, entries[len(entries)-1].Index)
}
