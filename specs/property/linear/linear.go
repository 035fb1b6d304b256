// Package linear has properties of the replies that clients get: that they are
// linearizable, sequentially consistent or serializable, by models of porcupine.
package linear

import (
	"fmt"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Property returns the property that the requests of clients are linearizable: the
// replies are those that the model gives to the same requests one after the other, in
// an order in which an answered request comes before all requests of later rounds.
//
// The history is taken from the facts request(process, id, payload) and reply(process,
// id, payload), which systems written in Go record by themselves. The model gets the
// payload of a request as input and the payload of its reply as output, both as
// strings. A request without a reply may or may not have had an effect; the model gets
// it with the output nil.
//
// The violation is the first reply that fits no such order, with the requests that it
// conflicts with. An id that is used twice, and a reply to no request, are violations
// too.
//
// A request is recorded when it reaches its process. A request to a crashed process has
// no effect and is no part of the history.
//
// The check can take time exponential in the number of concurrent requests, above all
// of those without a reply. After limit, 10 s if none is given, the execution is not
// judged, and the search is inconclusive unless another execution violates a property.
// Because limit is a time, fewer executions are judged on a slow machine.
func Property(model porcupine.Model, limit ...time.Duration) property.Property {
	return of(linearizability, model, limit)
}

// Sequential returns the property of sequential consistency. It is like Property, but
// the order has to keep only the order of requests to the same process: an answered
// request comes before the requests of later rounds to that process. Each process is
// the session of one client, and clients do not see when others are answered (Lamport,
// "How to make a multiprocessor computer that correctly executes multiprocess
// programs", 1979). If the model partitions requests, all parts must have one common
// order.
func Sequential(model porcupine.Model, limit ...time.Duration) property.Property {
	return of(sequentialConsistency, model, limit)
}

// Serializable returns the property of serializability. It is like Property, but any
// order will do: a request is a transaction, which may see one that came much later, or
// be seen by one that came much earlier. For transactions that have to respect time use
// Property.
func Serializable(model porcupine.Model, limit ...time.Duration) property.Property {
	return of(serializability, model, limit)
}

func of(kept consistency, model porcupine.Model, limit []time.Duration) property.Property {
	most := defaultLimit
	if len(limit) > 0 {
		most = limit[0]
	}
	return property.Property{Name: kept.name, FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
		h := newHistory(kept.name, e)
		if len(h.wrong) > 0 {
			return h.wrong
		}
		return h.check(newJudge(kept, model, most))
	}}
}

// defaultLimit is how long an execution is judged.
const defaultLimit = 10 * time.Second

// history is the requests and replies of an execution.
type history struct {
	property  string
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

func newHistory(property string, e *recording.Execution) *history {
	h := &history{property: property, execution: e}
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
		Property: h.property,
		Fact:     recording.Fact{Relation: "violation", Args: append(slices.Clip(f.Args), specs.Int(int64(f.Round)))},
		Text:     fmt.Sprintf("%s in round %d: %s", recording.Display(*f, h.execution.Bounds.Processes), f.Round, why),
	})
}
