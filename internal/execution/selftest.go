package execution

import "github.com/lineage-driven/ldfi/ldfi/result"

// The self-tests.
const (
	Determinism = "determinism" // the same is done when a schedule is executed again
	States      = "states"      // processes in equal states do the same
	Durability  = "durability"  // crashes make no process forget what it must not
	Orders      = "orders"      // where it matters in which order messages of a round arrive
)

// Test is one self-test: how much it ran, and what it found.
type Test struct {
	Name       string              `json:"name"`                 // determinism, states, durability or orders
	Schedules  int                 `json:"schedules"`            // that were drawn
	Executions int                 `json:"executions"`           // with those that made a finding smaller
	States     int                 `json:"states,omitempty"`     // different local states of processes
	Compared   int                 `json:"compared,omitempty"`   // how often a process did something in a state in which it, or its snapshot, had been before, with the same inbox
	Unnamed    int                 `json:"unnamed,omitempty"`    // how often a process without a fingerprint did something: that is not compared
	Crashes    int                 `json:"crashes,omitempty"`    // after which a process restarted
	Points     int                 `json:"points,omitempty"`     // within a round, at which a process says that it can crash
	CrashedAt  int                 `json:"crashed_at,omitempty"` // those of them at which one crashed
	Never      []string            `json:"never,omitempty"`      // those that nobody came to, as a/persisted
	Inexact    string              `json:"inexact,omitempty"`    // why executions of one schedule may differ, a phrase: then it is no finding that they do
	Differed   int                 `json:"differed,omitempty"`   // schedules of which two executions did
	Orders     int                 `json:"orders,omitempty"`     // how often what several processes sent one in a round was tried in another order
	Matters    result.List[string] `json:"matters,omitempty"`    // where that made a difference, a text each; which is no mistake
	Skipped    string              `json:"skipped,omitempty"`    // why nothing was tested, a phrase
	Found      result.List[string] `json:"found"`                // what is wrong, a text each
}

// SkipSelfTest returns a test that did not run.
func SkipSelfTest(name, why string) Test { return Test{Name: name, Skipped: why} }

// Find notes what a test found, if it found something.
func (t *Test) Find(err error) {
	if err != nil {
		t.Found = append(t.Found, err.Error())
	}
}
