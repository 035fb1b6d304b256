package explain

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// Circuit is a program in the form in which it is sent, as JSON.
//
// The circuit is one sequence of numbers. Each number is in groups of 7 bits, the lowest
// first; all groups but the last have the 8th bit set (as in encoding/binary). The bytes are
// in base64. Ascending numbers are written as differences.
//
// A literal is a node times two, plus one if it is negated. Node 0 is false. The next nodes
// are the units, which are faults and choices, in the order of schedules in normal form.
// Then come the AND gates, each after the nodes that it reads. The sequence has, in this
// order,
//
//   - the units: kind, process+1, to+1, round, until, by, detail+1;
//   - the number of gates, and for each gate two differences: twice its number less the
//     larger literal that it reads, and the larger literal less the smaller one;
//   - the number of atoms that are facts, and for each atom its distance from the atom before,
//     the number of its runs, and for each run the number of rounds from the end of the run
//     before to its begin, its length less one, and its literal;
//   - the number of links on which atoms are sent, and for each link the atom, from+1, to+1
//     and its runs like those of a fact, in the order in which messages are recorded;
//   - the number of goals, and for each goal its round, the atom that holds or is missing,
//     which of both (0: it holds; 1: it is missing; 2: it is missing while another atom holds,
//     which follows), and its literal.
//
// The literal of a run is the difference to that of the run before, times two, with the
// sign as the lowest bit.
type Circuit struct {
	Form     int      `json:"form"` // of the numbers: 1
	Kinds    []Kind   `json:"kinds"`
	Units    int      `json:"units"`
	Details  []string `json:"details,omitempty"`  // what texts of units have besides, such as the sides of a partition
	Both     *Both    `json:"both,omitempty"`     // how many isolations and partitions there may be together
	Stops    bool     `json:"stops,omitempty"`    // who crashes does not receive either
	OwnLost  bool     `json:"ownLost,omitempty"`  // who is isolated loses what it sends itself, too
	Restarts bool     `json:"restarts,omitempty"` // processes come back
	Reliable []int    `json:"reliable,omitempty"` // links on which only crashes lose messages: from*processes+to
	Least    int      `json:"least,omitempty"`    // who takes part in a round receives from so many
	Kernel   bool     `json:"kernel,omitempty"`   // in each round somebody exchanges messages with all others
	Deliver  string   `json:"deliver,omitempty"`  // as the bounds say it
	Core     string   `json:"core,omitempty"`     // and this
	Single   [][]int  `json:"single,omitempty"`   // units that exclude each other: choices
	Pruned   bool     `json:"pruned,omitempty"`   // it is only known what happens within the bounds
	Promised bool     `json:"promised,omitempty"` // something is promised
	Data     string   `json:"data"`               // the numbers
}

// Kind is a kind of fault that some unit has.
type Kind struct {
	Word   string `json:"word"`
	Noun   string `json:"noun"`
	Plural string `json:"plural"`
	Most   int    `json:"most"` // how many there may be; -1: any number
	Bound  string `json:"bound,omitempty"`
	Shape  string `json:"shape"` // of its text: "process", "link", "later", "detail"
	Lasts  bool   `json:"lasts,omitempty"`
}

// Both is how many faults of two kinds there may be together.
type Both struct {
	Most  int    `json:"most"`
	Bound string `json:"bound"`
}

// Goal is a way to break the promise, and when a schedule does.
type Goal struct {
	Violation result.Violation
	Broken    solver.Lit
}

// Atoms numbers facts without their rounds, and messages.
type Atoms interface {
	Atom(relation string, args []specs.Value) int
}

// numbers is a sequence of numbers.
type numbers []byte

func (n *numbers) add(all ...int) {
	for _, x := range all {
		*n = binary.AppendUvarint(*n, uint64(x))
	}
}

func (n numbers) text() string { return base64.RawStdEncoding.EncodeToString(n) }
