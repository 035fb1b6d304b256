package main

import (
	"context"
	"time"

	"github.com/lineage-driven/ldfi/internal/advise"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/spf13/cobra"
)

// noSystem is why weakest asks about none.
const noSystem = "does not go with weakest: each question needs a certificate; ask ldfi run --system with each of the bounds"

func (s *session) weakestCommand() *cobra.Command {
	var question question
	var output output
	options := advise.WeakestOptions{}
	cmd := &cobra.Command{
		Use:   "weakest FILE... [--loss KIND] [--questions N]",
		Short: "Find the largest bounds within which the promise holds",
		Long: `weakest asks within which bounds the promise holds: how many crashes, how many losses of one kind, until which round,
and under which assumptions. It prints the largest bounds that hold, and the smallest that break the promise.
With --any-rounds a proof for any number of rounds decides about each.

Exit codes: 0 some bounds hold and all are known, 1 it breaks within all, 2 wrong usage or input, 3 some are not known.`,
		Example: `  ldfi weakest retry.ded
  ldfi weakest uniform_voting.ded --loss isolations`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := refuse(cmd, "says where faults begin, but weakest compares deliver and kernel, which speak about single rounds: ask ldfi run", "at"); err != nil {
				return err
			}
			if err := refuse(cmd, "is one of the bounds that are compared: leave it out (--loss says which kind of loss)", advise.Compared()...); err != nil {
				return err
			}
			if err := refuse(cmd, noSystem, "system"); err != nil {
				return err
			}
			if err := question.anyRoundsAlone(cmd, "solver"); err != nil {
				return err
			}
			return needFiles("a file", 1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return s.ask(cmd, &question, files, func(ctx context.Context, o *subject.Opened) error {
				options.Progress, options.AnyRounds = o.Subject().Shared().Progress, question.anyRounds || o.Bounds().Within != ""
				report, err := advise.Weakest(ctx, o.Bounds(), options, patiently(question.timeout, o.AsProtocol().SearchWithin))
				if err != nil {
					return err
				}
				s.code = codeOf(report)
				switch output {
				case "json":
					return text.WriteJSON(s.out, report)
				case "markdown":
					return report.WriteMarkdown(s.out)
				}
				return report.WriteText(s.out)
			})
		},
	}
	question.addProtocol(cmd.Flags())
	question.addSolver(cmd.Flags())
	question.addAnyRounds(cmd.Flags())
	cmd.Flags().String("system", "", "refused: weakest asks about protocols")
	cmd.Flags().Lookup("system").Hidden = true
	cmd.Flags().StringVar(&options.Loss, "loss", "", "the `kind` of loss: "+text.List(advise.Losses(), "or"))
	cmd.Flags().IntVar(&options.Questions, "questions", 200, "ask at most `n` questions")
	output.add(cmd.Flags(), "text", "json", "markdown")
	return cmd
}

// patiently limits each question to a quarter of the time left, so that a hard question
// leaves time for the others.
func patiently(timeout time.Duration, ask advise.Ask) advise.Ask {
	if timeout == 0 {
		return ask
	}
	return func(ctx context.Context, b rounds.Bounds) (*result.Answer, error) {
		if deadline, ok := ctx.Deadline(); ok {
			short, cancel := context.WithTimeout(ctx, time.Until(deadline)/4)
			defer cancel()
			return ask(short, b)
		}
		return ask(ctx, b)
	}
}

func codeOf(r *advise.WeakestReport) int {
	switch {
	case !r.Whole():
		return exitInconclusive
	case r.Holds():
		return exitHolds
	default:
		return exitViolated
	}
}
