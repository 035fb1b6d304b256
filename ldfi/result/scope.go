package result

import (
	"fmt"
	"math/big"

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
	return s.Bounds.String() + ": " + thousands(s.Scenarios.String()) + word
}

// longest is the number of digits up to which a count is written out.
const longest = 24

// thousands writes a number for a person: 77,824, or about 5.5·10^367. Data
// formats have the exact count.
func thousands(digits string) string {
	if len(digits) > longest {
		return fmt.Sprintf("about %s.%s·10^%d", digits[:1], digits[1:2], len(digits)-1)
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
