package lockstep_test

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

func Example() {
	program, err := dedalus.ParseText("hello.ded", `
		node("a", "b")@1; node("a", "c")@1;
		log("a", "hello")@1;

		node(P, Q)@next :- node(P, Q);
		log(P, M)@next  :- log(P, M);
		log(Q, M)@async :- node(P, Q), log(P, M);
	`)
	if err != nil {
		fmt.Println(err)
		return
	}
	bounds := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 3, Crashes: 1, Omissions: rounds.Unlimited}
	machine, err := lockstep.Compile(program, bounds, lockstep.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"", "omit a>c@1", "crash a@2; omit a>c@1"} {
		schedule, err := rounds.ParseSchedule(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		run, err := machine.Run(context.Background(), schedule)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%q: in the end %d processes have it\n", text, len(run.Facts("log", 3)))
	}
	// Output:
	// "": in the end 3 processes have it
	// "omit a>c@1": in the end 3 processes have it
	// "crash a@2; omit a>c@1": in the end 2 processes have it
}

func ExampleMachine_Execute() {
	program, err := dedalus.ParseText("ping.ded", `
		ping("a", "b")@1;
		ping(Q, P)@async :- ping(P, Q);
	`)
	if err != nil {
		fmt.Println(err)
		return
	}
	bounds := rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3, Omissions: 1}
	machine, err := lockstep.Compile(program, bounds, lockstep.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	schedule, err := rounds.ParseSchedule("omit b>a@2")
	if err != nil {
		fmt.Println(err)
		return
	}
	execution, err := machine.Execute(context.Background(), schedule)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range execution.Facts {
		fmt.Println(f)
	}
	for _, m := range execution.Messages {
		how := "it arrives"
		if m.Lost {
			how = "lost: " + m.Cause.String()
		}
		fmt.Printf("%s to %s in round %d, %s\n", m.From, m.To, m.Round, how)
	}
	// Output:
	// ping("a", "b")@1
	// ping("b", "a")@2
	// a to b in round 1, it arrives
	// b to a in round 2, lost: omit b>a@2
}
