package rounds

import (
	"fmt"
	"math/big"
	"strings"
)

// String returns the scope in words, as in "3 processes, 6 rounds, omissions
// before round 3, at most 1 crash".
func (b Bounds) String() string {
	b = b.Normal()
	parts := []string{plural(len(b.Processes), "process"), plural(b.EOT, "round")}
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
	if b.Omissions != 0 && losses {
		add(budget(b.Omissions, "omission") + before)
	}
	if b.Crashes != 0 {
		text := budget(b.Crashes, "crash")
		if b.CrashStop {
			text += " (stop)"
		}
		add(text)
	}
	if faults == 0 {
		parts = append(parts, "no faults")
	}
	return strings.Join(parts, ", ")
}

// budget returns "at most 2 crashes", or "crashes" without a limit.
func budget(n int, what string) string {
	if n == Unlimited {
		return pluralOf(what)
	}
	return "at most " + plural(n, what)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %s", n, pluralOf(what))
}

func pluralOf(what string) string {
	if strings.HasSuffix(what, "s") || strings.HasSuffix(what, "sh") {
		return what + "es"
	}
	return what + "s"
}

// Scenarios returns the number of schedules within the bounds.
func (b Bounds) Scenarios() *big.Int {
	b = b.Normal()
	n := len(b.Processes)
	total := big.NewInt(1)
	if b.Crashes != 0 {
		total.Mul(total, choices(repeat(b.EOT, n), b.Crashes))
	}
	if b.Isolations != 0 {
		var slots []int
		for _, p := range b.phases() {
			slots = append(slots, repeat(p.last-p.first+1, n)...)
		}
		total.Mul(total, choices(slots, b.Isolations))
	}
	if b.Omissions != 0 {
		total.Mul(total, choices(repeat(1, n*(n-1)*b.LastLoss()), b.Omissions))
	}
	return total
}

func repeat(value, times int) []int {
	values := make([]int, max(times, 0))
	for i := range values {
		values[i] = value
	}
	return values
}

// choices counts the ways to use at most limit of the slots, where slot i can
// be used in slots[i] ways.
func choices(slots []int, limit int) *big.Int {
	if limit == Unlimited || limit >= len(slots) {
		total := big.NewInt(1)
		for _, ways := range slots {
			total.Mul(total, big.NewInt(int64(ways)+1))
		}
		return total
	}
	// using[k] counts the ways to use exactly k of the slots seen so far.
	using := make([]*big.Int, limit+1)
	for k := range using {
		using[k] = new(big.Int)
	}
	using[0].SetInt64(1)
	var more big.Int
	for _, ways := range slots {
		for k := limit; k > 0; k-- {
			using[k].Add(using[k], more.Mul(using[k-1], big.NewInt(int64(ways))))
		}
	}
	total := new(big.Int)
	for _, ways := range using {
		total.Add(total, ways)
	}
	return total
}
