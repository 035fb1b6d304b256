package vet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/internal/vet"
)

// TestOrbits lists the orbits of the programs of testdata.
func TestOrbits(t *testing.T) {
	var text strings.Builder
	text.WriteString("# The processes that each program below testdata/protocols does not tell apart, as far as\n# its promise depends on them.\n\n")
	for _, c := range oracle.Protocols(t) {
		s := vet.SymmetryOf(c.Program.Slice("pre", "post", "good", "violation"), c.Bounds)
		fmt.Fprintf(&text, "%-36s %s\n", c.Name, orbits(s, c.Bounds.Processes))
	}
	golden.Equal(t, "orbits.txt", []byte(text.String()))
}

// orbits names the processes of each orbit.
func orbits(s *vet.Symmetry, processes []string) string {
	var texts []string
	for _, orbit := range s.Orbits {
		var names []string
		for _, p := range orbit {
			names = append(names, processes[p])
		}
		texts = append(texts, strings.Join(names, " "))
	}
	if texts == nil {
		return "-"
	}
	return strings.Join(texts, ", ")
}
