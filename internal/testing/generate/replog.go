package generate

import (
	_ "embed"
	"fmt"
)

//go:embed replog.ded
var replogRules string

// ReplicatedLog is the replicated log of testdata/protocols/replog, fixed or with its
// bug: processes that lead in turn, phases of four rounds, and at most eight isolations,
// which begin in any round.
func ReplicatedLog(fixed bool, processes, phases int) Model {
	const isolations = 8
	names := named(processes)
	version, redated := "buggy", "redated(P, J) :- joins(P, K, L), phase(P, J);"
	if fixed {
		version, redated = "fixed", "redated(P, K) :- takes(P, K, G);"
	}
	var w writer
	w.bounds(names, "eot=%d isolations=%d period=4", 4*phases+1, isolations)
	for phase := 1; phase <= phases; phase++ {
		w.line("leader(%q, %d)@%d;", names[(phase-1)%processes], phase, 4*phase-3)
	}
	for _, p := range names {
		w.line("phase(%q, 0)@1; last(%q, 0)@1; log(%q, 0)@1;", p, p, p)
	}
	base := 10
	for base <= phases {
		base *= 10
	}
	w.line("%s", filled(replogRules, map[string]int{"BASE": base, "MAJORITY": majority(processes)}))
	w.line("%s", redated)
	for phase, unit := 1, base; phase < phases; phase, unit = phase+1, unit*base {
		w.line("prefix(G, H) :- output(P, G), output(Q, H), G == H / %d;", unit)
	}
	return Model{Name: fmt.Sprintf("replog-%s-p%d-ph%d", version, processes, phases), Text: w.String()}
}
