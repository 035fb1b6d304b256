package provenance

import "github.com/lineage-driven/ldfi/rounds/recording"

// Options say how far Evaluate goes. The zero value evaluates everything
// without limits.
type Options struct {
	Only     []string        // evaluate only these relations and what they depend on; nil: all
	MaxFacts int             // stop at more possible facts, or three times as many firings; 0: no limit
	MaxGates int             // stop when the circuit has more gates; 0: no limit
	Progress func(round int) // called when the facts of a round are next

	// Further facts may hold or not: each has a variable of its own, behind those
	// of the faults (Graph.Further). They are of relations that no rule derives.
	// Those of others, with another number of columns, or of rounds beyond the
	// bounds make no difference.
	Further []recording.Fact
}
