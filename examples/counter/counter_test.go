package counter_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/examples/counter"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
)

var long = flag.Int("long", 0, "execute a schedule so often with the overlay, at least 20 times, and all schedules within the bounds")

// lostBy is a schedule that loses an update: the backup gets the first one only after
// a client was told that it is there.
const lostBy = "crash a@24; isolate b@5..20"

// TestCounter finds nothing.
func TestCounter(t *testing.T) {
	ldfitest.Run(t, counter.Strict(), ldfitest.Executions(100))
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
func broken(t *testing.T, s *system.System, e *recording.Execution) string {
	t.Helper()
	violations, err := s.Properties[0].Check(e)
	require.NoError(t, err)
	if len(violations) == 0 {
		return ""
	}
	return violations[0].Text
}

// The hasty servers lose an update to two faults, the strict ones do not.
func TestAnUpdateIsLost(t *testing.T) {
	s := counter.Hasty()
	require.Equal(t, "2 updates were acknowledged, but the value is 1", broken(t, s, run(t, s, lostBy)))
	s = counter.Strict()
	require.Empty(t, broken(t, s, run(t, s, lostBy)))
}

// No single fault loses an update: all of them are executed.
func TestOneFaultIsNotEnough(t *testing.T) {
	s := counter.Hasty()
	all := allOf(s, 1)
	require.Len(t, all, 1+2*90+3*59)
	for _, schedule := range all {
		require.Empty(t, broken(t, s, run(t, s, schedule)), schedule)
	}
}

// allOf returns all schedules within the bounds of a system that have at most so
// many faults.
func allOf(s *system.System, most int) (all []string) {
	b := s.Bounds(0)
	b.Isolations, b.Period, b.Crashes, b.NeverCrash, b.EFF = s.Faults.Isolations, s.Faults.Period, s.Faults.Crashes, s.Faults.NeverCrash, s.Faults.EFF
	for schedule := range schedules.New(b).AtMost(most) {
		all = append(all, schedule.String())
	}
	return all
}

// In the long form all schedules within the bounds are executed: that is a certificate
// of the strict servers.
func TestCertificate(t *testing.T) {
	if *long == 0 {
		t.Skip("go test ./examples/counter -run TestCertificate -args -long 1")
	}
	s := counter.Strict()
	all := allOf(s, 2)
	require.Len(t, all, 32_218)
	for _, schedule := range all {
		require.Empty(t, broken(t, s, run(t, s, schedule)), schedule)
	}
}

// What a diagram shows is what the servers say.
func TestMessages(t *testing.T) {
	var said []string
	for _, m := range run(t, counter.Strict(), "").Messages[:10] {
		said = append(said, fmt.Sprintf("%d %s>%s %s", m.Round, m.From, m.To, m.Args[1].Text()))
	}
	require.Equal(t, []string{
		"1 client>a dial :80", "2 a>client accept", "3 client>a POST /add", "4 a>b dial :80", "5 b>a accept",
		"6 a>b PUT /copy: 1", "7 b>a 204 No Content", "8 a>client 200 OK: 1", "24 client>a POST /add", "25 a>b PUT /copy: 2",
	}, said)
}

// With the overlay the same schedule gives the same recording, byte for byte, also
// after others; and net.Listen works in a server as it is.
func TestExact(t *testing.T) {
	if run(t, counter.Hasty(), "").Inexact != "" {
		t.Skip("this is the program of TestOverlay")
	}
	bytes := func(s *system.System, schedule string) string {
		b, err := json.Marshal(run(t, s, schedule))
		require.NoError(t, err)
		return string(b)
	}
	first := bytes(counter.Hasty(), lostBy)
	for n := range max(*long, 20) {
		require.Equal(t, first, bytes(counter.Hasty(), lostBy), "execution %d", n)
		if n%10 == 0 {
			bytes(counter.Strict(), fmt.Sprintf("seed %d; isolate client@%d..20", n, 1+n%20))
		}
	}
	require.Equal(t, run(t, counter.Unchanged(), lostBy).Messages, run(t, counter.Hasty(), lostBy).Messages)
}

// TestOverlay runs TestExact in a program that is built with the overlay: with -long, since
// all of the standard library may have to be compiled for it. Those of internal/gobuild and
// rounds/virtual build smaller ones every time.
func TestOverlay(t *testing.T) {
	if *long == 0 {
		t.Skip("go test ./examples/counter -run TestOverlay -args -long 20")
	}
	installed, err := gobuild.Installed(t.Context(), "go", ".", os.Environ())
	require.NoError(t, err)
	list, err := installed.Write()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "counter.test")
	out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay="+list, "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.CommandContext(t.Context(), program, "-test.run=^TestExact$", "-test.v", fmt.Sprintf("-long=%d", *long)).CombinedOutput()
	require.NoError(t, err, string(out))
	require.True(t, bytes.Contains(out, []byte("--- PASS: TestExact")), string(out))
}
