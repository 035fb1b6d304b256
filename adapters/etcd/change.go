package etcd

import (
	"strconv"
	"strings"
)

// Change is a change of the configuration as the log has it. Without nodes it
// leaves a joint configuration.
type Change struct {
	Nodes      []NodeChange `json:",omitempty"`
	Transition Transition   `json:",omitempty"`
	Context    []byte       `json:",omitempty"` // of who asked for it
}

// NodeChange is what becomes of one node.
type NodeChange struct {
	Op   Op
	Node uint64
}

// Op is what becomes of a node, in the letters of the library.
type Op byte

// The operations.
const (
	AddVoter   Op = 'v' // a learner is promoted
	AddLearner Op = 'l' // a voter is demoted
	Remove     Op = 'r'
	Update     Op = 'u' // nothing
)

// Transition is how the nodes get from one configuration to the next, in the
// library's numbers.
type Transition int

// The transitions.
const (
	Auto          Transition = iota // one change is simple, several are as JointImplicit
	JointImplicit                   // through a joint configuration, which the leader leaves by itself
	JointExplicit                   // through a joint configuration, which a client has to leave
)

// Simple tells whether every version of the library knows how to do the change.
func (c Change) Simple() bool { return len(c.Nodes) == 1 && c.Transition == Auto }

// String returns the change with the numbers of nodes, such as
// "voter 4, remove 1, joint".
func (c Change) String() string {
	return c.text(func(n uint64) string { return strconv.FormatUint(n, 10) })
}

var opNames = map[Op]string{AddVoter: "voter", AddLearner: "learner", Remove: "remove", Update: "update"}

// text returns the change with other names of the nodes.
func (c Change) text(name func(node uint64) string) string {
	if len(c.Nodes) == 0 {
		return "leave joint"
	}
	var words []string
	for _, n := range c.Nodes {
		words = append(words, opNames[n.Op]+" "+name(n.Node))
	}
	switch {
	case c.Transition == JointExplicit:
		words = append(words, "joint until left")
	case !c.Simple():
		words = append(words, "joint")
	}
	return strings.Join(words, ", ")
}

// Config is who takes part. A joint configuration has outgoing voters as well:
// then majorities of both are needed.
type Config struct {
	Voters       []uint64
	Outgoing     []uint64 `json:",omitempty"`
	Learners     []uint64 `json:",omitempty"`
	LearnersNext []uint64 `json:",omitempty"` // outgoing voters that will be learners
	AutoLeave    bool     `json:",omitempty"` // the leader leaves it by itself
}

// Joint tells whether majorities of two sets of voters are needed.
func (c Config) Joint() bool { return len(c.Outgoing) > 0 }

// features returns what a version of the library needs for the change.
func (c Change) features() []Feature {
	var all []Feature
	if !c.Simple() {
		all = append(all, JointConfigs)
	}
	for _, n := range c.Nodes {
		if n.Op == AddLearner {
			all = append(all, Learners)
		}
	}
	return all
}
