package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/answertext"
)

// askRepairs asks what would let the protocol keep its promise.
func (s *screen) askRepairs() tea.Cmd {
	return s.put("trying repairs", func(ctx context.Context) (func() tea.Cmd, error) {
		r, err := s.explore.Repairs(ctx)
		if err != nil {
			return nil, err
		}
		return func() tea.Cmd {
			var lines []string
			for _, text := range answertext.Repairs(r) {
				lines = append(lines, line(text))
			}
			s.pane.say("what could be added so that the promise is kept within the bounds", lines)
			return nil
		}, nil
	})
}
