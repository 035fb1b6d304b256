package property_test

import (
	"fmt"
	"log"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
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

func ExampleCompile() {
	// A search compiles a property once and checks every execution with it.
	checker, err := property.Compile(property.EventualProgress("leader", 2, 5))
	if err != nil {
		log.Fatal(err)
	}
	violations, err := checker.Check(twoLeaders())
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range violations {
		fmt.Println(v.Text)
	}
	// Output: pre("leader after round 5"), but no post("leader after round 5") by the end of round 9
}
