package causality

import (
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Held returns who else had a fact, in an execution in which it is missing, when the
// process crashed whose crash loses the message that would have given it, or what was
// sent instead: who else could have sent it on. It is nil if no crash does, or those of
// several processes, or if who crashed did not have the fact, which a message then only
// tells of.
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

// crashOf returns the one crash by which those who send something send it no more.
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
