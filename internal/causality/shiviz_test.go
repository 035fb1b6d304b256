package causality_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// entry is an event as ShiViz reads it.
type entry struct {
	host  string
	clock map[string]int
}

// readLog reads a log as ShiViz does: the first line says how.
func readLog(t *testing.T, log string) []entry {
	t.Helper()
	lines := strings.SplitN(log, "\n", 3)
	require.Empty(t, lines[1], "one execution")
	pattern := regexp.MustCompile("(?m)^" + strings.ReplaceAll(lines[0], "?<", "?P<") + "$")
	var all []entry
	for _, m := range pattern.FindAllStringSubmatch(lines[2], -1) {
		e := entry{host: m[pattern.SubexpIndex("host")]}
		require.NoError(t, json.Unmarshal([]byte(m[pattern.SubexpIndex("clock")]), &e.clock))
		all = append(all, e)
	}
	require.Equal(t, strings.Count(lines[2], "\n"), 2*len(all), "every line is read")
	return all
}

// follows computes what comes before what from the events themselves: the events of a
// process in turn, and a message before its arrival.
func follows(events []causality.Event) [][]bool {
	before := make([][]bool, len(events))
	for i, e := range events {
		before[i] = make([]bool, len(events))
		for j := range i {
			if events[j].Process == e.Process || e.From == j {
				before[i][j] = true
				for k := range j {
					before[i][k] = before[i][k] || before[j][k]
				}
			}
		}
	}
	return before
}

func leq(a, b map[string]int) bool {
	for host, ticks := range a {
		if b[host] < ticks {
			return false
		}
	}
	return true
}

// requireClocks checks the rules of vector clocks, and that they order the events just as
// messages do.
func requireClocks(t *testing.T, e *recording.Execution) int {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, causality.WriteShiViz(&b, e))
	entries, events := readLog(t, b.String()), causality.Events(e)
	require.Len(t, entries, len(events))
	last := map[string]int{}
	for _, x := range entries {
		last[x.host]++
		require.Equal(t, last[x.host], x.clock[x.host], "every event is one tick of its host")
	}
	for i, before := range follows(events) {
		for j := range i {
			if before[j] != leq(entries[j].clock, entries[i].clock) {
				require.Fail(t, "clocks and messages disagree", "events %d and %d:\n%s", j, i, b.String())
			}
		}
	}
	return len(events)
}

func TestClocksOfProtocols(t *testing.T) {
	events, lost := 0, 0
	for _, c := range oracle.Protocols(t) {
		if len(c.Bounds.Processes) > 5 {
			continue
		}
		machine, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
		require.NoError(t, err)
		for _, text := range []string{"", fmt.Sprintf("crash %s@2", c.Bounds.Processes[0]), fmt.Sprintf("isolate %s@1", c.Bounds.Processes[1%len(c.Bounds.Processes)])} {
			s, err := rounds.ParseSchedule(text)
			require.NoError(t, err)
			if s.Check(c.Bounds) != nil {
				continue
			}
			e, err := machine.Execute(context.Background(), s)
			if err != nil {
				continue
			}
			if len(e.Messages) > 200 {
				continue
			}
			events += requireClocks(t, e)
			lost += len(slices.DeleteFunc(slices.Clone(e.Messages), func(m recording.Message) bool { return !m.Lost }))
		}
	}
	require.Greater(t, events, 1000)
	require.Greater(t, lost, 100)
}

func TestLog(t *testing.T) {
	e := oracle.Play(t, rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3}, "omit a>b@1", []string{"a", "b", "log", "hello world"}, []string{"b", "a", "ack"})
	var b bytes.Buffer
	require.NoError(t, causality.WriteShiViz(&b, e))
	golden.Equal(t, "log.txt", b.Bytes())
}
