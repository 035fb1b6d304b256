package result

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"

	"github.com/lineage-driven/ldfi/rounds"
)

// Search is how a system was searched.
type Search struct {
	Strategy    string          `json:"strategy"`            // its name
	Why         string          `json:"why"`                 // it was taken
	Seed        uint64          `json:"seed"`                // what the random choices of the strategy came from
	Executions  int             `json:"executions"`          // up to and with the first that violates a property
	Further     int             `json:"further"`             // executions behind these, in search of a schedule with fewer faults
	Below       int             `json:"below"`               // than so many; 0 without such executions
	Untried     int             `json:"untried,omitempty"`   // later starts of the faults of the counterexample that were not executed: they are as many as twice the executions that found it allow, at least 20
	States      int             `json:"states,omitempty"`    // of a violation: different global states and histories that were met before it; 0: whole executions alone were looked at
	Found       rounds.Schedule `json:"found,omitzero"`      // before it was made smaller
	Guarantee   string          `json:"guarantee"`           // what finding nothing says, a phrase; empty if there is nothing to say
	Continued   int             `json:"continued,omitempty"` // executions to see whether others were late
	Late        *Late           `json:"late,omitempty"`      // executions that were late, and so violate nothing; none if there were none
	Certificate *Certificate    `json:"certificate,omitempty"`

	// Past has a line for each thing that the search went past, since it is known: what
	// violates something, or ends a program.
	Past []string `json:"past,omitempty"`

	// Known names the properties of which violations are known. The search goes past
	// these, and the verdict is about everything else.
	Known []string `json:"known,omitempty"`

	// ByHost tells that a host searched by itself, and that everything but the
	// counterexamples is its word: these ldfi has executed.
	ByHost bool `json:"by_host,omitempty"`

	// Inexact says why executions of one schedule may differ, as far as the search has
	// seen: a schedule that was executed may still break a property. Empty if they
	// cannot.
	Inexact string `json:"inexact,omitempty"`

	// Statistics are those of the executions that were made to search, if they were asked
	// for; none otherwise.
	Statistics *Statistics `json:"statistics,omitempty"`

	// Of an inconclusive answer of a strategy that draws schedules: with which
	// probability at least each schedule of faults within the bounds was drawn, and
	// how many executions are enough for 95 %.
	Drawn  float64  `json:"drawn,omitempty"`
	Enough *big.Int `json:"enough,omitempty"` // so many executions draw each schedule with a probability of 95 %
}

// Certificate says what a verdict Holds on a system covers, and what it rests
// on.
type Certificate struct {
	Bounds      rounds.Bounds   `json:"bounds"`
	Settings    rounds.Settings `json:"settings,omitzero"`    // the seed and ticks of every execution
	Schedules   *big.Int        `json:"schedules"`            // how many there are within the bounds, or at most: the scope says which (at_most)
	Untried     int             `json:"untried,omitempty"`    // later starts of the faults of the counterexample that were not executed: they are as many as twice the executions that found it allow, at least 20
	States      int             `json:"states"`               // different global states and histories, or the local states of the table; 0: whole executions alone were looked at
	Transitions int             `json:"transitions"`          // different local transitions that were executed
	Executions  int             `json:"executions"`           // whole executions
	Late        *Late           `json:"late,omitempty"`       // executions that were late, and came about within 8 times their calm rounds
	Assumption  string          `json:"assumption,omitempty"` // what is taken for granted, a sentence; empty if nothing is
}

// String returns the certificate as a sentence.
func (c *Certificate) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no schedule violates a property: %s, ", c.Bounds)
	if !schedules.Exact(c.Bounds) {
		b.WriteString("at most ")
	}
	fmt.Fprintf(&b, "%s schedules", c.Schedules)
	if c.States > 0 {
		fmt.Fprintf(&b, ", %d states, %d local transitions", c.States, c.Transitions)
	}
	fmt.Fprintf(&b, ", %d executions", c.Executions)
	if c.Settings != (rounds.Settings{}) {
		fmt.Fprintf(&b, ", with %s", c.Settings)
	}
	if c.Late != nil {
		fmt.Fprintf(&b, ". %s", c.Late)
	}
	if c.Assumption != "" {
		fmt.Fprintf(&b, ". %s", c.Assumption)
	}
	return b.String()
}

// Summary returns the answer of a search of a system in one line.
func (a *Answer) Summary() string {
	s := a.Search
	switch a.Verdict {
	case Violated:
		c := a.First()
		written := fmt.Sprintf("violated after %d executions (%s, seed %d): %s: %s", s.Executions, s.Strategy, s.Seed, c.Schedule, c.Violations[0])
		if c.Continued != nil {
			written += "; " + c.Continued.String()
		}
		if s.Untried > 0 {
			written += "; " + text.Plural(s.Untried, "later start") + " untried"
		}
		return written
	case Holds:
		return fmt.Sprintf("holds (%s): %s", s.Strategy, s.Certificate)
	}
	text := fmt.Sprintf("inconclusive after %d executions (%s, seed %d): %s", s.Executions, s.Strategy, s.Seed, a.Limit.Reason)
	if s.Late != nil {
		text += "; " + s.Late.String()
	}
	if s.Guarantee != "" {
		text += "; " + s.Guarantee
	}
	if s.Inexact != "" {
		text += "; " + InexactUnseen(s.Inexact)
	}
	return text
}

// Progress is how far a search has come.
type Progress struct {
	Executions int    `json:"executions"`
	States     int    `json:"states"`
	Text       string `json:"text"` // what it is doing
}
