package causality

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
)

// Comparable reports why executions of two versions cannot be compared: they have to have
// the same processes and the same number of rounds.
func Comparable(name string, b rounds.Bounds, other string, c rounds.Bounds) error {
	one, two := slices.Sorted(slices.Values(b.Processes)), slices.Sorted(slices.Values(c.Processes))
	if !slices.Equal(one, two) {
		return fmt.Errorf("%s has the processes %s, and %s %s: only versions with the same processes can be compared", name, strings.Join(one, ", "), other, strings.Join(two, ", "))
	}
	if b.EOT != c.EOT {
		return fmt.Errorf("%s has %d rounds, and %s %d: only versions with the same number of rounds can be compared (--eot says how many)", name, b.EOT, other, c.EOT)
	}
	return nil
}
