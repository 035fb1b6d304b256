package diagram_test

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

func ExampleWrite() {
	log := func(round int, to string, cause rounds.Fault) recording.Message {
		return recording.Message{From: "a", To: to, Round: round, Relation: "log",
			Args: []specs.Value{specs.String(to)}, Lost: cause != rounds.Fault{}, Cause: cause}
	}
	schedule, err := rounds.ParseSchedule("crash a@2; omit a>c@1")
	if err != nil {
		fmt.Println(err)
		return
	}
	crash, omission := schedule.Faults[0], schedule.Faults[1]
	execution := recording.Execution{
		Bounds:   rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 3},
		Schedule: schedule,
		Messages: []recording.Message{log(1, "b", rounds.Fault{}), log(1, "c", omission), log(2, "b", crash), log(2, "c", crash)},
	}
	err = diagram.Write(os.Stdout, &execution, diagram.Options{
		Notes: []diagram.Note{{Round: 3, Text: `no post(c, "hello")`}},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// round  a         b         c
	//   1    ├─ log ──▶┼────────✗│   lost: omit a>c@1
	//   2    ✗         │         │   crash a@2
	//        ╎─ log ──✗┼────────✗│   lost: crash a@2
	//   3    ╎         │         │   no post(c, "hello")
	//        ─✗ lost   ✗ crashes   ╎ has crashed
}
