package rounds

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
)

// fromKey is the key of the first round in which a fault begins.
const fromKey = "from"

// FirstFault returns the first round in which a fault can begin.
func (b Bounds) FirstFault() int { return max(b.From, 1) }

// fromProblems returns what is wrong with the first round in which a fault begins.
func (b Bounds) fromProblems() []problem {
	wrong := func(format string, args ...any) []problem {
		return []problem{{fromKey, fmt.Sprintf("%s=%d: ", fromKey, b.From) + fmt.Sprintf(format, args...)}}
	}
	switch phased := b.Normal(); {
	case b.From < 0:
		return wrong("it has to be a round, as in %s=20", fromKey)
	case b.EOT < 1 || b.From <= 1:
		return nil
	case b.From > b.EOT:
		return wrong("%v", noRound(b.From, b.EOT))
	case b.From > b.LastFault() && b.FaultFree > 0 && b.FaultFree < b.EOT:
		return wrong("nothing fails in the last %s of %d: name an earlier round", text.Plural(b.FaultFree, "round"), b.EOT)
	case b.EFF > 1 && b.From >= b.EFF && b.loses(): // with an eff of 1 there are crashes alone
		return wrong("messages are lost only in rounds before %d (eff=%d), so no fault can lose one: name an earlier round, or a later eff", b.EFF, b.EFF)
	case b.At == "":
		return nil
	default:
		if first := phased.startBehind(b.FirstFault()); first > b.LastFault() || b.EFF > 1 && first >= b.EFF && b.loses() {
			return wrong("at=phase lets faults begin in the first round of a phase, and of these none comes then (period=%d, %s): name an earlier round", phased.Period, b.ends())
		}
		return nil
	}
}

// startBehind returns the first round of a phase that does not begin before a round.
func (b Bounds) startBehind(round int) int { return (round+b.Period-2)/b.Period*b.Period + 1 }

// ends says by which setting faults come to an end.
func (b Bounds) ends() string {
	if b.EFF > 1 && b.EFF <= b.EOT {
		return fmt.Sprintf("eff=%d", b.EFF)
	}
	return fmt.Sprintf("eot=%d", b.EOT)
}

// loses tells whether there is a budget for faults that an eff ends.
func (b Bounds) loses() bool {
	return slices.ContainsFunc(spoken, func(k Kind) bool { return k.row().bound.losses && b.Budget(k) != 0 })
}
