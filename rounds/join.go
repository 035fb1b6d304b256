package rounds

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// joinKey is the key of the processes that join later.
const joinKey = "join"

// Joined returns the first round in which a process takes part: 1 for all that do not
// join later.
func (b Bounds) Joined(process string) int { return max(b.Joins[process], 1) }

// joins reads which processes join later, as in d@5,e@7. The word none takes away what
// the program says.
func (r *settingReader) joins(processes []string) map[string]int {
	s, ok := r.chosen[joinKey]
	if !ok || s.text == "none" && !slices.Contains(processes, "none") {
		return nil
	}
	joins := map[string]int{}
	for item := range strings.SplitSeq(s.text, ",") {
		name, at, _ := strings.Cut(strings.TrimSpace(item), "@")
		round, err := strconv.Atoi(at)
		_, twice := joins[name]
		switch {
		case err != nil || name == "":
			r.fail(s, "%s=%s: expected a process and the round in which it joins, as in %s=d@5", joinKey, s.text, joinKey)
			return nil
		case twice:
			r.fail(s, "%s=%s: %s is named twice", joinKey, s.text, name)
			return nil
		}
		joins[name] = round
	}
	return joins
}

// joinProblems returns what is wrong with the processes that join later.
func (b Bounds) joinProblems() []problem {
	var all []problem
	for _, name := range slices.Sorted(maps.Keys(b.Joins)) {
		round := b.Joins[name]
		if err := b.CheckProcess(name); err != nil {
			all = append(all, problem{joinKey, fmt.Sprintf("%s=%s@%d: %v", joinKey, name, round, err)})
		} else if round < 1 || round > b.EOT {
			all = append(all, problem{joinKey, fmt.Sprintf("%s=%s@%d: %v", joinKey, name, round, noRound(round, b.EOT))})
		}
	}
	if least, kernel := b.Network(); len(b.Joins) > 0 && (least > 0 || kernel) {
		all = append(all, problem{joinKey, fmt.Sprintf("%s does not go with deliver and kernel, which speak of all processes in each round: leave one of them out", joinKey)})
	}
	return all
}

// absent says that a fault strikes a process before it joins.
func (f Fault) absent(b Bounds) error {
	for _, name := range []string{f.Process, f.To} {
		if round := b.Joins[name]; name != "" && f.Round < round {
			return fmt.Errorf("%s joins in round %d: nothing strikes it before (%s=%s@%d)", name, round, joinKey, name, round)
		}
	}
	return nil
}

// joinText says in a scope who joins later.
func (b Bounds) joinText() []string {
	var all []string
	for _, name := range b.Processes {
		if round := b.Joins[name]; round > 1 {
			all = append(all, fmt.Sprintf("%s joins in round %d", name, round))
		}
	}
	return all
}

// lastingSince counts the ways in which at most limit faults strike things to the end
// of a phase of so many rounds: each from a round on.
func (b Bounds) lastingSince(since []int, period, limit int) *big.Int {
	last, sizes := max(b.LastLoss(), 0), map[int]int{}
	for _, from := range since {
		for first := 1; first <= last; first += period {
			if size := min(first+period-1, last) - max(first, from) + 1; size > 0 {
				sizes[size]++
			}
		}
	}
	slots := 0
	for _, count := range sizes {
		slots += count
	}
	if limit == Unlimited || limit > slots {
		limit = slots
	}
	ways := []*big.Int{big.NewInt(1)} // to use exactly 0, 1, ... slots
	for _, size := range slices.Sorted(maps.Keys(sizes)) {
		ways = product(ways, group{sizes[size], size}.using(min(sizes[size], limit)), limit)
	}
	total := new(big.Int)
	for _, n := range ways {
		total.Add(total, n)
	}
	return total
}

// product multiplies two polynomials, up to a power.
func product(a, b []*big.Int, most int) []*big.Int {
	all := make([]*big.Int, min(len(a)+len(b)-2, most)+1)
	for i := range all {
		all[i] = new(big.Int)
	}
	var term big.Int
	for i, m := range a {
		for j, n := range b {
			if i+j < len(all) {
				all[i+j].Add(all[i+j], term.Mul(m, n))
			}
		}
	}
	return all
}

// isolableSince returns since when each process that can be isolated is there.
func (b Bounds) isolableSince() []int {
	var all []int
	reliable := b.reliable()
	for p, name := range b.Processes {
		if !reliable.Around(p) {
			all = append(all, b.Joined(name))
		}
	}
	return all
}

// losableSince returns since when both ends of each link that can lose messages are
// there.
func (b Bounds) losableSince() []int {
	var all []int
	reliable := b.reliable()
	for p, from := range b.Processes {
		for q, to := range b.Processes {
			if p != q && !reliable.Has(p, q) {
				all = append(all, max(b.Joined(from), b.Joined(to)))
			}
		}
	}
	return all
}
