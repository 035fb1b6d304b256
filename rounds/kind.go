package rounds

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/plural"
)

// Kind is a kind of fault.
type Kind int

// The kinds of fault. Dedalus programs have no restarts and pauses.
const (
	Crash   Kind = iota // a process stops sending for ever, or until it restarts
	Isolate             // a process neither sends to others nor receives from them
	Omit                // what one process sends to another in one round is lost
	Restart             // a crashed process comes back with its durable state
	Pause               // a process stands still; what is sent to it waits
)

// kindNames are the words for the kinds in the text of a schedule.
var kindNames = []string{
	Crash: "crash", Isolate: "isolate", Omit: "omit", Restart: "restart", Pause: "pause",
}

// listed are the kinds in the order in which a schedule in normal form has them.
var listed = [...]Kind{Crash, Restart, Pause, Isolate, Omit}

// place is the place of each kind in listed.
var place = func() (place [len(listed)]int) {
	for i, kind := range listed {
		place[kind] = i
	}
	return place
}()

// budgeted are the kinds of fault that bounds have a budget for.
var budgeted = [...]Kind{Crash, Isolate, Omit, Restart, Pause}

// String returns the word for the kind in the text of a schedule.
func (k Kind) String() string {
	if !k.known() {
		return fmt.Sprintf("kind(%d)", int(k))
	}
	return kindNames[k]
}

func (k Kind) known() bool { return k >= 0 && int(k) < len(kindNames) }

// lasts tells whether a fault of the kind has a last round.
func (k Kind) lasts() bool { return k == Isolate || k == Pause }

// order is the place of the kind in a schedule in normal form.
func (k Kind) order() int {
	if !k.known() {
		return len(listed) + int(k)
	}
	return place[k]
}

// Noun returns what one fault of the kind is called: "crash", "isolation".
func (k Kind) Noun() string {
	return [...]string{Crash: "crash", Isolate: "isolation", Omit: "omission", Restart: "restart", Pause: "pause"}[k]
}

// budgetKey returns the setting that limits the faults of the kind.
func (k Kind) budgetKey() string { return plural.Word(k.Noun()) }

// Budget returns how many faults of a kind there may be.
func (b Bounds) Budget(k Kind) int {
	return [...]int{Crash: b.Crashes, Isolate: b.Isolations, Omit: b.Omissions, Restart: b.Restarts, Pause: b.Pauses}[k]
}
