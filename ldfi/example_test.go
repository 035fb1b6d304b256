package ldfi_test

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// A broadcaster that sends its message in every round: one lost message does
// no harm, but it does if the broadcaster crashes before it can send again.
func Example() {
	p, err := dedalus.ParseText("retry.ded", `
		// ldfi: processes=a,b,c eot=6 eff=3 crashes=1
		process("a")@1;  process("b")@1;  process("c")@1;
		process(P)@next :- process(P);

		log("a", "hello")@1;
		log(P, M)@next :- log(P, M);
		send("a", "hello")@1;
		send(P, M)@next :- send(P, M);
		log(Q, M)@async :- send(P, M), process(Q);

		// Whatever a correct process has logged, every correct process has.
		pre(P, M) :- log(Q, M), notin crash(Q, Q, _), process(P), notin crash(P, P, _);
		post(P, M) :- log(P, M);
	`)
	if err != nil {
		fmt.Println(err)
		return
	}
	bounds, goals, err := rounds.BoundsOf(p, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := ldfi.New(p, bounds, ldfi.Options{Goals: goals, Max: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := model.Check(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Verdict)
	for _, c := range answer.Counterexamples {
		fmt.Printf("%s: %s\n", c.Schedule, c.Violations[0].Text)
	}
	fmt.Println(answer.Scope.Text)
	// Output:
	// violated
	// crash a@2; omit a>b@1: post(b, "hello") is missing at round 6 while pre(b, "hello") holds
	// crash a@2; omit a>c@1: post(c, "hello") is missing at round 6 while pre(c, "hello") holds
	// 3 processes, 6 rounds, omissions before round 3 (implied by eff=3), at most 1 crash: 77,824 scenarios
}
