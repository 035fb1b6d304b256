package main

import (
	"context"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/spf13/cobra"
)

func (s *session) learnCommand() *cobra.Command {
	var question question
	var file string
	cmd := &cobra.Command{
		Use:   "learn --system COMMAND -o FILE",
		Short: "Learn what a system does, and write it as a program",
		Long: `learn executes a system until it knows what each process does in every state within the bounds. It writes that as a
Dedalus program, for all commands that take programs.

The processes have to name their states (system.Fingerprinter), which servers as they are do not.
The program counts what nobody knows as broken, so what holds of it holds of the system within these bounds.

Exit codes: 0 everything is known, 2 wrong usage or input, 3 something is not: the file says so.`,
		Example: `  ldfi learn --system 'go run ./host' --name election -o model.ded
  ldfi run model.ded`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := question.needSystem(cmd, args); err != nil {
				return err
			}
			if file == "" {
				return errUsage(cmd, "learn: say where to write the program: -o with a file, or - for standard output")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.ask(cmd, &question, nil, func(ctx context.Context, o *subject.Opened) error {
				if err := o.Idle(); err != nil {
					return err
				}
				if file != toStdout {
					if err := checkWritten(o.Read(), file); err != nil {
						return err
					}
				}
				l, err := o.AsSystem().Learn(ctx)
				if err != nil {
					return err
				}
				s.progress.stop()
				if !l.Complete() {
					s.code = exitInconclusive
				}
				return s.writeLearned(l, file)
			})
		},
	}
	addBounds(cmd.Flags())
	cmd.Flags().DurationVar(&question.timeout, "timeout", 0, "stop after this `time` (for example 30s; 0: no limit), and write what is known")
	question.addSystem(cmd.Flags())
	question.addRuns(cmd.Flags(), 10_000, "execute the system at most `n` times")
	cmd.Flags().StringVarP(&file, "out", "o", "", "write the program to this `file`, - for standard output")
	return cmd
}

// toStdout is the name of a file that is standard output.
const toStdout = "-"

// writeLearned writes the learned program to a file, and reports its size.
func (s *session) writeLearned(l *subject.Learned, file string) error {
	told := s.out
	if file == toStdout {
		told = s.err
		fmt.Fprint(s.out, l.Text)
	} else if err := files.Replace(file, func(w io.Writer) error { _, err := io.WriteString(w, l.Text); return err }); err != nil {
		return err
	}
	wrote := file
	if file == toStdout {
		wrote = ""
	}
	return answertext.Learned(l.Learned, l.Program, wrote, terminalStyle()).WriteText(told)
}
