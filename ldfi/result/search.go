package result

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"

	"github.com/lineage-driven/ldfi/rounds"
)

// Search describes how a system was searched.
type Search struct {
	Strategy    string          `json:"strategy"`            // its name
	Why         string          `json:"why"`                 // the reason why it was chosen, a phrase
	Seed        uint64          `json:"seed"`                // the seed of the random choices of the strategy
	Executions  int             `json:"executions"`          // the number of executions, up to and including the first that violates a property
	Further     int             `json:"further"`             // the number of executions after these, in search of a schedule with fewer faults
	Below       int             `json:"below"`               // the further executions had fewer faults than this; 0 without such executions
	Untried     int             `json:"untried,omitempty"`   // later starts of the faults of the counterexample that were not executed: they are as many as twice the executions that found it allow, at least 20
	States      int             `json:"states,omitempty"`    // the number of different global states and histories that were met before a violation; 0: only whole executions were looked at
	Found       rounds.Schedule `json:"found,omitzero"`      // the schedule that was found, before it was made smaller
	Guarantee   string          `json:"guarantee"`           // what it means that nothing was found, a phrase; empty if it means nothing
	Continued   int             `json:"continued,omitempty"` // the number of executions made to see whether others were late
	Late        *Late           `json:"late,omitempty"`      // executions that were late, and therefore violate nothing; none if there were none
	Certificate *Certificate    `json:"certificate,omitempty"`

	// Past has a line for each known violation, or known end of a program, that the
	// search ignored.
	Past []string `json:"past,omitempty"`

	// Known are the names of the properties with known violations. The search ignores
	// these violations, and the verdict is about everything else.
	Known []string `json:"known,omitempty"`

	// ByHost tells that a host searched by itself. Its results are not verified, except
	// for the counterexamples, which ldfi has executed.
	ByHost bool `json:"by_host,omitempty"`

	// Inexact is the reason why executions of one schedule may differ, so that a
	// schedule that was executed may still break a property; "" if the search has seen
	// no reason.
	Inexact string `json:"inexact,omitempty"`

	// Statistics are those of the executions of the search, if they were asked for.
	Statistics *Statistics `json:"statistics,omitempty"`

	// For an inconclusive answer of a strategy that draws schedules: Drawn is the least
	// probability with which a schedule of faults within the bounds was drawn, and
	// Enough is the number of executions that makes it 95 %.
	Drawn  float64  `json:"drawn,omitempty"`
	Enough *big.Int `json:"enough,omitempty"` // the number of executions that draw each schedule with a probability of 95 %
}

// Certificate describes what the verdict Holds on a system covers, and what it rests
// on.
type Certificate struct {
	Bounds      rounds.Bounds   `json:"bounds"`
	Settings    rounds.Settings `json:"settings,omitzero"`    // the seed and ticks of every execution
	Schedules   *big.Int        `json:"schedules"`            // the number of schedules within the bounds; an upper bound of it if the scope has at_most
	Untried     int             `json:"untried,omitempty"`    // later starts of the faults of the counterexample that were not executed: they are as many as twice the executions that found it allow, at least 20
	States      int             `json:"states"`               // the number of different global states and histories; 0: only whole executions were looked at
	Transitions int             `json:"transitions"`          // the number of different local transitions that were executed
	Executions  int             `json:"executions"`           // the number of whole executions
	Late        *Late           `json:"late,omitempty"`       // executions in which something was late: it happened within 8 times the rounds after their last fault
	Assumption  string          `json:"assumption,omitempty"` // the assumption that the certificate rests on, a sentence; empty if there is none
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

// Summary returns the answer of a search of a system as one line of text.
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
	Text       string `json:"text"` // what the search is doing, a phrase
}
