package maelstrom

import (
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Echo is the workload in which a node says what it is told:
//
//	echo {"echo": "7"}  →  echo_ok {"echo": "7"}
type Echo struct{ common }

func (Echo) asks(n, _ int) Body { return Body{"type": "echo", "echo": fmt.Sprint("hello ", n)} }

func (Echo) promises(until int) []property.Property {
	const name = "echoes are equal"
	return []property.Property{answered(until), {Name: name, FactsOnly: true, Func: func(e *recording.Execution) (all []result.Violation) {
		for _, o := range asks(history(e), "echo") {
			if o.told != nil && (!o.succeeded() || compact(o.told["echo"]) != compact(o.asked["echo"])) {
				all = append(all, violation(name, o.says(), o.reply))
			}
		}
		return all
	}}}
}
