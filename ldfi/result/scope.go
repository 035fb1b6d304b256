package result

import (
	"math/big"

	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/rounds"
)

// Scope is what a verdict speaks about.
type Scope struct {
	Bounds    rounds.Bounds `json:"bounds"`
	Scenarios *big.Int      `json:"scenarios"` // how many schedules there are
	Text      string        `json:"text"`      // as a phrase: 3 processes, 6 rounds, at most 1 crash: 19 scenarios
}

// ScopeOf returns the scope of bounds.
func ScopeOf(b rounds.Bounds) Scope {
	s := Scope{Bounds: b, Scenarios: b.Scenarios()}
	s.Text = s.text()
	return s
}

func (s Scope) text() string {
	word := " scenarios"
	if s.Scenarios.IsInt64() && s.Scenarios.Int64() == 1 {
		word = " scenario"
	}
	return s.Bounds.String() + ": " + plural.Number(s.Scenarios, longest) + word
}

// longest is the number of digits up to which a count is written out. Data formats
// have the exact count.
const longest = 24
