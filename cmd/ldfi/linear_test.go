package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property/linear"
)

// linearSystem is a system of two processes with a register: b has a copy, which it
// gets from a in each round, and answers reads. A stale b answers although it has
// heard nothing; the others do not. In the slow one many requests get no reply.
func linearSystem(name string, stale bool) *system.System {
	s := &system.System{
		Name: name, Processes: []string{"a", "b"}, Rounds: 5,
		New: func(name string, _ *rand.Rand) system.Process {
			return &register{name: name, stale: stale, value: "0"}
		},
		Requests: []system.Request{{Process: "a", Round: 1, Payload: "5"}, {Process: "b", Round: 4, Payload: "read"}},
	}
	model := porcupine.Model{Init: func() any { return "0" }, Step: func(state, input, output any) (bool, any) {
		if input == "read" {
			return output == nil || output == state, state
		}
		return output == nil || output == "ok", input
	}}
	limit := 10 * time.Second
	if name == "slow" { // a model whose states are all different, and no time
		model.Step = func(state, input, output any) (bool, any) {
			return input != "read" || output == nil, state.(string) + "," + input.(string)
		}
		limit = time.Millisecond
		for i := range 24 {
			s.Requests = append(s.Requests, system.Request{Process: "a", Round: 2, Payload: fmt.Sprintf("ignored %d", i)})
		}
	}
	s.Properties = append(s.Properties, linear.Property(model, limit))
	return s
}

type register struct {
	name, value  string
	stale, heard bool
	reads        []system.Request
}

func (r *register) Send(s *system.Step) {
	for _, q := range s.Requests() {
		switch text := fmt.Sprint(q.Payload); {
		case text == "read":
			r.reads = append(r.reads, q)
		case !strings.HasPrefix(text, "ignored"):
			r.value = text
			s.Reply(q, "ok")
		}
	}
	if r.name == "a" {
		s.Send("b", r.value)
	}
}

func (r *register) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		r.value, r.heard = m.Payload.(string), true
	}
	for _, q := range r.reads {
		if r.stale || len(inbox) > 0 {
			s.Reply(q, r.value)
		}
	}
	r.reads = nil
}
