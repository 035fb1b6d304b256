package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// comparing returns a question about the differences of a schedule from the one without
// faults.
func (s *screen) comparing(schedule rounds.Schedule, title string) func(context.Context) (func() tea.Cmd, error) {
	return func(ctx context.Context) (func() tea.Cmd, error) {
		d, err := s.explore.Difference(ctx, schedule)
		if err != nil {
			return nil, err
		}
		page, err := answertext.Difference(d, s.explore.Bounds(), nil, nil, s.options.Style)
		if err != nil {
			return nil, err
		}
		return func() tea.Cmd {
			s.pane.sayOf(schedule, title, written(page.WriteText))
			return nil
		}, nil
	}
}

// whyBroken asks how faults break a promise about many facts together.
func (s *screen) whyBroken(in *result.Injection) tea.Cmd {
	if in.Schedule.Size() == 0 {
		s.pane.show(factsView)
		s.remark = "it is broken without faults: these are the facts of its property, enter says why one holds"
		return nil
	}
	broken := in.Violations[0].String()
	return s.put("explaining "+broken, s.comparing(in.Schedule, "why "+line(broken)+under(in.Schedule.String())))
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
