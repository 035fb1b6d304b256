package learned

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Table is what is known of the processes of a system. Processes, states, lists of
// messages and sets of facts are numbers from 0, the places in the lists that name
// them.
type Table struct {
	Processes []string         `json:"processes"`
	States    [][]string       `json:"states"`   // of each process, in its own words
	Starts    []int            `json:"starts"`   // of each process, the state before the first round
	Messages  [][]Message      `json:"messages"` // lists of what one process sends another in a round; the first is empty
	Facts     []recording.Fact `json:"facts"`    // that are reported, in whatever round
	Sets      [][]int          `json:"sets"`     // of these facts; the first is empty
	Sends     []Send           `json:"sends"`
	Steps     []Step           `json:"steps"`
	Settings  rounds.Settings  `json:"settings"` // of all executions that have shown this
}

// Message is a message as recordings have it.
type Message struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// Send is what a process sends in a round before which it is in a state: to each
// process a list of messages.
type Send struct {
	Process int   `json:"process"`
	Round   int   `json:"round"`
	State   int   `json:"state"`
	To      []int `json:"to"`
}

// Step is how a process ends a round before which it is in a state, and in which it
// gets a list of messages from each process: it is in the state Next then, and has
// reported a set of facts.
type Step struct {
	Process int   `json:"process"`
	Round   int   `json:"round"`
	State   int   `json:"state"`
	From    []int `json:"from"`
	Next    int   `json:"next"`
	Set     int   `json:"set"`
}

// Compare orders what is sent by who sends it, when and where from.
func (s Send) Compare(other Send) int {
	return slices.Compare([]int{s.Process, s.Round, s.State}, []int{other.Process, other.Round, other.State})
}

// Compare orders steps by who makes them, when and from where.
func (s Step) Compare(other Step) int {
	return slices.Compare(append([]int{s.Process, s.Round, s.State}, s.From...), append([]int{other.Process, other.Round, other.State}, other.From...))
}

// Learned is a table, and the answer to the search for what it lacks: holds if
// nothing that is not known can happen within the bounds.
type Learned struct {
	Table  *Table         `json:"table"`
	Answer *result.Answer `json:"answer"`
}

// Complete tells whether nothing that is not known can happen within the bounds.
func (l *Learned) Complete() bool { return l.Answer.Verdict == result.Holds }

// Check reports numbers that name nothing, in a table of a system with these processes
// and rounds.
func (t *Table) Check(processes []string, eot int) error {
	c := checker{Table: t, eot: eot}
	switch n := len(processes); {
	case fmt.Sprintf("%q", t.Processes) != fmt.Sprintf("%q", processes):
		return fmt.Errorf("it is of the processes %q, and not %q", t.Processes, processes)
	case len(t.States) != n || len(t.Starts) != n:
		return fmt.Errorf("it has states of %d processes, %d of them before the first round, and not of %d", len(t.States), len(t.Starts), n)
	case len(t.Messages) == 0 || len(t.Messages[0]) > 0 || len(t.Sets) == 0 || len(t.Sets[0]) > 0:
		return fmt.Errorf("its first list of messages and its first set of facts are not empty")
	}
	for p, start := range t.Starts {
		c.number(start, len(t.States[p]), "a state before the first round")
	}
	for _, set := range t.Sets {
		c.numbers(set, len(t.Facts), "a fact")
	}
	for _, s := range t.Sends {
		c.row(s.Process, s.Round, s.State, s.To)
	}
	for _, s := range t.Steps {
		if c.row(s.Process, s.Round, s.State, s.From); c.err == nil {
			c.number(s.Next, len(t.States[s.Process]), "a next state")
			c.number(s.Set, len(t.Sets), "a set of facts")
		}
	}
	return c.err
}

// checker keeps what is wrong first.
type checker struct {
	*Table
	eot int
	err error
}

func (c *checker) number(n, most int, of string) {
	if c.err == nil && (n < 0 || n >= most) {
		c.err = fmt.Errorf("it has %s with the number %d, and there are %d", of, n, most)
	}
}

func (c *checker) numbers(all []int, most int, of string) {
	for _, n := range all {
		c.number(n, most, of)
	}
}

func (c *checker) row(process, round, state int, lists []int) {
	c.number(process, len(c.Processes), "a process")
	c.number(round-1, c.eot, "a round (less one)")
	if c.err == nil {
		c.number(state, len(c.States[process]), "a state")
	}
	if c.err == nil && len(lists) != len(c.Processes) {
		c.err = fmt.Errorf("it has %d lists of messages in a row, and %d processes", len(lists), len(c.Processes))
	}
	c.numbers(lists, len(c.Messages), "a list of messages")
}
