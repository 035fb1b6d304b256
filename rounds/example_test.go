package rounds_test

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
)

func Example() {
	bounds := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 6, EFF: 3, Crashes: 1, Omissions: rounds.Unlimited}
	fmt.Println(bounds)

	schedule, err := rounds.ParseSchedule("omit a>c@1; crash a@2; seed 7")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(schedule.Normal())
	fmt.Println(schedule.Size(), "faults, the first of them a", schedule.Normal().Faults[0].Kind)
	fmt.Println(schedule.Check(rounds.Bounds{Processes: []string{"a", "b"}, EOT: 6}))
	// Output:
	// 3 processes, 6 rounds, omissions before round 3, at most 1 crash
	// seed 7; crash a@2; omit a>c@1
	// 2 faults, the first of them a crash
	// schedule: omit a>c@1: there is no process "c": the processes are a, b
}

func ExampleParseSchedule_mistake() {
	_, err := rounds.ParseSchedule("crash a@2; omit a@1")
	fmt.Println(err)
	// Output:
	// schedule: column 18: expected ">" and the receiver, as in omit a>b@2, and found "@"
	//   crash a@2; omit a@1
	//                    ^
}
