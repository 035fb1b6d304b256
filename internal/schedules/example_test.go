package schedules_test

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

func ExampleEnvironment() {
	bounds := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 6, EFF: 3, Crashes: 1, Omissions: rounds.Unlimited}
	schedule, err := rounds.ParseSchedule("omit a>c@1; crash a@2")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("within the bounds:", schedules.Within(schedule, bounds) == nil)

	env, err := schedules.NewEnvironment(bounds, schedule)
	if err != nil {
		fmt.Println(err)
		return
	}
	const a, b, c = 0, 1, 2
	fmt.Println("a to b in round 1:", env.Delivers(a, b, 1))
	fmt.Println("a to c in round 1:", env.Delivers(a, c, 1))
	cause, _ := env.Cause(a, b, 2)
	fmt.Println("a to b in round 2 is lost:", cause)
	// Output:
	// within the bounds: true
	// a to b in round 1: true
	// a to c in round 1: false
	// a to b in round 2 is lost: crash a@2
}

func ExampleWithin() {
	schedule := rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Omit, Process: "a", To: "b", Round: 4}}}
	bounds := rounds.Bounds{Processes: []string{"a", "b"}, EOT: 6, EFF: 3}
	fmt.Println(schedules.Within(schedule, bounds))
	// Output:
	// schedule: omit a>b@4: messages can be lost only in rounds before 3 (eff=3)
}

func ExampleUniverse_All() {
	bounds := rounds.Bounds{Processes: []string{"a", "b"}, EOT: 2, Omissions: 1}
	for schedule := range schedules.New(bounds).All() {
		fmt.Printf("%q\n", schedule)
	}
	// Output:
	// ""
	// "omit b>a@2"
	// "omit a>b@2"
	// "omit b>a@1"
	// "omit a>b@1"
}
