package etcd

import (
	"fmt"
	"slices"
	"strings"
)

// asked returns the request that has a text, as recordings have it, such as
// "at the leader: change: voter d, remove a". A schedule asks by it (ask a@3 "propose x").
func asked(text string, processes []string) (any, error) {
	what, of, _ := strings.Cut(text, " ")
	known := func(names ...string) error {
		for _, n := range names {
			if !slices.Contains(processes, n) {
				return fmt.Errorf("a client asks for %q, and %q is no process: the processes are %q", text, n, processes)
			}
		}
		return nil
	}
	switch rest, atLeader := strings.CutPrefix(text, "at the leader: "); {
	case atLeader:
		payload, err := asked(rest, processes)
		return AtLeader{payload}, err
	case text == "read":
		return ReadIndex{}, nil
	case text == "compact":
		return Compact{}, nil
	case what == "propose":
		return Propose(of), nil
	case strings.HasPrefix(text, "transfer to "):
		to := strings.TrimPrefix(text, "transfer to ")
		return TransferLeader{To: to}, known(to)
	case what == "change:":
		if c, ok := askedChange(of); ok {
			return c, known(slices.Concat(c.Voters, c.Learners, c.Remove)...)
		}
	}
	return nil, fmt.Errorf("a client asks for %q, and can ask for: propose x, read, compact, transfer to a, change: voter a, learner b, remove c, joint until left, change: leave joint; each also at the leader", text)
}

// askedChange reads what [ConfChange.String] writes behind "change: ".
func askedChange(text string) (c ConfChange, ok bool) {
	if text == "leave joint" {
		return c, true
	}
	words := strings.Split(text, ", ")
	switch last := len(words) - 1; words[last] {
	case "joint until left":
		c.Transition, words = JointExplicit, words[:last]
	case "joint":
		words = words[:last]
		if len(words) == 1 {
			c.Transition = JointImplicit
		}
	}
	for _, w := range words {
		switch op, name, _ := strings.Cut(w, " "); op {
		case "voter":
			c.Voters = append(c.Voters, name)
		case "learner":
			c.Learners = append(c.Learners, name)
		case "remove":
			c.Remove = append(c.Remove, name)
		default:
			return c, false
		}
	}
	return c, len(words) > 0
}
