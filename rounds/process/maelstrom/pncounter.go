package maelstrom

import (
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// PNCounter is the workload of a counter that grows and shrinks, and is the same
// everywhere in the end:
//
//	add {"delta": -3}  →  add_ok
//	read               →  read_ok {"value": -3}
type PNCounter struct{ common }

func (PNCounter) asks(n, _ int) Body {
	if n%3 == 1 {
		return Body{"type": "add", "delta": -n - 1}
	}
	return Body{"type": "add", "delta": n + 1}
}

func (PNCounter) final() Body        { return Body{"type": "read"} }
func (PNCounter) services() []string { return services }

func (PNCounter) promises(int) []property.Property {
	return []property.Property{
		{Name: "every add counts once", FactsOnly: true, ByEnd: true, Func: miscounted},
		{Name: "no more is added than was asked", FactsOnly: true, Func: beyond},
	}
}

// miscounted finds nodes whose last read is not what clients were told to be added, with or
// without what may have been.
func miscounted(e *recording.Execution) (all []result.Violation) {
	operations := history(e)
	sum, possible := 0, map[int]bool{0: true}
	for _, o := range asks(operations, "add") {
		delta := o.asked.integer("delta")
		switch {
		case o.succeeded():
			sum += delta
		case !o.failed():
			more := map[int]bool{}
			for s := range possible {
				more[s], more[s+delta] = true, true
			}
			possible = more
		}
	}
	for _, read := range lastReads(e, operations) {
		if !possible[read.told.integer("value")-sum] {
			all = append(all, violation("every add counts once", fmt.Sprintf("%s, but clients were told that %d is added", read.says(), sum), read.last()))
		}
	}
	return all
}

// beyond finds for each node the first read that is above all that can have been added by
// then, or below all that can have been taken away.
func beyond(e *recording.Execution) (all []result.Violation) {
	operations := history(e)
	blamed := map[string]bool{}
	for _, read := range asks(operations, "read") {
		least, most := 0, 0
		for _, o := range asks(operations, "add") {
			if o.round <= read.answered && !o.failed() {
				delta := o.asked.integer("delta")
				least, most = least+min(delta, 0), most+max(delta, 0)
			}
		}
		if value := read.told.integer("value"); read.succeeded() && (value < least || value > most) && !blamed[read.node] {
			blamed[read.node] = true
			all = append(all, violation("no more is added than was asked", fmt.Sprintf("%s, but what was asked to be added by then is from %d to %d", read.says(), least, most), read.reply))
		}
	}
	return all
}
