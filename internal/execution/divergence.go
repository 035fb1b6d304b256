package execution

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Divergence is the first round in which something different happens in two
// executions: of two versions of a system under the same schedule, or of one.
type Divergence struct {
	Round  int                 `json:"round"`  // that round
	Before result.List[string] `json:"before"` // what happens only in the first one
	After  result.List[string] `json:"after"`  // what happens only in the second one

	first [2][]happening // what happens only in one
}

// happening is a message or a fact.
type happening struct {
	what, process, text string
}

// Phrase says where two executions differ first, and in what: since which round, at which
// process, both texts. It follows "they differ".
func (d *Divergence) Phrase() string {
	const widest = 100
	first, others := d.first[0], d.first[1]
	if len(first) == 0 || len(others) > 0 && first[0].what == "fact" && others[0].what == "message" {
		first, others = others, first
	}
	one, other := first[0], "nothing"
	for _, h := range others {
		if h.what == one.what && h.process == one.process {
			other = h.text
			break
		}
	}
	left, right := Apart([]string{one.text}, []string{other}, widest)
	return fmt.Sprintf("from round %d on, at process %s, in a %s: one has %s, the other %s", d.Round, text.Safe(one.process), one.what, left[0], right[0])
}

// FirstDivergence compares two recordings, and returns nil if the same happens in both.
func FirstDivergence(before, after *recording.Execution) *Divergence {
	if before == nil || after == nil || equal(before, after) {
		return nil
	}
	for round := 1; round <= max(before.Bounds.EOT, after.Bounds.EOT); round++ {
		b, a := events(before, round), events(after, round)
		d := &Divergence{Round: round, Before: subtract(b, a), After: subtract(a, b)}
		if len(d.Before)+len(d.After) > 0 {
			d.first = [2][]happening{happenings(before, round, d.Before), happenings(after, round, d.After)}
			return d
		}
	}
	return nil
}

// equal tells whether two recordings, whose events are in order, have the same: most
// do that are compared, and long ones are long to put in words.
func equal(a, b *recording.Execution) bool {
	return slices.EqualFunc(a.Facts, b.Facts, func(f, g recording.Fact) bool { return f.Compare(g) == 0 && f.Round == g.Round }) &&
		slices.EqualFunc(a.Messages, b.Messages, func(m, n recording.Message) bool {
			return slices.Equal(m.Args, n.Args) && m.Relation == n.Relation && m.From == n.From && m.To == n.To &&
				m.Round == n.Round && m.Lost == n.Lost && m.Arrival == n.Arrival && m.Again == n.Again
		})
}

// events returns what happens in a round, messages first.
func events(e *recording.Execution, round int) []string {
	var all []string
	for _, m := range e.Messages {
		if m.Round == round {
			all = append(all, message(m))
		}
	}
	for _, f := range e.Facts {
		if f.Round == round {
			all = append(all, recording.Display(f, e.Bounds.Processes))
		}
	}
	return all
}

// happenings returns those events of a round that are among some texts, messages first.
func happenings(e *recording.Execution, round int, texts []string) (all []happening) {
	for _, m := range e.Messages {
		if text := message(m); m.Round == round && slices.Contains(texts, text) {
			all = append(all, happening{"message", m.From, text})
		}
	}
	for _, f := range e.Facts {
		if text := recording.Display(f, e.Bounds.Processes); f.Round == round && slices.Contains(texts, text) {
			process := ""
			if len(f.Args) > 0 {
				process = f.Args[0].Text()
			}
			all = append(all, happening{"fact", process, text})
		}
	}
	return all
}

// message returns what is sent, and what becomes of it.
func message(m recording.Message) string {
	text := fmt.Sprintf("%s > %s: %s", m.From, m.To, recording.Display(recording.Fact{Relation: m.Relation, Args: m.Args[min(1, len(m.Args)):]}, nil))
	switch {
	case m.Lost:
		return text + ", lost"
	case m.Again:
		return text + fmt.Sprintf(", again in round %d", m.Arrival)
	case m.Arrival != 0:
		return text + fmt.Sprintf(", kept until round %d", m.Arrival)
	}
	return text
}

// subtract returns what is more often in one list than in another.
func subtract(list, other []string) []string {
	count := map[string]int{}
	for _, text := range other {
		count[text]++
	}
	return slices.DeleteFunc(slices.Clone(list), func(text string) bool {
		count[text]--
		return count[text] >= 0
	})
}

// most is how many events of a round are shown side by side.
const mostLines = 10

// SideBySide returns the two in columns below their names.
func (d *Divergence) SideBySide(before, after string) string {
	const widest = 60
	left, right := d.Shown(mostLines, widest)
	rows := [][]string{{before, after}}
	for i := range max(len(left), len(right)) {
		rows = append(rows, []string{nth(left, i), nth(right, i)})
	}
	if rest := max(len(d.Before), len(d.After)) - mostLines; rest > 0 {
		rows = append(rows, []string{fmt.Sprintf("and %d more", rest)})
	}
	var b bytes.Buffer
	text.Table(&b, "  ", rows)
	return b.String()
}

// nth returns the event at a place, and a dash beyond the last.
func nth(events []string, i int) string {
	if i >= len(events) {
		return "-"
	}
	return events[i]
}
