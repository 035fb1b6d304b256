package diagram

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Options say how Write draws an execution. The zero value draws
// all messages between processes, plainly.
type Options struct {
	All       bool     // every round, note and loss, also when it repeats one before, and messages of a process to itself
	Relations []string // only messages of these relations; nil: of all
	Hide      []string // leave out messages with these names (see Says) or of these relations
	Show      []string // draw facts of these relations, at their process, in rounds in which they change
	Highlight []string // messages of these relations are drawn in Style.Strong
	Notes     []Note   // remarks at the end of a round, left out where the round before has the same
	Around    []int    // only rounds at most Within rounds away from one of these; nil: all
	Within    int
	Fold      bool // draw messages that recur after a fixed number of rounds as one line below the diagram, unless they are lost or late
	Style     Style
}

// Note is a remark about a round.
type Note struct {
	Round int
	Text  string
}

// Style decorates parts of a diagram, for example with colours. A nil function leaves
// its parts as they are.
type Style struct {
	Fault  func(string) string // losses, crashes and isolations, with the text about them
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
// To the right of the processes of a system, each process that gets requests has a
// column for its client. Requests come first in a round, and replies last.
//
// Facts that are shown stand at their process: in a Dedalus program before the messages
// of the round, which follow from them; in a system after the messages.
//
// The messages of one relation that a process sends in a round share a line. A round in
// which no fault begins, and with the same messages and facts as the round before, is
// left out: ⋮ stands for any number of such rounds. What one fault of a system loses in four
// rounds or more is drawn in the first of them, with their number; of many messages of one
// relation that it loses between two processes the first few are. Messages of the last round of a
// Dedalus program are not drawn, because no process sees them any more.
func Write(w io.Writer, e *recording.Execution, o Options) error {
	d := newDiagram(newModel(e, o))
	d.header()
	for _, r := range d.model.rounds {
		if o.near(r.number) {
			d.leftOut(r.number)
			d.round(r)
		} else if d.left == 0 {
			d.left = r.number
		}
	}
	d.leftOut(d.eot + 1)
	d.folds()
	if text := d.latencies(); text != "" {
		d.rows = append(d.rows, strings.Repeat(" ", d.margin)+d.options.Style.dress(text, faint))
	}
	d.legend()
	d.inexact(e.Inexact)
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
	*model
	lines   [][]*send // by round, from 0
	margin  int       // the width of the column with the rounds
	gap     int       // the cells between two columns
	room    int       // the cells for what clients ask and are told
	rows    []string
	skipped bool            // the last row is ⋮
	left    int             // the first of the rounds that are being left out, 0 if none are
	signs   map[string]bool // that the legend has to explain
}

const (
	narrow = 7   // the width of the column with the rounds, if they have no names
	width  = 100 // the width of the other columns, as far as that is possible
)

func newDiagram(m *model) *diagram {
	d := &diagram{model: m, margin: narrow, gap: 9, signs: map[string]bool{}}
	for _, r := range m.rounds {
		if phase := m.bounds.PhaseOf(r.number); phase != "" {
			d.margin = max(d.margin, text.Width(phase)+narrow+1)
		}
		sends := d.sends(r)
		d.lines = append(d.lines, sends)
		for _, s := range sends {
			d.gap = max(d.gap, text.Width(s.label)+5)
		}
		for _, s := range r.states {
			d.gap = max(d.gap, text.Width(d.stateLabel(s))+3)
		}
	}
	for _, name := range d.processes {
		d.gap = max(d.gap, text.Width(text.Safe(name))+1)
	}
	d.widen()
	return d
}

// header writes the names of the processes and clients over their columns.
func (d *diagram) header() {
	var row, below canvas
	for i, name := range d.processes {
		row.set(d.x(i), text.Safe(name), plain)
	}
	for i, name := range d.clients {
		x := d.x(len(d.processes) + i)
		row.set(x, "client", plain)
		below.set(x, clientText(name), plain)
	}
	d.rows = append(d.rows, text.Pad("round", d.margin)+row.render(d.options.Style))
	if len(below) > 0 {
		d.rows = append(d.rows, strings.Repeat(" ", d.margin)+below.render(d.options.Style))
	}
}

// round draws one round, or ⋮ for one like the one before.
func (d *diagram) round(r round) {
	if r.repeats && d.options.near(r.number-1) && slices.Equal(d.lifelines(r.number, false), d.lifelines(r.number-1, false)) {
		if !d.skipped {
			d.rows = append(d.rows, "  ⋮")
			d.explain("⋮ as the round before")
		}
		d.skipped = true
		return
	}
	d.skipped = false
	rows := d.starting(r)
	rows = append(rows, d.begins(r.number, r.faults)...)
	if !d.reports {
		rows = append(rows, d.drawStates(r)...)
	}
	rows = append(rows, d.operationsOf(r, false)...)
	for _, s := range d.lines[r.number-1] {
		rows = append(rows, d.drawSend(s))
	}
	rows = append(rows, d.operationsOf(r, true)...)
	if d.reports {
		rows = append(rows, d.drawStates(r)...)
	}
	rows = append(rows, d.begins(r.number, r.crashes)...)
	for _, text := range r.remarks {
		rows = append(rows, d.finish(d.lifelines(r.number, true), text, strong))
	}
	if len(rows) == 0 {
		rows = []string{d.finish(d.lifelines(r.number, false), "", plain)}
	}
	for i, row := range rows {
		number := ""
		if i == 0 {
			number = fmt.Sprintf("%3d", r.number)
			if phase := d.bounds.PhaseOf(r.number); phase != "" {
				number += "  " + phase
			}
		}
		d.rows = append(d.rows, text.Pad(number, d.margin)+row)
	}
}

// leftOut says which rounds before one are not drawn.
func (d *diagram) leftOut(round int) {
	if d.left == 0 {
		return
	}
	s := fmt.Sprintf("rounds %d to %d are not shown", d.left, round-1)
	if d.left == round-1 {
		s = fmt.Sprintf("round %d is not shown", d.left)
	}
	d.rows = append(d.rows, text.Pad("  …", d.margin)+d.options.Style.dress(s, faint))
	d.left, d.skipped = 0, false
}

// mostFolds is how many messages are named that have been folded.
const mostFolds = 8

// folds says what has been folded.
func (d *diagram) folds() {
	all := d.folded
	if more := len(all) - mostFolds; more > 0 {
		all = append(slices.Clone(all[:mostFolds]), fmt.Sprintf("and %d more", more))
	}
	for _, text := range all {
		d.rows = append(d.rows, strings.Repeat(" ", d.margin)+d.options.Style.dress("folded: "+text, faint))
	}
}

// begins draws faults that begin in a round: the crashes within it come last.
func (d *diagram) begins(number int, faults []rounds.Fault) []string {
	var rows []string
	for _, f := range faults {
		row := d.lifelines(number, within(f))
		x := d.x(slices.Index(d.processes, f.Process))
		switch f.Kind {
		case rounds.Crash:
			row.set(x, "✗", fault)
			d.explain("✗ crashes")
		case rounds.Restart:
			row.set(x, "○", fault)
			d.explain("○ restarts")
		}
		rows = append(rows, d.finish(row, d.faultText(f), fault))
	}
	return rows
}

// starting draws the processes that start in a round.
func (d *diagram) starting(r round) []string {
	if len(r.starts) == 0 {
		return nil
	}
	row := d.lifelines(r.number, false)
	var names []string
	for _, p := range r.starts {
		row.set(d.x(p), "┬", plain)
		names = append(names, text.Safe(d.processes[p]))
	}
	verb := "start"
	if len(names) == 1 {
		verb = "starts"
	}
	return []string{d.finish(row, text.List(names, "and")+" "+verb, plain)}
}

// lifelines returns a row with nothing but the processes, as they are in a round, or
// when it ends.
func (d *diagram) lifelines(round int, end bool) canvas {
	var row canvas
	for p, name := range d.processes {
		line := "│"
		switch {
		case d.absent(p, round):
			line = " "
		case d.crashedBy(p, round, end):
			line = "╎"
			d.explain("╎ has crashed")
		case d.during(rounds.Isolate, name, round):
			line = "┆"
			d.explain("┆ is isolated")
		case d.parted(p, round):
			line = "┊"
			d.explain("┊ on the other side")
		case d.during(rounds.Pause, name, round):
			line = "║"
			d.explain("║ is paused")
		case d.during(rounds.Fast, name, round):
			line = "»"
			d.explain("» runs fast")
		case d.during(rounds.Slow, name, round):
			line = "«"
			d.explain("« runs slow")
		case d.during(rounds.Terminate, name, round):
			line = "╏"
			d.explain("╏ got SIGTERM")
		}
		row.set(d.x(p), line, faint)
	}
	for i := range d.clients {
		row.set(d.x(len(d.processes)+i), "│", faint)
	}
	return row
}

// inexact says that the execution may not be repeated as it is.
func (d *diagram) inexact(why string) {
	if why != "" {
		d.rows = append(d.rows, strings.Repeat(" ", d.margin)+d.options.Style.dress(text.Safe("not exact: "+why), strong))
	}
}

// finish returns a row with a remark behind it.
func (d *diagram) finish(row canvas, remark string, p paint) string {
	s := row.render(d.options.Style)
	if remark != "" {
		s += "   " + d.options.Style.dress(text.Safe(remark), p)
	}
	return s
}

// x is the cell of a column.
func (d *diagram) x(column int) int { return column * (d.gap + 1) }

// explain notes that the legend needs an entry.
func (d *diagram) explain(entry string) { d.signs[entry] = true }

// legend says what is left out, and explains the signs that have been used.
func (d *diagram) legend() {
	if text := d.apart(); text != "" {
		d.rows = append(d.rows, strings.Repeat(" ", d.margin)+text)
	}
	entries := slices.DeleteFunc(
		[]string{"─✗ lost", "✗ crashes", "○ restarts", "╎ has crashed", "┆ is isolated", "┊ on the other side", "║ is paused", "» runs fast", "« runs slow", "+ besides those before", "⋮ as the round before"},
		func(entry string) bool { return !d.signs[entry] })
	if len(entries) > 0 {
		text := strings.Join(entries, "   ")
		d.rows = append(d.rows, strings.Repeat(" ", d.margin)+d.options.Style.dress(text, faint))
	}
}
