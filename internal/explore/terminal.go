package explore

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// Options say what is explored, and how it is shown.
type Options struct {
	Title  string                       // the files, or the command of the system
	Replay func(rounds.Schedule) string // the command that executes a schedule
	Size   int                          // the most faults of the sets that are listed; 0: any number
	Style  diagram.Style                // paints what is drawn
}

// Run explores on a terminal until the user leaves, or the context ends.
func Run(ctx context.Context, e *Exploration, o Options, program ...tea.ProgramOption) error {
	s := newScreen(ctx, e, o)
	defer s.stop()
	_, err := tea.NewProgram(s, append(program, tea.WithContext(ctx), tea.WithoutSignalHandler())...).Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, s.failure)
}
