package explain_test

import (
	"context"
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// A message that is sent in every round, until its sender crashes.
func ExampleExplainer_Explain() {
	program, err := dedalus.ParseText("hello.ded", `
		sends("a", "hello")@1;
		sends(A, M)@next :- sends(A, M);
		log(P, M)@async :- sends(A, M);
		log(P, M)@next :- log(P, M);`)
	if err != nil {
		panic(err)
	}
	schedule, err := rounds.ParseSchedule("crash a@2; omit a>b@1")
	if err != nil {
		panic(err)
	}
	bounds := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 4}
	graph, err := provenance.Evaluate(context.Background(), program, provenance.Covering(program, bounds, schedule), provenance.Options{})
	if err != nil {
		panic(err)
	}
	world, err := graph.Under(schedule)
	if err != nil {
		panic(err)
	}
	for _, text := range []string{"log(c, hello)@4", "log(b, hello)@4"} {
		query, err := dedalus.ParseQuery(text)
		if err != nil {
			panic(err)
		}
		explanation, err := explain.New(world).Explain(query, explain.Limits{})
		if err != nil {
			panic(err)
		}
		fmt.Println(text)
		if err := explanation.WriteText(os.Stdout); err != nil {
			panic(err)
		}
	}
	// Output:
	// log(c, hello)@4
	// log(c, "hello")@4, since round 2 (by hello.ded:5)
	// │ by log(P, M)@async :- sends(A, M);   hello.ded:4  P=c M="hello" A=a
	// ├─ sends(a, "hello")@1, given at hello.ded:2
	// └─ message a>c arrives in round 1
	// log(b, hello)@4
	// no log(b, "hello")@4
	// │ not by log(P, M)@async :- sends(A, M);   hello.ded:4  P=b M="hello" A=a
	// ├─ ✓ sends(a, "hello")@1..3
	// └─ ✗ message a>b lost in round 1 (omit a>b@1), lost in rounds 2..3 (crash a@2)
}
