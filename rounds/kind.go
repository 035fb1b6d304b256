package rounds

import "fmt"

// Kind is a kind of fault.
type Kind int

// The kinds of fault, in the order in which a schedule lists them.
const (
	Crash   Kind = iota // a process stops sending for ever
	Isolate             // a process neither sends to others nor receives from them
	Omit                // what one process sends to another in one round is lost
	Restart             // a crashed process comes back
)

// kindNames are the words for the kinds in the text of a schedule.
var kindNames = []string{Crash: "crash", Isolate: "isolate", Omit: "omit", Restart: "restart"}

// budgeted are the kinds of fault that bounds have a budget for.
var budgeted = [...]Kind{Crash, Isolate, Omit}

// String returns the word for the kind in the text of a schedule.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind(%d)", int(k))
	}
	return kindNames[k]
}

// noun returns what one fault of the kind is called.
func (k Kind) noun() string {
	return [...]string{Crash: "crash", Isolate: "isolation", Omit: "omission"}[k]
}

// budgetKey returns the setting that limits the faults of the kind.
func (k Kind) budgetKey() string { return pluralOf(k.noun()) }

// budget returns how many faults of a kind there may be.
func (b Bounds) budget(k Kind) int {
	return [...]int{Crash: b.Crashes, Isolate: b.Isolations, Omit: b.Omissions}[k]
}
