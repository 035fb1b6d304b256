package explore

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Options say what is explored, and how it is shown.
type Options struct {
	Title  string                                   // the files, or the command of the system
	Replay func(rounds.Schedule) string             // the command that executes a schedule
	Size   int                                      // the most faults of the sets that are listed; 0: any number
	Draw   func(io.Writer, *result.Injection) error // draws what happened

	Difference func(io.Writer, *result.Difference) error // says by what two executions differ
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
