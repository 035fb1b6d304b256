package explore

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/answertext"
)

// askBreach asks for facts, and which sentences of the proof for any number of rounds they break.
func (s *screen) askBreach() tea.Cmd {
	s.ask("facts of a round (not … for none):", "", func(facts string) tea.Cmd {
		if strings.TrimSpace(facts) == "" {
			return nil
		}
		proof := s.proof
		return s.put("looking for a proof for any number of rounds", func(ctx context.Context) (func() tea.Cmd, error) {
			if proof == nil {
				var err error
				if proof, err = s.explore.Invariant(ctx); err != nil {
					return nil, err
				}
			}
			b, err := proof.Breaks(ctx, facts)
			if err != nil {
				return nil, err
			}
			return func() tea.Cmd {
				s.proof = proof
				s.pane.say("a round with "+line(strings.TrimSpace(facts)), each(answertext.Breach(b)))
				return nil
			}, nil
		})
	}, nil)
	return nil
}
