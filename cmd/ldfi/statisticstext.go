package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/columns"
	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// statistics writes what the executions of a search were like.
func (p *page) statistics(s *result.Statistics) {
	if s == nil {
		return
	}
	rows := [][]string{{"of " + plural.Of(s.Executions, "execution"), "median", "mean", "least", "most"}}
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
	columns.Table(&b, "", rows)
	p.field("figures", strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")...)
}
