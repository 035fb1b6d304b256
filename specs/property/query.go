package property

import (
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Query evaluates Mangle rules over an execution and returns everything that
// they derive, sorted. The facts are in no round: their Round is 0. The dot
// behind the last rule may be left out.
func Query(e *recording.Execution, rules string) ([]recording.Fact, error) {
	r, err := parseRules("rules", dotted(rules))
	if err != nil {
		return nil, err
	}
	v, err := newEvaluator(r)
	if err != nil {
		return nil, err
	}
	if err := v.run(e); err != nil {
		return nil, err
	}
	var found []recording.Fact
	for _, relation := range slices.Sorted(maps.Keys(r.defined)) {
		for _, args := range v.rows(relation) {
			found = append(found, recording.Fact{Relation: relation, Args: args})
		}
	}
	return found, nil
}

// dotted returns rules with the dot that ends the last one.
func dotted(rules string) string {
	text := strings.TrimRight(rules, " \t\r\n")
	if text == "" || strings.HasSuffix(text, ".") {
		return rules
	}
	return text + "."
}
