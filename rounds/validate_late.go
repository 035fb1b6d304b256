package rounds

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
)

// maxLater limits for how many (sender, receiver, round, arrival) messages can come
// late, or twice.
const maxLater = 1_000_000

// mostOrdered is how many processes there are at most where messages come in
// another order: those of six others come in 719.
const mostOrdered = 7

// lateProblems returns what is wrong with the bounds of messages that come late,
// twice or in another order.
func (b Bounds) lateProblems() (all []problem) {
	add := func(key, format string, args ...any) {
		all = append(all, problem{key, fmt.Sprintf(format, args...)})
	}
	n := len(b.Processes)
	if b.MaxDelay < 0 || b.MaxDelay > maxRound {
		add(maxDelayKey, "%s=%d: what comes late or twice does so by at least 1 and at most %d rounds", maxDelayKey, b.MaxDelay, maxRound)
	} else if most := min(b.MaxDelay, b.EOT); (b.Delays != 0 || b.Duplicates != 0) && n*n <= maxSize && most > 0 && n*n*b.EOT > maxLater/most {
		add(maxDelayKey, "%s=%d with %s and %s is too large: processes × processes × rounds × delays is at most %d", maxDelayKey, b.MaxDelay, text.Plural(n, "process"), text.Plural(b.EOT, "round"), maxLater)
	}
	if b.Orders != 0 {
		if wrong := wrongOrders(n); wrong != "" {
			add(Order.Setting(), "%s", wrong)
		}
	}
	return all
}

// wrongOrders says why what so many processes send comes in no other order.
func wrongOrders(processes int) string {
	switch {
	case processes < 3:
		return fmt.Sprintf("orders: with %s nobody gets messages from two others: leave it out", text.Plural(processes, "process"))
	case processes > mostOrdered:
		return fmt.Sprintf("orders: what %d processes send comes in %d! - 1 other orders, which is too many: orders go with at most %d processes", processes-1, processes-1, mostOrdered)
	}
	return ""
}
