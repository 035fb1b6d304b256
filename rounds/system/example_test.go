package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// register keeps a value, and passes it on.
type register struct{ value string }

func (r *register) Send(s *system.Step) {
	for _, request := range s.Requests() {
		r.value = request.Payload.(string)
		s.Reply(request, "ok") // too early: nobody else has it
		s.Fact("acknowledged", r.value)
	}
	if r.value != "" {
		s.Broadcast(r.value)
	}
}

func (r *register) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		r.value = m.Payload.(string)
	}
	if r.value != "" {
		s.Fact("stored", r.value)
	}
}

// A client stores a value at a. It is acknowledged at once, and lost if a has
// told nobody before it crashes.
func Example() {
	registers := &system.System{
		Name:      "registers",
		Processes: []string{"a", "b", "c"},
		Rounds:    3,
		New:       func(string, *rand.Rand) system.Process { return &register{} },
		Requests:  []system.Request{{Round: 1, Process: "a", Payload: "hello"}},
		Properties: []property.Property{rules.New("durable", `
			pre(X)  :- acknowledged(_, X, _).
			post(X) :- stored(_, X, N), eot(N).`)},
	}
	schedule, err := rounds.ParseSchedule("isolate a@1; crash a@2")
	if err != nil {
		panic(err)
	}
	execution, err := registers.Run(context.Background(), schedule, system.RunOptions{})
	if err != nil {
		panic(err)
	}
	violations, err := registers.Properties[0].Check(execution)
	fmt.Println(violations, err)
	if err := diagram.Write(os.Stdout, execution, diagram.Options{}); err != nil {
		panic(err)
	}
	// Output:
	// [durable: pre("hello"), but no post("hello") by the end of round 3] <nil>
	// round  a             b             c             client
	//                                                  of a
	//   1    ┆             │             │             │   isolate a@1
	//        ┆◀────────────┼─────────────┼── 1: hello ─┤
	//        ├─ message ──✗┼────────────✗│             │   lost: isolate a@1
	//        ├─ 1: ok ─────┼─────────────┼────────────▶│
	//   2    ✗             │             │             │   crash a@2
	//   ⋮
	//        ─✗ lost   ✗ crashes   ╎ has crashed   ┆ is isolated   ⋮ as the round before
}
