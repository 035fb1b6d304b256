package system_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// gossip passes on the greatest number that it has heard of.
type gossip struct{ value int }

func (g *gossip) Send(s *system.Step) {
	for _, r := range s.Requests() {
		g.value = max(g.value, r.Payload.(int))
		s.Reply(r, "done")
	}
	s.Broadcast(g.value)
}

func (g *gossip) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		g.value = max(g.value, m.Payload.(int))
	}
	s.Fact("value", g.value)
}

var gossips = &system.System{
	Name: "gossip", Processes: []string{"a", "b", "c"}, Rounds: 3,
	New:      func(string, *rand.Rand) system.Process { return &gossip{} },
	Requests: []system.Request{{Round: 1, Process: "a", Payload: 7}},
}

func TestRun(t *testing.T) {
	s, err := rounds.ParseSchedule("isolate b@1..3")
	require.NoError(t, err)
	e, err := gossips.Run(context.Background(), s, system.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, e.Validate())
	var texts []string
	for _, f := range e.Facts {
		texts = append(texts, f.String())
	}
	require.Contains(t, texts, `value("c", 7)@1`)
	require.Contains(t, texts, `value("b", 0)@3`)
	require.Contains(t, texts, `reply("a", 1, "done")@1`)
}
