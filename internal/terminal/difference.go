package terminal

import (
	"context"
	"io"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/rounds"
)

// comparing asks by what a schedule differs from none.
func (s *screen) comparing(schedule rounds.Schedule) func(context.Context) (func() tea.Cmd, error) {
	return func(ctx context.Context) (func() tea.Cmd, error) {
		d, err := s.explore.Difference(ctx, schedule)
		if err != nil {
			return nil, err
		}
		return func() tea.Cmd {
			s.pane.say("by what it differs from the run without faults", written(func(w io.Writer) error { return s.options.Difference(w, d) }))
			return nil
		}, nil
	}
}

// pasted takes text that was pasted.
func (s *screen) pasted(text string) tea.Cmd {
	if s.prompt == nil {
		return nil
	}
	s.prompt.input.SetValue(s.prompt.input.Value() + line(text))
	s.prompt.input.CursorEnd()
	if s.prompt.typed != nil {
		s.prompt.typed(s.prompt.input.Value())
	}
	return nil
}
