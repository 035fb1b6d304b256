package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// played is the size of a screen that is not displayed.
type played struct{ width, height int }

// mostOfSystem is how many fault sets of a system are listed unless a flag says otherwise.
const mostOfSystem = 30

func (s *session) exploreCommand() *cobra.Command {
	question := question{lists: true}
	var text, keys, shape string
	cmd := &cobra.Command{
		Use:   "explore FILE...",
		Short: "Try faults on a terminal, one key at a time",
		Long: `explore shows processes and rounds as a grid. Keys put faults into it and take them away, and the verdict and the
diagram follow at once. The key ? lists all keys. At the end it prints the command that executes the last schedule.

Exit codes: 0 left, 2 wrong usage or input.`,
		Example: `  ldfi explore retry.ded --faults 'crash a@2'
  ldfi explore retry.ded --keys 'right space'`,
		Args: question.needSubject,
		RunE: func(cmd *cobra.Command, files []string) error {
			screen, err := screenOf(shape)
			if err != nil {
				return errUsage(cmd, err.Error())
			}
			if keys == "" {
				if err := refuse(cmd, "goes with --keys: a terminal has its own size", "screen"); err != nil {
					return err
				}
				if err := s.needTerminal(); err != nil {
					return err
				}
			}
			if question.system != "" && !cmd.Flags().Changed("max") {
				question.max = mostOfSystem
			}
			question.quiet, question.bare = true, true
			return s.ask(cmd, &question, files, func(ctx context.Context, o *subject.Opened) error {
				schedule, err := faults(text, o)
				if err != nil {
					return err
				}
				e, err := explore.New(ctx, o)
				if err != nil {
					return err
				}
				if err := e.Set(schedule); err != nil {
					return err
				}
				s.progress.stop()
				options := explore.Options{Title: explored(o.Subject()), Replay: o.Subject().InjectCommand, Size: question.size, Style: terminalStyle()}
				if cmd.Flags().Changed("keys") {
					shown, err := explore.Play(ctx, e, options, screen.width, screen.height, keys)
					fmt.Fprint(s.out, shown)
					return err
				}
				err = explore.Run(ctx, e, options, tea.WithInput(s.in), tea.WithOutput(s.stdout))
				if e.Unsaved() {
					fmt.Fprintln(s.out, o.Subject().InjectCommand(e.Schedule()))
				}
				return err
			})
		},
	}
	addBounds(cmd.Flags())
	cmd.Flags().IntVar(&question.maxFacts, "max-facts", limits.DefaultMaxFacts, "evaluate no circuit with more than `n` possible facts")
	cmd.Flags().IntVar(&question.maxGates, "max-gates", limits.DefaultMaxGates, "evaluate no circuit with more than `n` gates")
	addMemory(cmd.Flags(), "")
	question.addSystem(cmd.Flags())
	question.addFaults(cmd.Flags())
	cmd.Flags().IntVar(&question.executions, "executions", 10_000, "execute a system at most `n` times a question")
	cmd.Flags().StringVar(&text, "faults", "", "the `schedule` to begin with, for example 'crash a@2; omit a>c@1'")
	cmd.Flags().StringVar(&keys, "keys", "", "press these `keys` without a terminal, and print the screen: 'right space'")
	cmd.Flags().StringVar(&shape, "screen", "80x24", "the `size` of that screen, columns and lines")
	question.addMax(cmd.Flags(), 1000, fmt.Sprintf("list up to `n` fault sets; of a system %d without it", mostOfSystem))
	cmd.Flags().IntVar(&question.size, "size", 0, "list only fault sets of at most `n` faults")
	cmd.Flags().StringVar(&question.faultCosts, "cost", "", "list the cheapest first, by `kind=n`: 'crash=3,isolate=2'; other faults cost 1")
	return cmd
}

// screenOf reads the size of a screen.
func screenOf(text string) (played, error) {
	var p played
	if n, err := fmt.Sscanf(text, "%dx%d", &p.width, &p.height); err != nil || n != 2 || fmt.Sprintf("%dx%d", p.width, p.height) != text || p.width < 1 || p.height < 1 || p.width > 1000 || p.height > 1000 {
		return p, fmt.Errorf("--screen %s: columns and lines are needed, as in 80x24, of at most 1000", text)
	}
	return p, nil
}

var errNoTerminal = errors.New("explore needs a terminal for its input and its output; without one ask ldfi inject, hypotheses or why, or give it --keys")

// needTerminal reports that there is no terminal.
func (s *session) needTerminal() error {
	for _, stream := range []any{s.in, s.stdout} {
		file, ok := stream.(*os.File)
		if !ok || !term.IsTerminal(int(file.Fd())) {
			return errNoTerminal
		}
	}
	if os.Getenv("TERM") == "dumb" {
		return errors.New("explore cannot move the cursor of this terminal (TERM=dumb): ask ldfi inject, hypotheses or why")
	}
	return nil
}

// explored names the subject.
func explored(about subject.Subject) string {
	if s := about.AsSystem(); s != nil {
		return strings.TrimSpace(s.Command + " " + s.Name)
	}
	return strings.Join(about.AsProtocol().Files, " ")
}
