package rounds

import (
	"cmp"
	"fmt"
	"maps"
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

// lastingGroups returns the slots of what strikes some things to the end of a phase,
// each from the round on since which it is there: a slot is a phase of one of them, and
// there are as many ways to use it as it has rounds. The largest group comes first.
func (b Bounds) lastingGroups(since []int, period int) []group {
	last, bySince, bySize := b.LastLoss(), map[int]int{}, map[int]int{}
	for _, round := range since {
		bySince[max(round, b.FirstFault())]++
	}
	for first, things := range bySince {
		if first > last {
			continue
		}
		end := min((first-1)/period*period+period, last) // of the phase of the first round
		bySize[end-first+1] += things
		bySize[period] += things * ((last - end) / period)
		bySize[(last-end)%period] += things
	}
	delete(bySize, 0)
	var groups []group
	for size, slots := range bySize {
		if slots > 0 {
			groups = append(groups, group{slots, size})
		}
	}
	slices.SortFunc(groups, func(g, h group) int { return cmp.Or(cmp.Compare(h.slots, g.slots), cmp.Compare(h.ways, g.ways)) })
	return groups
}

// strikable returns in how many rounds something can be struck that is lost, of each of
// some things since a round, and of all together.
func (b Bounds) strikable(since []int) (all int) {
	for _, round := range since {
		all += max(b.LastLoss()-max(round, b.FirstFault())+1, 0)
	}
	return all
}

// eachSince returns since when each process is there.
func (b Bounds) eachSince() []int {
	var all []int
	for _, name := range b.Processes {
		all = append(all, b.Joined(name))
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
