package maelstrom

import (
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// GCounter is the workload of a counter that only grows, and is the same everywhere
// in the end:
//
//	add {"delta": 3}  →  add_ok
//	read              →  read_ok {"value": 3}
type GCounter struct{ common }

func (GCounter) asks(n, _ int) Body { return Body{"type": "add", "delta": n + 1} }
func (GCounter) final() Body        { return Body{"type": "read"} }
func (GCounter) services() []string { return services }

func (GCounter) promises(int) []property.Property {
	return []property.Property{
		{Name: "every add counts", FactsOnly: true, ByEnd: true, Func: uncounted},
		{Name: "no add counts twice", FactsOnly: true, Func: overcounted},
	}
}

// uncounted finds nodes whose last read is below what clients were told to be added.
func uncounted(e *recording.Execution) (all []result.Violation) {
	operations := history(e)
	sum := 0
	for _, o := range asks(operations, "add") {
		if o.succeeded() {
			sum += o.asked.integer("delta")
		}
	}
	for _, read := range lastReads(e, operations) {
		if value := read.told.integer("value"); value < sum {
			text := fmt.Sprintf("%s, but clients were told that %d is added", read.says(), sum)
			all = append(all, violation("every add counts", text, read.last()))
		}
	}
	return all
}

// overcounted finds for each node the first read that is above everything that can have
// been added by then: what was asked for, and has not certainly failed.
func overcounted(e *recording.Execution) (all []result.Violation) {
	operations := history(e)
	blamed := map[string]bool{}
	for _, read := range asks(operations, "read") {
		most := 0
		for _, o := range asks(operations, "add") {
			if o.round <= read.answered && !o.failed() {
				most += o.asked.integer("delta")
			}
		}
		if read.succeeded() && read.told.integer("value") > most && !blamed[read.node] {
			blamed[read.node] = true
			text := fmt.Sprintf("%s, but all that was asked to be added by then is %d", read.says(), most)
			all = append(all, violation("no add counts twice", text, read.reply))
		}
	}
	return all
}
