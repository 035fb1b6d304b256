package generate

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// promise adds goals: pre and post, or violation, or good, or several.
func (g *generator) promise() {
	choice := g.IntN(100)
	if choice < 75 {
		g.prePost()
	}
	if choice >= 60 && choice < 95 {
		for range 1 + g.IntN(2) {
			g.rule(relation{"violation", "P", 100}, syntax.Deductive)
		}
	}
	if choice >= 90 {
		g.rule(relation{"good", "P", 100}, syntax.Deductive)
	}
}

// prePost promises that a relation follows from another.
func (g *generator) prePost() {
	var wide, active []relation
	for _, r := range g.relations {
		if len(r.columns) < 2 {
			continue
		}
		wide = append(wide, r)
		if r.level > 0 && r.level < 10 {
			active = append(active, r)
		}
	}
	r := pick(g, wide)
	switch {
	case len(active) > 0 && g.chance(40):
		r = pick(g, active)
	case r.level == 0:
		r = pick(g, wide)
	}
	vars := []string{"X", "Y", "Z"}[:len(r.columns)]
	args := strings.Join(vars, ", ")
	g.printf("post(%s) :- %s(%s);", args, r.name, args)
	guard := pick(g, []string{"", "", ", notin crash(X, X, _)", ", notin crash(_, X, _)", ", notin " + g.matching(pick(g, wide), r, vars)})
	switch g.IntN(3) {
	case 0:
		// What holds somewhere has to hold everywhere.
		g.printf("pre(%s) :- %s(%s), node(X, _)%s;", args, r.name, strings.Join(append([]string{"_"}, vars[1:]...), ", "), guard)
	case 1:
		g.printf("pre(%s) :- %s(%s)@%d%s;", args, r.name, args, 1+g.IntN(g.eot), guard)
	default:
		g.rule(relation{"pre", r.columns, 100}, syntax.Deductive)
		if guard != "" {
			g.printf("pre(%s) :- %s(%s)%s;", args, r.name, args, guard)
		}
	}
}

// most is the number of scenarios that the bounds should not exceed by much.
const most = 4000

// settings returns the bounds as a comment.
func (g *generator) settings() string {
	for {
		n, last := len(g.processes), g.eot
		text := fmt.Sprintf("// ldfi: processes=%s eot=%d", strings.Join(g.processes, ","), g.eot)
		if g.chance(70) {
			eff := 1 + g.IntN(g.eot+1)
			text += fmt.Sprintf(" eff=%d", eff)
			last = min(last, eff-1)
		}
		scenarios, kinds := 1.0, g.IntN(100)
		units := n * (n - 1) * last
		if kinds < 35 {
			most := 1 + g.IntN(3)
			text += fmt.Sprintf(" omissions=%d", most)
			scenarios *= choices(units, most, 1)
		}
		if kinds >= 25 && kinds < 55 {
			most := 1 + g.IntN(2)
			text += fmt.Sprintf(" isolations=%d", most)
			if g.chance(60) {
				text += fmt.Sprintf(" period=%d", 1+g.IntN(3))
			}
			scenarios *= choices(n*last, most, 1)
		}
		if kinds >= 55 && strings.Contains(text, "eff=") {
			scenarios *= choices(units, units, 1) // unlimited omissions
		}
		if g.chance(55) {
			most := 1 + g.IntN(2)
			text += fmt.Sprintf(" crashes=%d", most)
			scenarios *= choices(n, most, g.eot)
			if g.chance(30) {
				text += " crash=stop"
			}
		}
		if g.chance(20) {
			text += " goals=witnessed"
		}
		if 1 < scenarios && scenarios <= most || g.chance(1) {
			return text
		}
	}
}

// choices returns the number of ways to choose at most so many of n, each in
// the given number of variants.
func choices(n, most, variants int) float64 {
	total, ways := 0.0, 1.0
	for k := 0; k <= min(n, most); k++ {
		total += ways
		ways = ways * float64(n-k) / float64(k+1) * float64(variants)
	}
	return total
}
