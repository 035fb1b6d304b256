package system_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// keeper is a process with a disk, which counts rounds as terms, and votes for what
// it hears of first in each.
type keeper struct {
	disk, memory ballot
	mistake      string
	half         bool // something is stored, and something else not yet
	restarts     int
	only         string // whom alone it heard in the round before
	shared       *int   // that executions share
}

type ballot struct {
	term int
	vote string
}

func keepers(mistake string) *system.System {
	shared := 0
	return &system.System{
		Name: "keepers", Processes: []string{"a", "b", "c", "d"}, Rounds: 8, Durable: []string{"vote"},
		New: func(string, *rand.Rand) system.Process { return &keeper{mistake: mistake, shared: &shared} },
	}
}

func (*keeper) CrashPoints() []string { return []string{"answered", "half", "term", "never"} }

func (k *keeper) Restart(s *system.Step) {
	k.memory = k.disk
	k.restarts++
	k.report(s)
	switch {
	case k.mistake == "recovers at random" && k.half, k.mistake == "restarts twice at random" && k.restarts == 2:
		*k.shared++
		s.Fact("recovered", *k.shared)
	case k.mistake == "half is nowhere" && k.half:
		s.Fact("recovered", 1)
	}
	k.half = false
}

func (k *keeper) report(s *system.Step) {
	if k.memory.vote != "" {
		s.Fact("vote", k.memory.term, k.memory.vote)
	}
}

// Send begins a term every other round, which ends the vote of the one before.
func (k *keeper) Send(s *system.Step) {
	s.Broadcast(k.only)
	if s.Round()%2 == 0 {
		k.memory = ballot{s.Round(), ""}
		k.disk = k.memory
		s.At("term")
	} else if k.mistake == "stores half" {
		k.disk = ballot{k.disk.term, ""} // the file is written anew
		s.At("half")
		k.disk = k.memory
	} else {
		k.half = true
		s.At("half")
		k.half = false
	}
}

func (k *keeper) Receive(s *system.Step, inbox []system.Message) {
	// Only after a partition can a process have heard one other alone, and hear that
	// a third one heard a fourth one alone.
	only := k.only
	k.only = ""
	if len(inbox) == 1 {
		k.only = inbox[0].From
	}
	for _, m := range inbox {
		if other := m.Payload.(string); k.mistake == "parts at random" && only != "" && m.From != only && other != "" && other != s.Process() && other != only {
			*k.shared++
			s.Fact("parted", *k.shared)
		}
	}
	if k.memory.vote == "" && len(inbox) > 0 {
		k.memory.vote = inbox[0].From
		if k.mistake == "answers before it stores" {
			k.report(s)
			s.At("answered")
		}
		k.disk = k.memory
	}
	k.report(s)
	s.At("answered")
}

func (k *keeper) Fingerprint() string {
	return fmt.Sprint(k.disk, k.memory, k.restarts, k.only)
}
func (k *keeper) Snapshot() any        { return *k }
func (k *keeper) Restore(snapshot any) { *k = snapshot.(keeper) }

// Mistakes that only crashes within a round, second restarts and partitions show are
// found, with a schedule that has no more than is needed.
func TestSelfTestsKnowPoints(t *testing.T) {
	for _, c := range []struct {
		mistake  string
		test     string
		schedule string // the words of the schedule; "": nothing is found
	}{
		{"", execution.Determinism, ""},
		{"", execution.States, ""},
		{"", execution.Durability, ""},
		{"answers before it stores", execution.Durability, "crash answered restart"},
		{"stores half", execution.Durability, "crash half restart"},
		{"recovers at random", execution.Determinism, "crash half restart"},
		{"half is nowhere", execution.States, "crash half"},
		{"restarts twice at random", execution.Determinism, "crash restart restart"},
		{"parts at random", execution.Determinism, "partition"},
	} {
		t.Run(c.mistake+" "+c.test, func(t *testing.T) {
			s := keepers(c.mistake)
			check := map[string]func() error{
				execution.Determinism: func() error { return s.CheckDeterminism(t.Context(), 300, 1) },
				execution.States:      func() error { return s.CheckState(t.Context(), 300, 1) },
				execution.Durability:  func() error { return s.CheckDurability(t.Context(), 300, 1) },
			}[c.test]
			err := check()
			if c.schedule == "" {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			t.Log(err)
			var forgot *system.DurabilityError
			var differ *system.NondeterminismError
			var schedule rounds.Schedule
			switch {
			case errors.As(err, &forgot):
				schedule = forgot.Schedule
			case errors.As(err, &differ):
				schedule = differ.Schedule
			}
			for _, word := range strings.Fields(c.schedule) {
				require.Contains(t, schedule.String(), word)
			}
			if c.test != execution.States { // snapshots of earlier executions may have a part in it
				require.LessOrEqual(t, schedule.Size(), 4)
			}
		})
	}
}
