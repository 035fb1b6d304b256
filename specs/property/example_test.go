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

func ExampleProperty_Check() {
	p := property.Property{Name: "one leader", Rules: `
		violation(T, P, Q) :- leader(P, T, _), leader(Q, T, _), before(P, Q).`}
	violations, err := p.Check(twoLeaders())
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range violations {
		fmt.Println(v)
	}
	// Output: one leader: violation(1, a, b)
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

func ExampleQuery() {
	facts, err := property.Query(twoLeaders(), `
		terms(N) :- leader(P, T, R) |> do fn:group_by(), let N = fn:max(T).
		never(P) :- process(P), !leader(P, 2, _)`)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(recording.Display(f, []string{"a", "b", "c"}))
	}
	// Output:
	// never(a)
	// never(b)
	// terms(2)
}

func ExampleProgram() {
	p, err := property.Program(`violation(T) :- leader(P, T, _), leader(Q, T, _), P != Q.`)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range p.Rules {
		fmt.Println(r)
	}
	// Output: violation(T) :- always?(), leader(P, T, _), leader(Q, T, _), P != Q;
}

func Example_mistake() {
	_, err := property.Compile(property.Property{Name: "one leader", Rules: `violation(T) :- leader(P, T, _), !crashed(P, R).`})
	fmt.Println(err)
	// Output:
	// one leader:1:34: R has no value when its absence is asked for: only negated atoms mention it; write _ if any value is meant
	//     violation(T) :- leader(P, T, _), !crashed(P, R).
	//                                      ^
}
