package causality

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"
	"unicode"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// ShiVizPattern is how the log is to be read. ShiViz takes it from the first line of a file
// that is uploaded, and nothing that tells several executions apart from the second.
const ShiVizPattern = `(?<event>.*)\n(?<host>\S*) (?<clock>\{.*\})`

// WriteShiViz writes the events of an execution as a log. The names of processes have no
// spaces there: _ stands for each.
func WriteShiViz(w io.Writer, e *recording.Execution) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n\n", ShiVizPattern)
	hosts := logHosts(e.Bounds.Processes)
	now := make([]map[string]int, len(hosts)) // the clock of each process
	for i := range now {
		now[i] = map[string]int{}
	}
	var sent []map[string]int // the clock of each event
	for _, event := range Events(e) {
		clock := now[event.Process]
		if event.From >= 0 {
			for host, ticks := range sent[event.From] {
				clock[host] = max(clock[host], ticks)
			}
		}
		clock[hosts[event.Process]]++
		sent = append(sent, maps.Clone(clock))
		data, err := text.MarshalJSON(clock)
		if err != nil {
			return fmt.Errorf("writing a clock: %w", err)
		}
		fmt.Fprintf(out, "round %d: %s\n%s %s\n", event.Round, text.Safe(event.Text), hosts[event.Process], data)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the log: %w", err)
	}
	return nil
}

// logHosts returns names of processes without spaces, all different.
func logHosts(processes []string) []string {
	taken := map[string]bool{}
	names := make([]string, len(processes))
	for i, p := range processes {
		name := strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return '_'
			}
			return r
		}, text.Safe(p))
		for n := 2; name == "" || taken[name]; n++ {
			name = strings.TrimRight(name, "0123456789") + strconv.Itoa(n)
		}
		taken[name], names[i] = true, name
	}
	return names
}
