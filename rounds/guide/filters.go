package guide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Filter is a filter as Netrix has it: what it matches, and what becomes of that.
type Filter struct {
	If   string // the body of a rule about message M: `message(M, "a", _, "MsgVote", _, _)`
	Then string // a head about M, such as "drop(M)"; "" only keeps M from the filters behind
	Once bool   // it matches one message, the first that it could
}

// Filters returns rules in which each message belongs to the first filter that matches it,
// and to no other. The rules can be part of a guide; what filter n matches is filter_n(M).
func Filters(filters ...Filter) string {
	var b strings.Builder
	for i, f := range filters {
		matches := fmt.Sprintf("filter_%d", i+1)
		body := f.If
		for before := range i {
			body += fmt.Sprintf(", !filter_%d(M)", before+1)
		}
		if f.Once {
			fmt.Fprintf(&b, "%s(M) :- %s_all(L) |> do fn:group_by(), let M = fn:min(L).\n", matches, matches)
			matches += "_all"
		}
		fmt.Fprintf(&b, "%s(M) :- %s.\n", matches, body)
		if f.Then != "" {
			fmt.Fprintf(&b, "%s :- filter_%d(M).\n", f.Then, i+1)
		}
	}
	return b.String()
}

// Partition returns facts net.side(P, N) that put processes on sides 1, 2, .. of so many
// processes each, drawn from a seed. The library has relations about them.
func Partition(seed uint64, processes []string, sizes ...int) (string, error) {
	sum := 0
	for _, n := range sizes {
		sum += n
	}
	if sum != len(processes) || slices.ContainsFunc(sizes, func(n int) bool { return n < 1 }) {
		return "", fmt.Errorf("a partition into sides of %v: the sizes are at least 1 each, and %d together, one for each process", sizes, len(processes))
	}
	drawn := slices.Clone(processes)
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	var b strings.Builder
	for i, n := range sizes {
		side := drawn[:n]
		drawn = drawn[n:]
		slices.Sort(side)
		for _, p := range side {
			side := recording.Fact{Relation: "net.side", Args: []specs.Value{specs.String(p), specs.Int(int64(i + 1))}}
			fmt.Fprintf(&b, "%s.\n", datalog.MangleFact(side))
		}
	}
	return b.String(), nil
}
