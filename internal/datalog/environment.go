package datalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
)

// Relation is one that the table of every execution has.
type Relation struct {
	Name    string
	Columns []string
	About   About

	fault rounds.Kind // whose processes and rounds it has; only of Faults
}

// String returns the relation with its columns: round(Round).
func (r Relation) String() string { return r.Name + "(" + strings.Join(r.Columns, ", ") + ")" }

// About is what a relation tells of an execution.
type About int

// What relations tell of an execution.
const (
	Reports    About = iota // what its processes report: no relation of the Environment
	TableScope              // its processes and rounds
	Faults                  // the faults of its schedule
	Sending                 // its messages, whether they arrive or not
	Arrival                 // its messages that arrive
	Loss                    // its messages that do not
)

// Messages tells whether it is about messages, whose columns are all the same.
func (a About) Messages() bool { return a >= Sending }

// Environment is the relations that the table of every execution has: what is
// known of it beside the facts that processes report. A crash at a point is in crashed
// as well, in its round; parted has two processes on different sides of a partition, in
// both orders.
//
// Text is what a message says besides its receiver: one argument as it is, "" for
// none, and several as a program writes them, "n1", 7. Delivered has the round in
// which a message arrives. Isolated, paused and parted are there for every round that
// they last.
var Environment = []Relation{
	{Name: "eot", Columns: []string{"Rounds"}, About: TableScope},
	{Name: "round", Columns: []string{"Round"}, About: TableScope},
	{Name: "process", Columns: []string{"Process"}, About: TableScope},
	{Name: "before", Columns: []string{"Process", "Process"}, About: TableScope},
	{Name: "crashed", Columns: []string{"Process", "Round"}, About: Faults, fault: rounds.Crash},
	{Name: "crashed_at", Columns: []string{"Process", "Point", "Round"}, About: Faults, fault: rounds.Crash},
	{Name: "restarted", Columns: []string{"Process", "Round"}, About: Faults, fault: rounds.Restart},
	{Name: "isolated", Columns: []string{"Process", "Round"}, About: Faults, fault: rounds.Isolate},
	{Name: "paused", Columns: []string{"Process", "Round"}, About: Faults, fault: rounds.Pause},
	{Name: "parted", Columns: []string{"Process", "Process", "Round"}, About: Faults, fault: rounds.Partition},
	{Name: "sent", Columns: ofMessage, About: Sending},
	{Name: "delivered", Columns: ofMessage, About: Arrival},
	{Name: "lost", Columns: ofMessage, About: Loss},
}

var ofMessage = []string{"From", "To", "Kind", "Text", "Round"}

// Told tells whether a relation of the Environment has faults of a kind.
func Told(k rounds.Kind) bool {
	return slices.ContainsFunc(Environment, func(r Relation) bool { return r.About == Faults && r.fault == k })
}

// Subject returns what a relation of a table is about.
func Subject(relation string) About {
	if i := rank(relation); i < len(Environment) {
		return Environment[i].About
	}
	return Reports
}

// rank is the place of a relation in the Environment, and behind it for others.
func rank(relation string) int {
	for i := range Environment {
		if Environment[i].Name == relation {
			return i
		}
	}
	return len(Environment)
}

// The beginning of a line of rules that answers a question of ldfi, and the one answer
// that there is.
const (
	answers = "# ldfi:"
	counts  = "crashed=counts"
)

// CrashedCounts tells whether the text of rules says, in a line of its own, that what
// processes have reported counts when they have crashed, too.
func CrashedCounts(name, text string) (bool, error) {
	says, number := false, 0
	for line := range strings.Lines(text) {
		number++
		answer, ok := strings.CutPrefix(strings.TrimSpace(line), answers)
		if !ok {
			continue
		}
		if answer = strings.TrimSpace(answer); answer != counts {
			return false, fmt.Errorf("%s:%d:%d: %s: after %s there can only be %s, which says that facts of crashed processes count", name, number, 1+strings.Index(line, answers), answer, answers, counts)
		}
		says = true
	}
	return says, nil
}
