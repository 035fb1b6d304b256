// Package linear has the property that what clients are told is linearizable,
// which porcupine checks.
package linear

import (
	"fmt"
	"slices"
	"sync"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Property says that the replies to the requests of clients are those that
// the model gives to the same requests one after the other, in an order in which
// a request that was answered comes before all those of later rounds.
//
// The history is that of the facts request(process, id, payload) and
// reply(process, id, payload), which systems written in Go record by themselves.
// The model gets the payload of a request as its input and that of its reply as
// its output, both as strings. A request without a reply may or may not have had
// an effect. It has the output nil, which the model has to allow.
//
// The violation is the first reply that fits no such order; an id that is used
// twice, or a reply to no request, is one too.
func Property(model porcupine.Model) property.Property {
	return property.Property{Name: "linearizability", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
		h := newHistory(e)
		if len(h.wrong) > 0 {
			return h.wrong
		}
		return h.check(model)
	}}
}

// history is the requests and replies of an execution.
type history struct {
	execution *recording.Execution
	calls     []*call
	wrong     []result.Violation
}

// call is one request.
type call struct {
	id      specs.Value
	process int // which it was made to
	input   string
	round   int
	reply   *recording.Fact // nil without
}

func newHistory(e *recording.Execution) *history {
	h := &history{execution: e}
	byID := map[specs.Value]*call{}
	for i := range e.Facts {
		f := &e.Facts[i]
		if f.Relation != "request" || len(f.Args) != 3 {
			continue
		}
		if byID[f.Args[1]] != nil {
			h.blame(f, "there is another request with this id")
			continue
		}
		process := slices.Index(e.Bounds.Processes, f.Args[0].Text())
		byID[f.Args[1]] = &call{id: f.Args[1], process: max(0, process), input: f.Args[2].Text(), round: f.Round}
		h.calls = append(h.calls, byID[f.Args[1]])
	}
	for i := range e.Facts {
		f := &e.Facts[i]
		if f.Relation != "reply" || len(f.Args) != 3 {
			continue
		}
		switch c := byID[f.Args[1]]; {
		case c == nil || c.round > f.Round:
			h.blame(f, "there was no such request")
		case c.reply == nil:
			c.reply = f
		case c.reply.Args[2] != f.Args[2]:
			h.blame(f, "the first reply was "+recording.Display(*c.reply, e.Bounds.Processes))
		}
	}
	return h
}

func (h *history) blame(f *recording.Fact, why string) {
	h.wrong = append(h.wrong, result.Violation{
		Property: "linearizability",
		Fact:     recording.Fact{Relation: "violation", Args: append(slices.Clip(f.Args), specs.Int(int64(f.Round)))},
		Text:     fmt.Sprintf("%s in round %d: %s", recording.Display(*f, h.execution.Bounds.Processes), f.Round, why),
	})
}

// check looks for the first reply that fits no order.
func (h *history) check(model porcupine.Model) []result.Violation {
	guard := &guard{}
	model = guard.wrap(model)
	linear := porcupine.CheckOperations(model, h.operations(nil))
	guard.raise()
	if linear {
		return nil
	}
	var replies []*recording.Fact
	for _, c := range h.calls {
		if c.reply != nil {
			replies = append(replies, c.reply)
		}
	}
	slices.SortFunc(replies, compareFacts)
	for _, last := range replies {
		linear := porcupine.CheckOperations(model, h.operations(last))
		guard.raise()
		if !linear {
			h.blame(last, "no order of the requests explains this reply and those before it")
			return h.wrong
		}
	}
	h.wrong = append(h.wrong, result.Violation{
		Property: "linearizability", Fact: recording.Fact{Relation: "violation"},
		Text: "the model does not allow requests without a reply: their output is nil",
	})
	return h.wrong
}

func compareFacts(f, g *recording.Fact) int { return f.Compare(*g) }

// operations returns the history as it was when a reply came, nil for the whole
// one. A round is two points in time: requests come at the first, replies at the
// second, so that what happens in one round is concurrent.
func (h *history) operations(last *recording.Fact) []porcupine.Operation {
	end := h.execution.Bounds.EOT + 1
	var all []porcupine.Operation
	for _, c := range h.calls {
		if last != nil && c.round > last.Round {
			continue
		}
		op := porcupine.Operation{ClientId: c.process, Input: c.input, Call: int64(2 * c.round), Return: int64(2*end + 1)}
		if c.reply != nil && (last == nil || compareFacts(c.reply, last) <= 0) {
			op.Output, op.Return = c.reply.Args[2].Text(), int64(2*c.reply.Round+1)
		}
		all = append(all, op)
	}
	return all
}

// guard keeps a panic of a model, which runs in goroutines of the checker.
type guard struct {
	mu       sync.Mutex
	panicked any
}

func (g *guard) wrap(model porcupine.Model) porcupine.Model {
	step := model.Step
	if step == nil {
		return model
	}
	model.Step = func(state, input, output any) (ok bool, next any) {
		defer func() {
			if r := recover(); r != nil {
				g.mu.Lock()
				defer g.mu.Unlock()
				g.panicked, ok, next = r, false, state
			}
		}()
		return step(state, input, output)
	}
	return model
}

// raise panics in this goroutine if the model did in another one.
func (g *guard) raise() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.panicked != nil {
		panic(fmt.Sprintf("the model: %v", g.panicked))
	}
}
