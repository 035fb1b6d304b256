package provenance_test

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// A sends B a message twice. One evaluation answers what all 16 schedules of
// losses between the two do.
func Example() {
	p, err := dedalus.ParseText("twice.ded", `
		note("a", "hello")@1;
		note(P, M)@next :- note(P, M);
		heard("b", M)@async :- note(P, M);
		heard(P, M)@next :- heard(P, M);`)
	if err != nil {
		fmt.Println(err)
		return
	}
	b := rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3, Omissions: rounds.Unlimited, EFF: 3}
	g, err := provenance.Evaluate(context.Background(), p, b, provenance.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	heard := g.Find("heard", []specs.Value{specs.String("b"), specs.String("hello")}, 3)
	for _, f := range heard.Firings() {
		fmt.Println(f.Rule(), "from", f.Positive()[0])
	}
	s := solver.NewSolver(g.Circuit)
	if status, err := s.Solve(context.Background(), heard.Cond().Not()); err == nil && status == solver.Sat {
		fmt.Println("lost by", g.Universe.Schedule(func(unit int) bool { return s.Value(g.Inputs[unit]) }))
	}
	// Output:
	// heard("b", M)@async :- note(P, M); from note("a", "hello")@2
	// heard(P, M)@next :- heard(P, M); from heard("b", "hello")@2
	// lost by omit a>b@1; omit a>b@2
}
