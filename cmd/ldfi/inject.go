package main

import (
	"context"
	"io"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/spf13/cobra"
)

func (s *session) injectCommand() *cobra.Command {
	var question question
	var output output
	var drawing drawing
	var text, facts string
	cmd := &cobra.Command{
		Use:   "inject FILE... --faults 'SCHEDULE'",
		Short: "Execute one schedule of faults and show what happens",
		Long: `inject executes one schedule and shows what happens. Without --faults it executes the program without faults.
A schedule outside of the bounds is executed too, with a warning.

Exit codes: 0 the promise is kept, 1 it is broken, 2 wrong usage or input, 3 inconclusive.`,
		Example: `  ldfi inject retry.ded --faults 'crash a@2; omit a>c@1'
  ldfi inject --system 'go run ./host' --name election --faults 'isolate c@5..6'`,
		Args: question.needSubject,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := drawing.fits(cmd, output); err != nil {
				return err
			}
			return s.ask(cmd, &question, files, func(ctx context.Context, o *subject.Opened) error {
				if err := drawing.known(o); err != nil {
					return err
				}
				schedule, err := faults(text, o)
				if err != nil {
					return err
				}
				if err := checkWritten(o.Read(), facts); err != nil {
					return err
				}
				in, err := o.Guided(ctx, schedule)
				if err != nil {
					return err
				}
				s.code = exitCode(in.Verdict)
				if facts != "" {
					if err := writeFacts(facts, in.Execution); err != nil {
						return err
					}
				}
				if output == "mangle" {
					return datalog.WriteMangle(s.out, in.Execution)
				}
				return s.writeResult(output, in, func(w io.Writer) error {
					s.warn(in.Warnings)
					s.unseen(&drawing, in.Execution)
					page, err := answertext.Injection(in, drawing.Drawing)
					if err != nil {
						return err
					}
					return page.WriteText(w)
				})
			})
		},
	}
	question.addProtocol(cmd.Flags())
	question.addSystem(cmd.Flags())
	question.addFaults(cmd.Flags())
	question.addGuide(cmd.Flags())
	cmd.Flags().StringVar(&text, "faults", "", "the `schedule`, for example 'crash a@2; omit a>c@1'")
	cmd.Flags().StringVar(&facts, "facts", "", "write the execution as Mangle facts to `file`")
	drawing.add(cmd.Flags())
	output.add(cmd.Flags(), "text", "json", "mangle")
	return cmd
}
