package rounds

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/plural"
)

// String returns the scope in words, as in "3 processes, 6 rounds, omissions
// before round 3, at most 1 crash".
func (b Bounds) String() string {
	b = b.Normal()
	parts := []string{plural.Of(len(b.Processes), "process"), plural.Of(b.EOT, "round")}
	losses := b.LastLoss() > 0
	before := ""
	if b.EFF > 0 {
		before = fmt.Sprintf(" before round %d", b.EFF)
	}
	faults := 0
	add := func(text string) { parts = append(parts, text); faults++ }
	if b.Isolations != 0 && losses {
		text := budget(b.Isolations, "isolation")
		if b.Period > 1 {
			text += fmt.Sprintf(" in phases of %d rounds", b.Period)
		}
		add(text + before)
	}
	if b.Pauses != 0 && losses {
		text := budget(b.Pauses, "pause")
		if b.Period > 1 {
			text += fmt.Sprintf(" in phases of %d rounds", b.Period)
		}
		add(text + before)
	}
	if b.Omissions != 0 && losses {
		text := budget(b.Omissions, "omission") + before
		if b.Implied {
			text += fmt.Sprintf(" (implied by eff=%d)", b.EFF)
		}
		add(text)
	}
	if b.Crashes != 0 {
		text := budget(b.Crashes, "crash")
		if b.CrashStop {
			text += " (stop)"
		}
		add(text)
	}
	if b.Restarts != 0 && b.Crashes != 0 {
		add(budget(b.Restarts, "restart"))
	}
	if faults == 0 {
		parts = append(parts, "no faults")
	}
	return strings.Join(parts, ", ")
}

// budget returns "at most 2 crashes", or "crashes" without a limit.
func budget(n int, what string) string {
	if n == Unlimited {
		return plural.Word(what)
	}
	return "at most " + plural.Of(n, what)
}
