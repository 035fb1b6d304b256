package diagram

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Options say how Write draws an execution. The zero value draws
// all messages between processes, plainly.
type Options struct {
	All       bool     // every round and note, also those like the ones before, and messages of a process to itself
	Relations []string // only messages of these relations; nil: of all
	Highlight []string // messages of these relations are Strong
	Notes     []Note   // remarks at the end of a round, unless the round before has the same
	Style     Style
}

// Note is a remark about a round.
type Note struct {
	Round int
	Text  string
}

// Style dresses pieces of a diagram, for example with colours. A nil
// function leaves its pieces as they are.
type Style struct {
	Fault  func(string) string // losses, crashes, isolations, and what is said about them
	Strong func(string) string // highlighted messages, and notes
	Faint  func(string) string // lifelines and the legend
}

// Write draws the execution as a space-time diagram: a column for each
// process, the rounds below each other, and arrows for the messages of a round.
//
//	round  a         b         c
//	  1    ├─ log ──▶┼────────✗│   lost: omit a>c@1
//	  2    ✗         │         │   crash a@2
//	       ╎─ log ──✗┼────────✗│   lost: crash a@2
//	  ⋮
//
// What a process sends of one relation in a round is one line. A round in which
// no fault begins, and which has the same messages as the one before, is left
// out: ⋮ stands for any number of those. What is sent in the last round of a
// Dedalus program is not drawn, because nobody sees it any more.
func Write(w io.Writer, e *recording.Execution, o Options) error {
	d := newDiagram(e, o)
	d.header()
	for round := 1; round <= e.Bounds.EOT; round++ {
		d.round(round)
	}
	d.legend()
	out := bufio.NewWriter(w)
	for _, row := range d.rows {
		fmt.Fprintln(out, row)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the diagram: %w", err)
	}
	return nil
}

// diagram collects the rows of a diagram.
type diagram struct {
	options   Options
	processes []string
	eot       int
	column    map[string]int  // of a process
	faults    rounds.Schedule // all but omissions
	byRound   map[int][]send
	gap       int // the cells between two columns
	rows      []string
	before    []string        // the messages of the round before, drawn
	skipped   bool            // the last row is ⋮
	signs     map[string]bool // that the legend has to explain
}

const (
	margin    = 7   // the width of the column with the rounds
	width     = 100 // the width of the other columns, as far as that is possible
	mostNotes = 4   // the notes of a round that are shown
)

func newDiagram(e *recording.Execution, o Options) *diagram {
	d := &diagram{
		options:   o,
		processes: e.Bounds.Processes,
		eot:       e.Bounds.EOT,
		column:    columns(e.Bounds.Processes),
		faults:    events(e.Schedule),
		gap:       9,
		signs:     map[string]bool{},
	}
	d.byRound = d.sends(o.drawn(e))
	for _, sends := range d.byRound {
		for _, s := range sends {
			d.gap = max(d.gap, textWidth(s.label)+5)
		}
	}
	for _, name := range d.processes {
		d.gap = max(d.gap, textWidth(name)+1)
	}
	return d
}

// events returns the faults that happen to a process, in normal form.
func events(s rounds.Schedule) rounds.Schedule {
	return slices.DeleteFunc(s.Normal(), func(f rounds.Fault) bool { return f.Kind == rounds.Omit || f.Kind.IsSetting() })
}

// drawn returns the messages that a diagram shows.
func (o Options) drawn(e *recording.Execution) []recording.Message {
	return slices.DeleteFunc(slices.Clone(e.Messages), func(m recording.Message) bool {
		return m.Round >= e.Bounds.EOT && e.System == "" || m.From == m.To && !o.All ||
			o.Relations != nil && !slices.Contains(o.Relations, m.Relation)
	})
}

// header writes the names of the processes over their columns.
func (d *diagram) header() {
	var row canvas
	for i, name := range d.processes {
		row.set(d.x(i), clean(name), plain)
	}
	d.rows = append(d.rows, fmt.Sprintf("%-*s%s", margin, "round", row.render(d.options.Style)))
}

// round draws one round, or ⋮ for one like the one before.
func (d *diagram) round(round int) {
	var messages []string
	for _, s := range d.byRound[round] {
		messages = append(messages, d.drawSend(s))
	}
	like := round > 1 && !d.options.All && slices.Equal(messages, d.before)
	rows := slices.Concat(d.events(round), messages, d.notes(round))
	d.before = messages
	if like && len(rows) == len(messages) {
		if !d.skipped {
			d.rows = append(d.rows, "  ⋮")
			d.explain("⋮ as the round before")
		}
		d.skipped = true
		return
	}
	d.skipped = false
	if len(rows) == 0 {
		rows = []string{d.finish(d.lifelines(round), "", plain)}
	}
	for i, row := range rows {
		number := ""
		if i == 0 {
			number = fmt.Sprintf("%3d", round)
		}
		d.rows = append(d.rows, fmt.Sprintf("%-*s%s", margin, number, row))
	}
}

// events draws the crashes and isolations that begin in a round.
func (d *diagram) events(round int) []string {
	var rows []string
	for _, f := range d.faults {
		if f.Round != round {
			continue
		}
		row := d.lifelines(round)
		switch f.Kind {
		case rounds.Crash:
			row.set(d.x(d.place(f.Process)), "✗", fault)
			d.explain("✗ crashes")
		case rounds.Restart:
			row.set(d.x(d.place(f.Process)), "○", fault)
			d.explain("○ restarts")
		}
		rows = append(rows, d.finish(row, f.String(), fault))
	}
	return rows
}

// notes draws the remarks about a round.
func (d *diagram) notes(round int) []string {
	var rows []string
	for _, text := range d.options.remarks(round) {
		rows = append(rows, d.finish(d.lifelines(round), text, strong))
	}
	return rows
}

// remarks returns the notes about a round that are not those about the round
// before.
func (o Options) remarks(round int) []string {
	var texts []string
	for _, n := range o.Notes {
		if n.Round == round && (o.All || !slices.Contains(o.Notes, Note{round - 1, n.Text})) {
			texts = append(texts, n.Text)
		}
	}
	if more := len(texts) - mostNotes; more > 0 && !o.All {
		texts = append(texts[:mostNotes], fmt.Sprintf("and %d more", more))
	}
	return texts
}

// lifelines returns a row with nothing but the processes.
func (d *diagram) lifelines(round int) canvas {
	var row canvas
	for p, name := range d.processes {
		line := "│"
		switch {
		case d.crashedBy(p, round):
			line = "╎"
			d.explain("╎ has crashed")
		case d.during(rounds.Isolate, name, round):
			line = "┆"
			d.explain("┆ is isolated")
		case d.during(rounds.Pause, name, round):
			line = "║"
			d.explain("║ is paused")
		}
		row.set(d.x(p), line, faint)
	}
	return row
}

// crashedBy tells whether a process has crashed in a round or before.
func (d *diagram) crashedBy(p, round int) bool {
	down, up := 0, 0 // since when
	for _, f := range d.faults {
		if f.Process != d.processes[p] || f.Round > round {
			continue
		}
		switch f.Kind {
		case rounds.Crash:
			down = max(down, f.Round)
		case rounds.Restart:
			up = max(up, f.Round)
		}
	}
	return down > up
}

// during tells whether a round is one of a fault that lasts.
func (d *diagram) during(kind rounds.Kind, name string, round int) bool {
	return slices.ContainsFunc(d.faults, func(f rounds.Fault) bool {
		return f.Kind == kind && f.Process == name && f.Round <= round && round <= f.Until
	})
}

// finish returns a row with a remark behind it.
func (d *diagram) finish(row canvas, remark string, p paint) string {
	text := row.render(d.options.Style)
	if remark != "" {
		text += "   " + d.options.Style.dress(clean(remark), p)
	}
	return text
}

// columns returns the column of each process.
func columns(processes []string) map[string]int {
	column := make(map[string]int, len(processes))
	for i, name := range processes {
		column[name] = i
	}
	return column
}

// x is the cell of a column.
func (d *diagram) x(column int) int { return column * (d.gap + 1) }

// place is the column of a process, and -1 if it is none.
func (d *diagram) place(name string) int {
	if i, ok := d.column[name]; ok {
		return i
	}
	return -1
}

// explain notes that the legend needs an entry.
func (d *diagram) explain(entry string) { d.signs[entry] = true }

// legend explains the signs that have been used.
func (d *diagram) legend() {
	entries := slices.DeleteFunc(
		[]string{"─✗ lost", "✗ crashes", "○ restarts", "╎ has crashed", "┆ is isolated", "║ is paused", "⋮ as the round before"},
		func(entry string) bool { return !d.signs[entry] })
	if len(entries) > 0 {
		text := strings.Join(entries, "   ")
		d.rows = append(d.rows, strings.Repeat(" ", margin)+d.options.Style.dress(text, faint))
	}
}
