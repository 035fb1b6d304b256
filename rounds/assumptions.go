package rounds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// The keys of the assumptions.
const (
	neverCrashKey = "never-crash"
	reliableKey   = "reliable"
	deliverKey    = "deliver"
	kernelKey     = "kernel"
	ownKey        = "own"
)

// ownLost is the value of own where who is isolated loses its own messages as well.
const ownLost = "lost"

// noAssumption takes away what a program or a system says.
const noAssumption = "none"

// assumptionProblems returns what is wrong with what the bounds take for granted.
func (b Bounds) assumptionProblems() []problem {
	var all []problem
	for i, name := range b.NeverCrash {
		if err := b.CheckProcess(name); err != nil {
			all = append(all, problem{neverCrashKey, fmt.Sprintf("%s=%s: %v", neverCrashKey, name, err)})
		} else if slices.Contains(b.NeverCrash[:i], name) {
			all = append(all, problem{neverCrashKey, fmt.Sprintf("%s=%s: %s is named twice", neverCrashKey, strings.Join(b.NeverCrash, ","), name)})
		}
	}
	if _, err := syntax.Links(b.Processes, b.Reliable); err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			all = append(all, problem{reliableKey, reliableKey + "=" + line})
		}
	}
	if _, err := leastReceived(b.Normal().Deliver, len(b.Processes), 0); err != nil {
		all = append(all, problem{deliverKey, fmt.Sprintf("%s=%s: %v", deliverKey, b.Deliver, err)})
	}
	if k := b.Normal().Kernel; k != "" && k != yes {
		all = append(all, problem{kernelKey, fmt.Sprintf("%s=%s: expected %s, or %s in place of what the program or system says", kernelKey, k, yes, noAssumption)})
	}
	return all
}

// Network returns the assumptions about the messages of each round: least is the number
// of processes, itself included, from which each process that is up receives, and
// kernel tells whether some process exchanges messages with all others.
func (b Bounds) Network() (least int, kernel bool) {
	f := b.crashable()
	if b.Crashes != Unlimited {
		f = min(f, b.Crashes)
	}
	least, _ = leastReceived(b.Normal().Deliver, len(b.Processes), f) // Validate reports what is wrong
	return least, b.Normal().Kernel != ""
}

// grants tells whether something is taken for granted of the messages of each round.
func (b Bounds) grants() bool {
	least, kernel := b.Network()
	return least > 1 || b.OwnLost && least == 1 || kernel
}

// noteOfNetwork is what the scope says of that.
func (b Bounds) noteOfNetwork() []string {
	var notes []string
	if least, _ := b.Network(); least > 0 {
		notes = append(notes, fmt.Sprintf("each receives from at least %d a round (%s=%s)", least, deliverKey, b.Deliver))
	}
	if b.Kernel != "" {
		notes = append(notes, fmt.Sprintf("a kernel in each round (%s=%s)", kernelKey, b.Kernel))
	}
	return notes
}

// checkReliable reports what is wrong with the setting reliable of a schedule.
func (s Settings) checkReliable(processes []string) error {
	if s.Reliable == "" {
		return nil
	}
	if _, err := syntax.Links(processes, syntax.SplitLinks(s.Reliable)); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return wrong("%s %s", reliableKey, first)
	}
	return nil
}

// crashable is how many processes can crash.
func (b Bounds) crashable() int {
	return len(b.Processes) - len(b.NeverCrash)
}

// losable is how many links can lose messages.
func (b Bounds) losable() int {
	n := len(b.Processes)
	return n*(n-1) - b.reliable().Len()
}

// isolable is how many processes have a link that can lose messages; without
// assumptions all.
func (b Bounds) isolable() int {
	reliable, count := b.reliable(), 0
	for p := range b.Processes {
		if !reliable.Around(p) {
			count++
		}
	}
	return count
}

// excludes tells whether the assumptions leave no fault of a kind.
func (b Bounds) excludes(k Kind) bool {
	switch k {
	case Crash, Restart, Terminate:
		return len(b.NeverCrash) > 0 && b.crashable() == 0
	case Isolate:
		return len(b.Reliable) > 0 && b.isolable() == 0
	case Partition: // four processes can be parted on any link
		return len(b.Reliable) > 0 && len(b.Processes) > 3 && b.losable() == 0
	case Omit, Cut, Delay, Duplicate:
		return len(b.Reliable) > 0 && b.losable() == 0
	default:
		return false
	}
}

// reliable returns the links on which nothing is lost.
func (b Bounds) reliable() syntax.LinkSet {
	s, _ := syntax.Links(b.Processes, b.Reliable) // Validate reports what is wrong
	return s
}

// assumed is what the scope says of a kind of fault that is not possible everywhere.
func (b Bounds) assumed(k Kind) string {
	switch {
	case (k == Crash || k == Terminate) && len(b.NeverCrash) > 0:
		return " (never " + strings.Join(b.NeverCrash, ", ") + ")"
	case (k == Omit || k == Cut || k == Delay || k == Duplicate) && len(b.Reliable) > 0:
		return " (never " + strings.Join(b.Reliable, ", ") + ")"
	case (k == Isolate || k == Partition) && len(b.Reliable) > 0:
		return " (sparing " + strings.Join(b.Reliable, ", ") + ")"
	default:
		return ""
	}
}
