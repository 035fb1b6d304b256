package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// follower proposes itself in rounds that it draws, and follows the first of whom it
// hears. A brittle one does nothing more once it has missed a message.
type follower struct{ brittle, broken, following bool }

func (f *follower) Send(s *system.Step) {
	s.Broadcast(!f.broken && s.Rand().IntN(6) == 0)
}

func (f *follower) Receive(s *system.Step, inbox []system.Message) {
	f.broken = f.broken || f.brittle && len(inbox) < 2
	for _, m := range inbox {
		f.following = f.following || m.Payload.(bool) && !f.broken
	}
	if f.following {
		s.Fact("follows")
	}
}

func (f *follower) Fingerprint() string  { return fmt.Sprint(*f) }
func (f *follower) Snapshot() any        { return *f }
func (f *follower) Restore(snapshot any) { *f = snapshot.(follower) }

// followers are a system in which all are to follow somebody by the end: they may come
// to it late, and brittle ones may not come to it at all.
func followers(name string, brittle bool) *system.System {
	return &system.System{
		Name: name, Processes: []string{"a", "b", "c"}, Rounds: 8,
		New:        func(string, *rand.Rand) system.Process { return &follower{brittle: brittle} },
		Properties: []property.Property{rules.New("all follow", "pre(P) :- process(P). post(P) :- follows(P, _).")},
	}
}
