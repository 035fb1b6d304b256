package terminal

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/rounds"
)

// binding is what some keys do.
type binding struct {
	keys []string
	help string
	do   func(*screen) tea.Cmd
}

func (s *screen) bindings() []binding {
	return []binding{
		{[]string{"up", "down", "left", "right"}, "move the cursor", nil},
		{[]string{"space"}, "the next kind of fault in this cell, and at last none", func(s *screen) tea.Cmd { return s.change(s.explore.Cycle(s.grid.cell())) }},
		{[]string{"c"}, "a process crashes here, or does not", toggle(rounds.Crash)},
		{[]string{"i"}, "a process is isolated from here to the end of the phase, or is not", toggle(rounds.Isolate)},
		{[]string{"r"}, "a crashed process restarts here, or does not", toggle(rounds.Restart)},
		{[]string{"p"}, "a process of a system pauses here, or does not", toggle(rounds.Pause)},
		{[]string{"o"}, "what is sent on a link is lost here, or is not", toggle(rounds.Omit)},
		{[]string{"x"}, "a link is cut from here to the end of the phase, or is not", toggle(rounds.Cut)},
		{[]string{"d"}, "what is sent on a link comes a round later, or does not", toggle(rounds.Delay)},
		{[]string{"l"}, "the grid of links in place of that of processes, or back", func(s *screen) tea.Cmd { s.grid.turn(); return nil }},
		{[]string{"0"}, "no faults", func(s *screen) tea.Cmd { return s.change(s.explore.Clear()) }},
		{[]string{"u"}, "undo", func(s *screen) tea.Cmd { return s.stepped(s.explore.Undo(), "there is nothing to undo") }},
		{[]string{"U", "ctrl+r"}, "redo", func(s *screen) tea.Cmd { return s.stepped(s.explore.Redo(), "there is nothing to redo") }},
		{[]string{"pgup", "pgdown"}, "scroll the diagram", nil},
		{[]string{"<", ">"}, "scroll the diagram to the side", nil},
		{[]string{"?"}, "this help", func(s *screen) tea.Cmd { s.help = true; return nil }},
		{[]string{"q", "ctrl+c"}, "leave", func(s *screen) tea.Cmd { s.left = true; return tea.Quit }},
	}
}

// toggle puts a fault of a kind into the cell under the cursor, or takes it away.
func toggle(k rounds.Kind) func(*screen) tea.Cmd {
	return func(s *screen) tea.Cmd { return s.change(s.explore.Toggle(k, s.grid.cell())) }
}

// change looks at what a change led to, if it was possible.
func (s *screen) change(err error) tea.Cmd {
	if err != nil {
		s.remark = err.Error()
		return nil
	}
	return s.changed()
}

func (s *screen) stepped(done bool, otherwise string) tea.Cmd {
	if !done {
		s.remark = otherwise
		return nil
	}
	return s.changed()
}

// key takes one key.
func (s *screen) key(key string) tea.Cmd {
	s.remark = ""
	if s.help && key != "ctrl+c" {
		s.help = false
		return nil
	}
	switch key {
	case "up":
		s.grid.move(-1, 0)
	case "down":
		s.grid.move(1, 0)
	case "left":
		s.grid.move(0, -1)
	case "right":
		s.grid.move(0, 1)
	case "pgup":
		s.pane.scroll(-5, 0)
	case "pgdown":
		s.pane.scroll(5, 0)
	case "<":
		s.pane.scroll(0, -8)
	case ">":
		s.pane.scroll(0, 8)
	}
	for _, b := range s.bindings() {
		if b.do != nil && slices.Contains(b.keys, key) {
			return b.do(s)
		}
	}
	return nil
}

// helpLines say what the keys do.
func (s *screen) helpLines() []string {
	all := []string{"keys", ""}
	for _, b := range s.bindings() {
		all = append(all, "  "+pad(strings.Join(b.keys, " "), 22)+b.help)
	}
	return all
}
