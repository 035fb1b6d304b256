package causality

import (
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Held returns the other processes that had the fact of the change missing at a crash
// in the execution e: the crash that loses the message that would have given the fact,
// or the messages of instead. These processes could have passed the fact on. Held
// returns nil if no crash, or crashes of several processes, lose these messages, or if
// the crashed process did not have the fact.
func Held(missing result.Change, instead []result.Cause, e *recording.Execution) *result.Held {
	crash, ok := crashOf(slices.Concat(missing.Causes, instead))
	if !ok || !missing.Missing || len(missing.Fact.Args) == 0 {
		return nil
	}
	var had []string
	for _, f := range e.Facts {
		if f.Round == crash.Round && f.Relation == missing.Fact.Relation && slices.Equal(f.Args[1:], missing.Fact.Args[1:]) {
			had = append(had, f.Args[0].Text())
		}
	}
	if !slices.Contains(had, crash.Process) {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(e.Bounds.Processes), func(p string) bool { return p == crash.Process || !slices.Contains(had, p) })
	return &result.Held{Crash: rounds.Schedule{Faults: []rounds.Fault{crash}}, Processes: others}
}

// crashOf returns the one crash because of which the senders of some messages no longer
// send them.
func crashOf(causes []result.Cause) (crash rounds.Fault, ok bool) {
	for _, c := range causes {
		if c.From == "" || len(c.Fault.Faults) == 0 || c.Fault.Faults[0].Kind != rounds.Crash || c.Fault.Faults[0].Process != c.From {
			continue
		}
		if ok && crash != c.Fault.Faults[0] {
			return rounds.Fault{}, false
		}
		crash, ok = c.Fault.Faults[0], true
	}
	return crash, ok
}
