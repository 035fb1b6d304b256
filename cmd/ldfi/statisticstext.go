package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// cost writes what the answer about a protocol cost, if that is asked for.
func (p *page) cost(s result.Stats) {
	if s.Workers == 0 { // of a system
		return
	}
	by := ""
	if s.Way != "" {
		by = "decided by " + s.Way + ", with "
	}
	p.field("cost", fmt.Sprintf("%s%s: %s, %s, %s, %s; %.0f ms", by, text.Plural(s.Workers, "core"), text.Plural(s.Facts, "fact"), text.Plural(s.Gates, "gate"),
		text.Plural(s.SolverCalls, "solver call"), text.Plural(s.Executions, "execution"), s.Times.Total))
}

// statistics writes what the executions of a search were like.
func (p *page) statistics(s *result.Statistics) {
	if s == nil {
		return
	}
	rows := [][]string{{"of " + text.Plural(s.Executions, "execution"), "median", "mean", "least", "most"}}
	for _, row := range []struct {
		name string
		result.Figure
	}{
		{"rounds", s.Rounds},
		{"rounds with a quorum", s.QuorumRounds},
		{"phases", s.Phases},
		{"phases with a quorum", s.QuorumPhases},
		{"messages sent", s.Sent},
		{"messages that arrive", s.Arrived},
	} {
		median := strconv.FormatFloat(row.Median, 'f', -1, 64)
		rows = append(rows, []string{row.name, median, fmt.Sprintf("%.2f", row.Mean), strconv.Itoa(row.Least), strconv.Itoa(row.Most)})
	}
	var b bytes.Buffer
	text.Table(&b, "", rows)
	p.field("figures", strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")...)
}
