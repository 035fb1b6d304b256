package linear

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// mostShown is the number of requests of an order that are shown.
const mostShown = 8

// conflict returns the requests in conflict with a reply, in lines of a table: the
// last requests of the longest order that explains replies, and then those that fit
// nowhere behind these.
func (h *history) conflict(last *recording.Fact, s *searching) []string {
	var order []*call
	explained := s.longest.order()
	for _, i := range explained {
		order = append(order, h.of(s.operations[i])...)
	}
	rows := [][]string{{"", "request", "of", "asks", "gets", "rounds"}}
	for i, c := range order {
		switch left := len(order) - mostShown; {
		case i < left:
		case i == left && i > 0:
			rows = append(rows, h.row(fmt.Sprintf("%d and before", i+1), c, last))
		default:
			rows = append(rows, h.row(fmt.Sprint(i+1), c, last))
		}
	}
	for i, op := range s.operations {
		if op.Output != nil && !slices.Contains(explained, i) {
			for _, c := range h.of(op) {
				rows = append(rows, h.row("✗", c, last))
			}
		}
	}
	var b bytes.Buffer
	text.Table(&b, "", rows)
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// of returns the request that an operation stands for, unless a model has made the
// operation.
func (h *history) of(op porcupine.Operation) []*call {
	if i, ok := op.Metadata.(int); ok && i < len(h.calls) {
		return h.calls[i : i+1]
	}
	return nil
}

// row is a request in the table.
func (h *history) row(place string, c *call, last *recording.Fact) []string {
	process := ""
	if c.process < len(h.execution.Bounds.Processes) {
		process = h.execution.Bounds.Processes[c.process]
	}
	gets, until := "nothing yet", "…"
	if c.reply != nil && compareFacts(c.reply, last) <= 0 {
		gets, until = c.reply.Args[2].Text(), fmt.Sprint(c.reply.Round)
	}
	return []string{place, c.id.Text(), process, c.input, gets, fmt.Sprintf("%d to %s", c.round, until)}
}
