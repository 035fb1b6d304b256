package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

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

// checkTrace refuses --trace with another strategy, and takes the one for it.
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
		p := newPage(fmt.Sprintf("turn %d", s.Number), scheduleText(s.Schedule))
		p.field("because", s.Why...)
		for _, o := range s.Outcomes {
			p.field("holds", outcomeLines(o)...)
		}
		for _, v := range s.Violations {
			p.field("breaks", v.String())
		}
		fmt.Fprintln(p)
		if err := p.writeTo(w); err != nil {
			return err
		}
	}
	return nil
}

// outcomeLines says what an outcome rests on, a support a line.
func outcomeLines(o result.Outcome) []string {
	lines := []string{o.Fact}
	for i, s := range o.Supports {
		word := "  by "
		if i > 0 {
			word = "  or "
		}
		lines = append(lines, word+supportText(s))
	}
	switch {
	case o.More && len(o.Supports) == 0:
		lines = append(lines, "  in several ways: no fault alone takes it away")
	case o.More:
		lines = append(lines, "  or in further ways")
	}
	return lines
}

// clauseShown is how many faults of a clause are named.
const clauseShown = 6

func supportText(s result.Support) string {
	written := "no message at all"
	if len(s.Messages) > 0 {
		written = strings.Join(s.Messages, ", ")
	}
	if len(s.Lacks) > 0 {
		written += ", without " + strings.Join(s.Lacks, " and ")
	}
	return text.Safe(written) + clauseText(s)
}

// clauseText says which faults take a support away. Besides, it ends with what it
// lacks, should that be there.
func clauseText(s result.Support) string {
	switch {
	case len(s.Clause) == 0 && len(s.Messages) == 0:
		return ""
	case len(s.Clause) == 0:
		return ": no fault within the bounds loses one of them"
	}
	clause, more, verb := s.Clause, "", "lost"
	if n := len(clause) - clauseShown; n > 1 {
		clause, more = clause[:clauseShown], fmt.Sprintf(" or %d more", n)
	}
	if len(s.Messages) == 0 {
		verb = "prevented"
	}
	return ": " + verb + " by " + strings.Join(clause, " or ") + more
}
