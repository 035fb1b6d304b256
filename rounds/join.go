package rounds

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// joinKey is the key of the processes that join later.
const joinKey = "join"

// Joined returns the first round in which process takes part: 1 unless it joins later.
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
