package ldfi_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// What the settings of a program cannot say, its bounds in Go cannot either.
func TestNewRefusesFaultsOfSystems(t *testing.T) {
	p, err := dedalus.ParseText("p.ded", "x(\"a\")@1;\n")
	require.NoError(t, err)
	for want, b := range map[string]rounds.Bounds{
		"bounds: a Dedalus program has no pauses; only systems written in Go do": {Pauses: 1},
		"bounds: a Dedalus program has no disks; only systems written in Go do":  {Disks: true},
		"bounds: partitions: 9 processes can be parted in 255 ways, which is too many: in a program partitions go with at most 8 processes; use isolations or cuts": {
			Partitions: 1, Processes: strings.Split("abcdefghi", "")},
		"bounds: a Dedalus program has no points within a round; only systems written in Go do": {Points: map[string][]string{"a": {"x"}}},
	} {
		if b.EOT = 3; b.Processes == nil {
			b.Processes = []string{"a", "b", "c", "d"}
		}
		_, err := ldfi.New(p, b, ldfi.Options{})
		require.EqualError(t, err, want)
	}
}
