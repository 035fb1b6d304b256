package subject

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// mostCost is the most that a fault costs.
const mostCost = 1000

// costOf reads the costs of faults, by kind, of a program or a system.
func costOf(text string, system bool) (map[rounds.Kind]int, error) {
	if text == "" {
		return nil, nil
	}
	costs := map[rounds.Kind]int{}
	for _, part := range strings.Split(text, ",") {
		name, number, _ := strings.Cut(part, "=")
		kind, err := kindOf(strings.TrimSpace(name), system)
		if err != nil {
			return nil, fmt.Errorf("cost %q: %w", text, err)
		}
		if _, twice := costs[kind]; twice {
			return nil, fmt.Errorf("cost %q: %s stands there twice", text, kind)
		}
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || n < 1 || n > mostCost {
			return nil, fmt.Errorf("cost %q: what a fault costs is a number from 1 to %d, as in %s=3", text, mostCost, kind)
		}
		costs[kind] = n
	}
	return costs, nil
}

// kindOf returns the kind of fault with a name, as schedules write it.
func kindOf(name string, system bool) (rounds.Kind, error) {
	kinds, of := kindsOf(system), "programs"
	if system {
		of = "systems"
	}
	i := slices.IndexFunc(kinds, func(k rounds.Kind) bool { return k.String() == name })
	if i < 0 {
		names := make([]string, len(kinds))
		for i, k := range kinds {
			names[i] = k.String()
		}
		return 0, fmt.Errorf("there is no fault %q%s: the faults of %s are %s", name, text.DidYouMean(cmp.Or(name, "?"), names), of, text.List(names, "and"))
	}
	return kinds[i], nil
}

// kindsOf returns the kinds of faults that executions of programs, or of systems, can have.
func kindsOf(system bool) (kinds []rounds.Kind) {
	for k := rounds.Crash; k < rounds.Choose; k++ {
		s := rounds.Schedule{Faults: []rounds.Fault{{Kind: k, Process: "a", To: "b", Round: 1}}}
		if system || s.CheckProgram() == nil {
			kinds = append(kinds, k)
		}
	}
	return kinds
}
