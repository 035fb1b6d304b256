package quorum_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/examples/quorum"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
)

var long = flag.Int("long", 20, "execute a schedule so often with the overlay")

// lostBy is a schedule that loses an update: b misses it, and clients come to b.
const lostBy = "crash a@33; isolate b@11..20"

// TestQuorum finds nothing.
func TestQuorum(t *testing.T) {
	ldfitest.Run(t, quorum.Careful(), ldfitest.Executions(30))
}

func run(t *testing.T, s *system.System, schedule string) *recording.Execution {
	t.Helper()
	parsed, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), parsed, system.RunOptions{})
	require.NoError(t, err)
	return e
}

// broken tells what an execution violates.
func broken(t *testing.T, s *system.System, schedule string) string {
	t.Helper()
	violations, err := s.Properties[0].Check(run(t, s, schedule))
	require.NoError(t, err)
	if len(violations) == 0 {
		return ""
	}
	return violations[0].Text
}

// The hasty servers lose an update to two faults and to neither of them alone, the
// careful ones do not.
func TestAnUpdateIsLost(t *testing.T) {
	require.Equal(t, "1 updates were acknowledged, but the value is 0", broken(t, quorum.Hasty(), lostBy))
	require.Empty(t, broken(t, quorum.Careful(), lostBy))
	for _, fault := range strings.Split(lostBy, "; ") {
		require.Empty(t, broken(t, quorum.Hasty(), fault))
	}
}

// What a diagram shows is what the servers say.
func TestMessages(t *testing.T) {
	var said []string
	for _, m := range run(t, quorum.Hasty(), "").Messages {
		if m.Relation == "grpc" && m.Round < 14 {
			said = append(said, fmt.Sprintf("%d %s>%s %s", m.Round, m.From, m.To, m.Args[1].Text()))
		}
	}
	require.Equal(t, []string{
		"10 client>a /quorum.Counter/Add", "11 a>b /quorum.Counter/Raise", "11 a>c /quorum.Counter/Raise",
		"12 b>a /quorum.Counter/Raise OK", "12 c>a /quorum.Counter/Raise OK", "13 a>client /quorum.Counter/Add OK",
	}, said)
}

// With the overlay the same schedule gives the same recording, byte for byte, also
// after others:
//
//	go test $(ldfi overlay) . -run TestExact -v -args -long 1000
func TestExact(t *testing.T) {
	s := quorum.Hasty()
	first := run(t, s, lostBy)
	if first.Inexact != "" {
		t.Skip(first.Inexact)
	}
	bytes := func(e *recording.Execution) string {
		b, err := json.Marshal(e)
		require.NoError(t, err)
		return string(b)
	}
	for n := range *long {
		require.Equal(t, bytes(first), bytes(run(t, s, lostBy)), "execution %d", n)
		if n%10 == 0 {
			run(t, quorum.Careful(), fmt.Sprintf("seed %d; isolate client@%d..20", n, 1+n%20))
		}
	}
}
