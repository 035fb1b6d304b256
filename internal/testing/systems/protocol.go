package systems

import (
	"os"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Protocol is a published bug, or its fix, as a program.
type Protocol struct {
	Bounds  rounds.Bounds
	program *dedalus.Program
	machine *lockstep.Machine
}

// Catalogue returns a program of testdata/protocols/catalogue, for a test two or three
// folders below the root.
func Catalogue(t testing.TB, name string) *Protocol {
	t.Helper()
	file := "../../testdata/protocols/catalogue/" + name + ".ded"
	if _, err := os.Stat(file); err != nil {
		file = "../" + file
	}
	program, err := dedalus.Parse(file)
	require.NoError(t, err)
	bounds, _, err := rounds.BoundsOf(program, nil)
	require.NoError(t, err)
	machine, err := lockstep.Compile(program, bounds, lockstep.Options{Only: []string{"pre", "post", "violation"}})
	require.NoError(t, err)
	return &Protocol{bounds, program, machine}
}

// Check returns what ldfi finds within the bounds of the program.
func (p *Protocol) Check(t testing.TB) *result.Answer {
	t.Helper()
	model, err := ldfi.New(p.program, p.Bounds, ldfi.Options{})
	require.NoError(t, err)
	answer, err := model.Check(t.Context())
	require.NoError(t, err)
	return answer
}

// Breaks tells whether the protocol breaks its promise under a schedule: there is a
// violation, or in the end a pre without its post.
func (p *Protocol) Breaks(t testing.TB, schedule string) bool {
	t.Helper()
	run, err := p.machine.Run(t.Context(), parse(t, schedule))
	require.NoError(t, err)
	for round := 1; round <= p.Bounds.EOT; round++ {
		if len(run.Facts("violation", round)) > 0 {
			return true
		}
	}
	kept := run.Facts("post", p.Bounds.EOT)
	return slices.ContainsFunc(run.Facts("pre", p.Bounds.EOT), func(promised []specs.Value) bool {
		return !slices.ContainsFunc(kept, func(row []specs.Value) bool { return slices.Equal(row, promised) })
	})
}

// RequireLike requires that a system breaks under those of the schedules under which the
// protocol does, and returns how many these are.
func (p *Protocol) RequireLike(t testing.TB, s *system.System, schedules []string) (broken int) {
	t.Helper()
	for _, schedule := range schedules {
		breaks := p.Breaks(t, schedule)
		require.Equal(t, breaks, len(Violations(t, s, schedule)) > 0, "%s under %q", s.Name, schedule)
		if breaks {
			broken++
		}
	}
	return broken
}
