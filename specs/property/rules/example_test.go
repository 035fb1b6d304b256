package rules_test

import (
	"fmt"
	"log"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// twoLeaders is an execution in which a and b lead in term 1.
func twoLeaders() *recording.Execution {
	fact := func(process string, term int64, round int) recording.Fact {
		return recording.Fact{Relation: "leader", Args: []specs.Value{specs.String(process), specs.Int(term)}, Round: round}
	}
	e := &recording.Execution{
		System: "election",
		Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 9},
		Facts:  []recording.Fact{fact("a", 1, 2), fact("b", 1, 3), fact("c", 2, 5)},
	}
	e.Sort()
	return e
}

func ExampleNew() {
	p := rules.New("one leader", `
		violation(T, P, Q) :- leader(P, T, _), leader(Q, T, _), before(P, Q).`)
	violations, err := p.Check(twoLeaders())
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range violations {
		fmt.Println(v)
	}
	// Output: one leader: violation(1, a, b)
}
