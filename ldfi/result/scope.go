package result

import (
	"math/big"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// Scope is the set of schedules that a verdict is about.
type Scope struct {
	Bounds    rounds.Bounds `json:"bounds"`
	Scenarios *big.Int      `json:"scenarios"`         // the number of schedules within the bounds
	AtMost    bool          `json:"at_most,omitempty"` // the number of scenarios is an upper bound, because they are not counted exactly
	Text      string        `json:"text"`              // the scope as a phrase: 3 processes, 6 rounds, at most 1 crash: 19 scenarios
}

// ScopeOf returns the scope of the bounds b.
func ScopeOf(b rounds.Bounds) Scope {
	u := schedules.New(b)
	s := Scope{Bounds: b, Scenarios: u.Count(), AtMost: !u.Exact()}
	s.Text = s.text()
	return s
}

func (s Scope) text() string {
	word := " scenarios"
	if s.Scenarios.IsInt64() && s.Scenarios.Int64() == 1 {
		word = " scenario"
	}
	return s.Bounds.String() + ": " + s.atMost() + text.Number(s.Scenarios, longest) + word
}

// atMost stands before a count that is not exact.
func (s Scope) atMost() string {
	if s.AtMost {
		return "at most "
	}
	return ""
}

// longest is the number of digits up to which a count is written out. Data formats
// have the exact count.
const longest = 24
