package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// notary notes the number of each round in a file, and reports what it has noted.
type notary struct {
	mistake      string
	synced, file string // what is durable, and what was written
	noted        string
	shared       *int
}

func (n *notary) Machine() system.Machine { return system.Machine{Clock: true, Disk: true} }

func (n *notary) Send(s *system.Step) {
	c := s.Conditions()
	n.file = fmt.Sprintf("%d.", s.Round())
	if n.mistake != "does not sync" && !c.FailSync {
		n.synced = n.file
	}
	if n.synced == n.file || n.mistake != "" {
		n.noted = n.file
	}
	if n.mistake == "reads another clock" && c.Clock != 0 {
		*n.shared++
		s.Fact("time", *n.shared)
	}
}

func (n *notary) Receive(s *system.Step, _ []system.Message) { s.Fact("noted", n.noted) }

func (n *notary) CrashDisk(outcome string) {
	switch {
	case outcome == "kept":
		n.synced = n.file
	case outcome == "torn" && n.mistake == "takes torn files":
		n.synced = n.file[:len(n.file)/2]
	}
}

func (n *notary) Restart(s *system.Step) {
	n.noted, n.file = n.synced, n.synced
	s.Fact("noted", n.noted)
}

func (n *notary) Fingerprint() string { return fmt.Sprint(n.synced, "|", n.file, "|", n.noted) }

func notaries(mistake string) *system.System {
	shared := 0
	return &system.System{
		Name: "notary", Processes: []string{"a", "b"}, Rounds: 8, Durable: []string{"noted"},
		New: func(string, *rand.Rand) system.Process { return &notary{mistake: mistake, shared: &shared} },
	}
}

// Self-tests crash machines with all outcomes, and let their clocks run wrong.
func TestSelfTestsOfMachines(t *testing.T) {
	for mistake, want := range map[string][2]string{
		"":                    {},
		"does not sync":       {"durability", `does not any more when it restarts in round`},
		"takes torn files":    {"durability", "/torn; restart "},
		"reads another clock": {"determinism", `"fast a@`},
	} {
		tests, err := notaries(mistake).SelfTests(context.Background(), 200, 1)
		require.NoError(t, err)
		found := map[string]string{}
		for _, test := range tests {
			if len(test.Found) > 0 {
				found[test.Name] = test.Found[0]
			}
		}
		if want[0] == "" {
			require.Empty(t, found)
			continue
		}
		require.Contains(t, found[want[0]], want[1], mistake)
	}
}
