package etcd

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/recording"
)

// appliedConfig is a configuration that a process reported as applied.
type appliedConfig struct {
	process                    string
	round                      int
	index                      int64
	term                       int64 // the highest that the process was in in the round; unknown: no number is higher
	voters, outgoing, learners []string
	implicit                   bool // the leader leaves it by itself
}

// String returns who votes, such as "[a b c]", or "[a b c]&[c d e]".
func (c *appliedConfig) String() string {
	if c.joint() {
		return fmt.Sprintf("%s&%s", c.voters, c.outgoing)
	}
	return fmt.Sprint(c.voters)
}

// joint tells whether majorities of two sets of voters are needed.
func (c *appliedConfig) joint() bool { return len(c.outgoing) > 0 }

// votes tells whether a process is a voter, incoming or outgoing.
func (c *appliedConfig) votes(process string) bool {
	return slices.Contains(c.voters, process) || slices.Contains(c.outgoing, process)
}

// learns tells whether a process is a learner, and has no vote.
func (c *appliedConfig) learns(process string) bool {
	return slices.Contains(c.learners, process) && !c.votes(process)
}

// majority tells whether some processes can decide.
func (c *appliedConfig) majority(of func(process string) bool) bool {
	return len(c.voters) > 0 && majorityOf(c.voters, of) && (len(c.outgoing) == 0 || majorityOf(c.outgoing, of))
}

func majorityOf(voters []string, of func(process string) bool) bool {
	n := 0
	for _, v := range voters {
		if of(v) {
			n++
		}
	}
	return n > len(voters)/2
}

// configsOf returns the configurations that processes reported, by round, and by
// index within a round.
func configsOf(e *recording.Execution) []*appliedConfig {
	type key struct {
		process string
		round   int
		index   int64
	}
	known := map[key]*appliedConfig{}
	var all []*appliedConfig
	terms := termsOf(e)
	for _, f := range e.Facts {
		switch f.Relation {
		case "voter", "outgoing", "learner", "joint":
			k := key{f.Args[0].Text(), f.Round, f.Args[1].Int()}
			if known[k] == nil {
				known[k] = &appliedConfig{process: k.process, round: k.round, index: k.index, term: terms(k.process, k.round)}
				all = append(all, known[k])
			}
			known[k].add(f.Relation, f.Args[2].Text())
		}
	}
	slices.SortStableFunc(all, func(c, d *appliedConfig) int {
		return cmp.Or(cmp.Compare(c.round, d.round), cmp.Compare(c.index, d.index))
	})
	return all
}

// termsOf returns a function to the highest term of a process in a round.
func termsOf(e *recording.Execution) func(process string, round int) int64 {
	type key struct {
		process string
		round   int
	}
	terms := map[key]int64{}
	for _, f := range e.Facts {
		if f.Relation == "role" {
			k := key{f.Args[0].Text(), f.Round}
			terms[k] = max(terms[k], f.Args[2].Int())
		}
	}
	return func(process string, round int) int64 {
		if term, ok := terms[key{process, round}]; ok {
			return term
		}
		return math.MaxInt64
	}
}

// inUse returns the configuration that a process has at the end, nil if none.
func inUse(configs []*appliedConfig, process string) (last *appliedConfig) {
	return inUseBy(configs, process, math.MaxInt)
}

// inUseBy returns the configuration that a process has at the end of a round, nil if
// none.
func inUseBy(configs []*appliedConfig, process string, round int) (last *appliedConfig) {
	for _, c := range configs {
		if c.process == process && c.round <= round {
			last = c
		}
	}
	return last
}

func (c *appliedConfig) add(relation, value string) {
	switch relation {
	case "voter":
		c.voters = append(c.voters, value)
	case "outgoing":
		c.outgoing = append(c.outgoing, value)
	case "learner":
		c.learners = append(c.learners, value)
	case "joint":
		c.implicit = value == "implicit"
	}
}
