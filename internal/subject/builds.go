package subject

import (
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
)

// Builds tells whether the command of a host builds it: how long that takes says nothing of
// what is asked.
func Builds(system string) bool {
	words, err := text.ShellSplit(system)
	return err == nil && gobuild.OfGo(words)
}
