// Package linear has properties of what clients are told: that it is linearizable,
// sequentially consistent or serializable, by models of porcupine.
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

// Property says that the replies to the requests of clients are those that
// the model gives to the same requests one after the other, in an order in which
// a request that was answered comes before all those of later rounds. Models are those
// of porcupine.
//
// The history is that of the facts request(process, id, payload) and
// reply(process, id, payload), which systems written in Go record by themselves.
// The model gets the payload of a request as its input and that of its reply as
// its output, both as strings. A request without a reply may or may not have had
// an effect. Where the model is asked for the effect that it may have had, its output is nil.
//
// The violation is the first reply that fits no such order, with the requests that it
// conflicts with; an id that is used twice, or a reply to no request, is one too.
//
// A request is recorded when it reaches its process. One that is made of a process
// that has crashed reaches nobody, and can have had no effect: it is no part of the history.
//
// To look for an order can take exponentially long in the number of requests that
// are concurrent, above all of those without a reply. After the limit, 10 s if none is
// given, the execution is not judged, and the search that made it is inconclusive
// unless it finds another that violates something. The limit is a time: on a slow
// machine fewer executions are judged.
func Property(model porcupine.Model, limit ...time.Duration) property.Property {
	return of(linearizability, model, limit)
}

// Sequential is like [Property], but says that the replies are those of an order in which
// only the requests that are made to the same process stay as they were made: one that was
// answered comes before those of later rounds. Each process is the session of one client,
// and clients do not see when others are answered (Lamport, "How to make a multiprocessor
// computer that correctly executes multiprocess programs", 1979). Of a model that splits
// requests, all parts have to have one order.
func Sequential(model porcupine.Model, limit ...time.Duration) property.Property {
	return of(sequentialConsistency, model, limit)
}

// Serializable is like [Property], but says that the replies are those of any order: a
// request is a transaction, which may be the effect of one that came much later or be
// seen by one that came much earlier. Transactions that are to respect time are
// linearizable: then ask for [Property].
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
