package search

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// DefaultBounds returns b with the processes and rounds of the system where it
// has none. When it allows no faults at all, it gets those of the system; when
// that has none either, at most two isolations, in four phases.
func DefaultBounds(s *system.System, b rounds.Bounds) rounds.Bounds {
	if !allows(b) && allows(s.Faults) {
		processes, eot := b.Processes, b.EOT
		b = s.Faults
		b.Processes, b.EOT = processes, eot
	}
	if b.Processes == nil {
		b.Processes = s.Processes
	}
	if b.EOT == 0 {
		b.EOT = s.Rounds
	}
	if !allows(b) {
		b.Isolations, b.Period = 2, max((b.EOT+3)/4, 1)
	}
	b.CrashStop = true
	return b
}

// allows tells whether the bounds allow any fault.
func allows(b rounds.Bounds) bool {
	return b.Crashes != 0 || b.Isolations != 0 || b.Omissions != 0 || b.Pauses != 0
}
