package property

import "github.com/lineage-driven/ldfi/rounds/recording"

// Property is something that every execution has to satisfy. Exactly one of
// Rules and Func is set.
type Property struct {
	Name  string
	Rules string                                 // Mangle rules that derive violation(..), or pre(..) and post(..)
	Func  func(*recording.Execution) []Violation // or a function that returns what is wrong

	// FactsOnly says that Func does not look at messages. A search that judges
	// by facts alone executes a system up to twice as often.
	FactsOnly bool
}

// Violation is one way in which an execution does not satisfy a property.
type Violation struct {
	Property string         // its name
	Fact     recording.Fact // what the rules derived, in no round: Round is 0
	Text     string         // the same for people
}

// String returns the name of the property and what is wrong.
func (v Violation) String() string { return v.Property + ": " + v.Text }
