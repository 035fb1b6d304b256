package generate

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed raft.ded
var raftRules string

// Bug is what is wrong with a Raft.
type Bug string

// What can be wrong.
const (
	Fixed        Bug = "fixed"        // nothing
	VotesBlindly Bug = "votesblindly" // a process votes for one whose log is behind its own
)

// Raft elects leaders and replicates a log. The bounds of faults are a text such as
// "omissions=4 crashes=1".
func Raft(bug Bug, processes, eot int, faults string) Model {
	names := named(processes)
	var w writer
	w.bounds(names, "eot=%d %s", eot, faults)
	for i, p := range names {
		w.line("term(%q, 0)@1; log(%q, 0, 0, \"\")@1; committed(%q, 0)@1;", p, p, p)
		w.line("waited(%q, 0)@1; patience(%q, %d)@1;", p, p, patience(i))
		for _, q := range names {
			if p != q {
				w.line("member(%q, %q)@1;", p, q)
			}
		}
		for round := 4; round <= eot; round += 4 {
			w.line("command(%q)@%d;", p, round)
		}
	}
	// Who leads has what it counts, so that one less is a majority.
	w.line("%s", filled(raftRules, map[string]int{"MAJORITY": majority(processes), "OTHERS": majority(processes) - 1}))
	if bug == VotesBlindly {
		w.line("behind(P, C, T) :- ask(P, C, T, I, S), T < 0;")
	} else {
		w.line("behind(P, C, T) :- ask(P, C, T, I, S), last(P, J), log(P, J, R, V), R > S;")
		w.line("behind(P, C, T) :- ask(P, C, T, I, S), last(P, J), log(P, J, S, V), J > I;")
	}
	name := fmt.Sprintf("raft-%s-p%d-eot%d-%s", bug, processes, eot, strings.ReplaceAll(faults, " ", "-"))
	return Model{Name: name, Text: w.String()}
}

// patience is how many rounds the process with this index waits for a leader. The
// first one hardly does, and the others give it time to win and to be heard.
func patience(i int) int {
	if i == 0 {
		return 1
	}
	return 2 + i
}
