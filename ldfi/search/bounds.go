package search

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// DefaultBounds returns b with the processes and rounds of the system where it
// has none. When it allows no faults at all, it gets at most two isolations, in
// four phases.
func DefaultBounds(s *system.System, b rounds.Bounds) rounds.Bounds {
	if b.Processes == nil {
		b.Processes = s.Processes
	}
	if b.EOT == 0 {
		b.EOT = s.Rounds
	}
	if b.Crashes == 0 && b.Isolations == 0 && b.Omissions == 0 && b.Pauses == 0 {
		b.Isolations, b.Period = 2, max((b.EOT+3)/4, 1)
	}
	b.CrashStop = true
	return b
}
