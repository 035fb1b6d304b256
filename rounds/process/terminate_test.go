package process_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// terminated executes a program that gets SIGTERM, and returns what it tells.
func terminated(t *testing.T, does, schedule string, again time.Duration) (facts []string, ends error) {
	c := process.Cluster{Rounds: 20, Apart: -1, Nodes: []process.Node{{Name: "n1", File: built(t, "./testdata/ends"), Args: []string{"told", does}, Restart: again}}}
	s, err := c.System()
	require.NoError(t, err)
	r := s.NewRunner()
	r.Options.Record = true
	err = r.Run(t.Context(), parse(t, schedule))
	for _, f := range r.Execution().Facts {
		switch {
		case f.Relation == "exit":
			facts = append(facts, fmt.Sprintf("exit %s @%d", f.Args[1].Text(), f.Round))
		case f.Relation == "log":
			facts = append(facts, fmt.Sprintf("%s @%d", f.Args[2].Text(), f.Round))
		}
	}
	return facts, err
}

// A program ends when it likes after SIGTERM, with any status, and is started again in the
// round behind those of the fault. Who does not take the signal ends by it at once; who ignores
// it is killed. That no server ends is promised all the same where nobody told it to.
func TestTerminated(t *testing.T) {
	for _, c := range []struct {
		does, schedule string
		again          time.Duration
		facts          []string
	}{
		{"exit", "terminate n1@5..12", 0, []string{"starts @1", "told @5", "exit 3 @7", "starts @13"}},
		{"nothing", "terminate n1@5..12", 0, []string{"starts @1", "exit 143 @5", "starts @13"}},
		{"ignore", "terminate n1@5..12", 0, []string{"starts @1", "exit 137 @12", "starts @13"}},
		{"exit", "terminate n1@5", 0, []string{"starts @1", "told @5", "exit 137 @5", "starts @6"}},
		{"exit", "terminate n1@5..20", 0, []string{"starts @1", "told @5", "exit 3 @7"}},
		// Not by its supervisor, which told it to end.
		{"exit", "terminate n1@5..12", 20 * time.Millisecond, []string{"starts @1", "told @5", "exit 3 @7", "starts @13"}},
		// One after the other.
		{"nothing", "terminate n1@5..6; terminate n1@7..9", 0, []string{"starts @1", "exit 143 @5", "exit 143 @7", "starts @10", "starts @7"}},
		// It crashes meanwhile, and comes back as after each crash.
		{"exit", "terminate n1@5..12; crash n1@6", 0, []string{"starts @1", "told @5"}},
		{"exit", "terminate n1@5..12; crash n1@6; restart n1@9", 0, []string{"starts @1", "told @5", "starts @9"}},
		// It is down, stands still, or has not started.
		{"exit", "crash n1@4; terminate n1@5..12; restart n1@7", 0, []string{"starts @1", "starts @7"}},
		{"exit", "pause n1@5..6; terminate n1@5..12", 0, []string{"starts @1"}},
		{"exit", "pause n1@6..15; terminate n1@5..12", 0, []string{"starts @1", "told @5", "exit 137 @16", "starts @17"}},
		{"exit", "start n1@8; terminate n1@5..12", 0, []string{"starts @8"}},
	} {
		facts, err := terminated(t, c.does, c.schedule, c.again)
		require.NoError(t, err, "%s %s", c.does, c.schedule)
		assert.ElementsMatch(t, c.facts, facts, "%s %s", c.does, c.schedule)
	}
	facts, err := terminated(t, "panic", "terminate n1@5..12", 0)
	ended := (*system.PanicError)(nil)
	require.ErrorAs(t, err, &ended)
	require.Equal(t, "boom", ended.Text)
	require.Contains(t, facts, "exit 2 @7")
}

// Its machine runs on: what it wrote and did not sync is there when it is started again, and
// lost only if the machine crashes meanwhile.
func TestTerminationKeepsTheDisk(t *testing.T) {
	acked, had, _ := journal(t, journalNode(t, "unsynced"), "terminate n1@12..13", 12)
	assert.Greater(t, acked, 5)
	assert.Equal(t, acked, had)
	_, had, _ = journal(t, journalNode(t, "unsynced"), "terminate n1@12..15; crash n1@13; restart n1@14", 12)
	assert.Zero(t, had)
}

// Clients get no signals, and neither do processes that are no programs.
func TestWhoIsNotTerminated(t *testing.T) {
	c := process.Cluster{Rounds: 20, Apart: -1, Nodes: []process.Node{{Name: "n1", File: "/bin/true"}}, Clients: []process.Node{{Name: "c", File: "/bin/true"}}}
	s, err := c.System()
	require.NoError(t, err)
	_, err = s.Run(t.Context(), parse(t, "terminate c@3"), system.RunOptions{})
	require.EqualError(t, err, `system "cluster": schedule: terminate c@3: process c has no program of its own that could get a signal (system.Machined)`)
}
