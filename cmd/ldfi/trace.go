package main

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/spf13/cobra"
)

// byLineage is the strategy whose turns can be shown.
const byLineage = "lineage"

// trace keeps the turns of a search by lineage. A search that its context ended may
// still tell some while they are written.
type protocolTrace struct {
	one   sync.Mutex
	steps []result.Step
}

func (t *protocolTrace) tell(s result.Step) {
	t.one.Lock()
	defer t.one.Unlock()
	t.steps = append(t.steps, s)
}

func (t *protocolTrace) told() []result.Step {
	t.one.Lock()
	defer t.one.Unlock()
	return slices.Clone(t.steps)
}

// checkTrace refuses --trace with another strategy, and selects that strategy.
func (q *question) checkTrace(cmd *cobra.Command) error {
	switch {
	case !q.trace:
		return nil
	case q.strategy == "":
		q.strategy = byLineage
	case q.strategy != byLineage:
		return errUsage(cmd, fmt.Sprintf("--trace shows the turns of --strategy %s; --strategy %s has none", byLineage, q.strategy))
	}
	return nil
}

// writeJSON writes a line of JSON for each turn, and one for the answer.
func (t *protocolTrace) writeJSON(w io.Writer, a *result.Answer) error {
	lines := []any{}
	for _, s := range t.told() {
		lines = append(lines, s)
	}
	for _, line := range append(lines, a) {
		data, err := text.MarshalJSON(line)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n", data); err != nil {
			return err
		}
	}
	return nil
}

// writeText writes the turns, each below its schedule.
func (t *protocolTrace) writeText(w io.Writer) error {
	for _, s := range t.told() {
		if err := answertext.Turn(s, terminalStyle()).WriteText(w); err != nil {
			return err
		}
	}
	return nil
}
