package subject

import (
	"github.com/lineage-driven/ldfi/internal/hostbuild"
	"github.com/lineage-driven/ldfi/internal/text"
)

// Builds tells whether the command of a host builds it: how long that takes says nothing of
// what is asked.
func Builds(system string) bool {
	words, err := text.ShellSplit(system)
	return err == nil && hostbuild.OfGo(words)
}
