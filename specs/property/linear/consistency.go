package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/internal/limits"
)

// consistency is which orders of the requests count: all of them explain every reply.
type consistency struct {
	name string
	kept string // what an order keeps, in the words of a violation

	// group numbers the groups in which a request that was answered stays before
	// all that were asked for later.
	group func(i int, op porcupine.Operation) int

	local    bool // what holds of each part into which a model splits requests holds of all
	past     bool // no reply needs a request that was asked for after it
	timeless bool // when requests were made makes no difference
}

var (
	linearizability = consistency{
		name: "linearizability", kept: "no order of the requests",
		group: func(int, porcupine.Operation) int { return 0 }, local: true, past: true,
	}
	sequentialConsistency = consistency{
		name: "sequential consistency", kept: "no order of the requests that keeps those of each process as they were made",
		group: func(_ int, op porcupine.Operation) int { return op.ClientId },
	}
	serializability = consistency{
		name: "serializability", kept: "no order at all of the requests",
		group: func(i int, _ porcupine.Operation) int { return i }, local: true, timeless: true,
	}
)

// states are those of the parts into which a model splits requests, where one order has to
// explain all of them.
type states []any

// whole returns the model of requests that are not split, and the requests, each
// with the number of its part.
func whole(model porcupine.Model, operations []porcupine.Operation) (porcupine.Model, []porcupine.Operation) {
	if model.Partition == nil {
		return model, operations
	}
	var all []porcupine.Operation
	parts := model.Partition(operations)
	for number, part := range parts {
		for _, op := range part {
			op.Input = parted{op.Input, number}
			all = append(all, op)
		}
	}
	if len(all) != len(operations) {
		panic(&limits.UnjudgedError{Why: fmt.Sprintf("the Partition of the model makes %d operations of %d, which have no common order", len(all), len(operations))})
	}
	return porcupine.Model{Init: startsOf(model, len(parts)), Step: stepOf(model), Equal: equalOf(model)}, all
}

// parted is the input of a request, and its part.
type parted struct {
	input any
	part  int
}

func startsOf(model porcupine.Model, parts int) func() any {
	return func() any {
		all := make(states, parts)
		for i := range all {
			all[i] = model.Init()
		}
		return all
	}
}

func stepOf(model porcupine.Model) func(state, input, output any) (bool, any) {
	return func(state, input, output any) (bool, any) {
		in := input.(parted)
		ok, next := model.Step(state.(states)[in.part], in.input, output)
		if !ok {
			return false, state
		}
		all := append(states(nil), state.(states)...)
		all[in.part] = next
		return true, all
	}
}

func equalOf(model porcupine.Model) func(a, b any) bool {
	return func(a, b any) bool {
		for i, state := range a.(states) {
			if other := b.(states)[i]; model.Equal == nil && state != other || model.Equal != nil && !model.Equal(state, other) {
				return false
			}
		}
		return true
	}
}
