package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// grid shows the faults by target and round, with a cursor.
type grid struct {
	*screen
	layer       Layer
	row, column int // of the cursor
	top, left   int // the first that are seen
	visible     int // how many rows are
}

const cellWidth = 4

// rows returns the rows of the layer.
func (g *grid) rows() []Cell { return g.explore.Rows(g.layer) }

// cell returns the cell under the cursor.
func (g *grid) cell() Cell {
	c := g.rows()[g.row]
	c.Round = g.column + 1
	return c
}

// move moves the cursor within the grid.
func (g *grid) move(down, right int) {
	g.row = min(max(g.row+down, 0), len(g.rows())-1)
	g.column = min(max(g.column+right, 0), g.explore.Bounds().EOT-1)
}

// turn shows the next layer that has something.
func (g *grid) turn() {
	for l := g.layer + 1; !g.show(l % (Others + 1)); l++ {
	}
}

// show shows a layer, with the cursor on the row of the same process. It returns false if
// the layer has no rows.
func (g *grid) show(l Layer) bool {
	rows := g.explore.Rows(l)
	if len(rows) == 0 {
		return false
	}
	process := g.cell().From
	g.layer = l
	g.row = max(slices.IndexFunc(rows, func(c Cell) bool { return c.From == process }), 0)
	return true
}

// toFault moves the cursor to a fault of the schedule that has a cell: to the first one, or
// by a number of faults from the one under the cursor.
func (g *grid) toFault(by int) {
	var cells []Cell
	for _, f := range g.explore.Schedule().Faults {
		if c, ok := g.explore.CellOf(f); ok {
			cells = append(cells, c)
		}
	}
	if len(cells) == 0 {
		return
	}
	at := slices.Index(cells, g.cell()) + by
	if by == 0 {
		at = 0
	}
	to := cells[at%len(cells)]
	g.layer, g.column = to.Layer(), to.Round-1
	to.Round = 0
	g.row = slices.Index(g.rows(), to)
}

// lines draws the grid, in about half of height lines.
func (g *grid) lines(height int) []string {
	rows := g.rows()
	names := text.Width("round")
	for _, c := range rows {
		names = max(names, text.Width(line(c.Name())))
	}
	names = min(names, max(g.width/3, 5)) + 1
	seen := max((height-2)/2, 1)
	g.visible = seen
	eot := g.explore.Bounds().EOT
	g.left = window(g.left, g.column, eot, (g.width-names)/cellWidth)
	g.top = window(g.top, g.row, len(rows), seen)
	last := min(g.left+max((g.width-names)/cellWidth, 1), eot)

	head := pad("round", names)
	for round := g.left + 1; round <= last; round++ {
		head += fmt.Sprintf("%2d  ", round)
	}
	all := []string{head}
	used := map[string]bool{}
	effects := g.explore.Effects()
	for i := g.top; i < min(g.top+seen, len(rows)); i++ {
		text := pad(text.Cut(line(rows[i].Name()), names-1), names)
		for column := g.left; column < last; column++ {
			c := rows[i]
			c.Round = column + 1
			text += g.draw(c, effects, i == g.row && column == g.column, used)
		}
		all = append(all, text)
	}
	return append(all, g.legend(used))
}

// window returns the first of seen visible rows, so that the row at is visible.
func window(first, at, all, seen int) int {
	seen = max(seen, 1)
	first = min(first, max(all-seen, 0))
	return max(min(first, at), at-seen+1)
}

// draw draws a cell.
func (g *grid) draw(c Cell, effects Effects, cursor bool, used map[string]bool) string {
	sign := g.sign(c, effects)
	used[sign] = true
	text := sign + " "
	if len(g.explore.Faults(c)) > 1 {
		text, used[several] = sign+several, true
	}
	switch must, mustNot := g.explore.Locked(c); {
	case must:
		text = sign + "!"
	case mustNot:
		text = sign + "~"
	}
	if cursor {
		return "[" + text + "]"
	}
	return " " + text + " "
}

// signs are the signs of the kinds of faults.
var signs = map[rounds.Kind]string{
	rounds.Crash: "C", rounds.Restart: "R", rounds.Isolate: "I", rounds.Pause: "P", rounds.Omit: "O", rounds.Cut: "X", rounds.Delay: "D",
	rounds.Duplicate: "2", rounds.Order: "=", rounds.Fast: "F", rounds.Slow: "S", rounds.Jump: "J", rounds.FailSync: "Y", rounds.Terminate: "T", rounds.Partition: "|",
	rounds.Lie: "L", rounds.Tick: "K", rounds.Ask: "Q",
}

const (
	nothing = "·"
	several = "+" // after a sign: of more than one fault
	gone    = "-"
	holding = "+" // a fact that is chosen
	never   = " " // the fault cannot be in this round
)

func (g *grid) sign(c Cell, effects Effects) string {
	if c.Kind == rounds.Choose && c.Detail != "" {
		return chosen(effects.Chosen(c))
	}
	if faults := g.explore.Faults(c); len(faults) > 0 {
		return signs[faults[0].Kind]
	}
	switch {
	case effects.Lost(c):
		return gone
	case c.Layer() == Processes && g.explore.Parted(c.Round):
		return signs[rounds.Partition]
	default:
		return nothing
	}
}

func chosen(holds, possible bool) string {
	switch {
	case holds:
		return holding
	case possible:
		return nothing
	default:
		return never
	}
}

// signsOf are the signs on each layer that are no faults.
var signsOf = map[Layer][]struct{ sign, means string }{
	Processes: {{gone, "down"}, {signs[rounds.Partition], "parted"}, {several, "and more"}}, Links: {{gone, "lost anyway"}}, Others: {{holding, "holds"}},
}

// elsewhere are the faults of the schedule that have their cells on other layers.
func (g *grid) elsewhere() string {
	var all []string
	for _, f := range g.explore.Schedule().Faults {
		if c, ok := g.explore.CellOf(f); ok && c.Layer() != g.layer {
			all = append(all, line(f.String()))
		}
	}
	return strings.Join(all, "; ")
}

// legend describes the cell under the cursor, and explains the signs that need it.
func (g *grid) legend(used map[string]bool) string {
	c := g.cell()
	text := fmt.Sprintf("%s in round %d", line(c.Name()), c.Round)
	if phase := g.explore.Bounds().PhaseOf(c.Round); phase != "" {
		text += " (" + line(phase) + ")"
	}
	var faults []string
	for _, f := range g.explore.Faults(c) {
		faults = append(faults, line(f.String()))
	}
	if len(faults) > 0 {
		text += ": " + strings.Join(faults, "; ")
	}
	if other := g.elsewhere(); other != "" {
		text += "   elsewhere (.): " + other
	}
	for _, s := range signsOf[g.layer] {
		if used[s.sign] {
			text += "   " + s.sign + " " + s.means
		}
	}
	if g.visible < len(g.rows()) {
		text += fmt.Sprintf("   row %d of %d", g.row+1, len(g.rows()))
	}
	return text
}
