package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/spf13/cobra"
)

// shortly is the default time for a question about a program.
const shortly = time.Second

func (s *session) whatifCommand() *cobra.Command {
	question := question{lists: true}
	var output output
	var drawing drawing
	var asked result.Wanted
	cmd := &cobra.Command{
		Use:   "whatif FILE... 'FACT' [--absent]",
		Short: "Find what makes a fact appear, or vanish",
		Long: `whatif finds the smallest set of faults that makes a fact appear, or with --absent vanish, and executes it.
The promise need not depend on the fact. A bare word in the fact is a string, and _ is anything.
A fact without a round is to hold in some round, or with --absent in none.

--require and --forbid are those of ldfi hypotheses. Of a system the fact is one that a process reports.

Exit codes: 0 no fault set does it, 1 there is one, 2 wrong usage or input, 3 stopped before either was known.`,
		Example: `  ldfi whatif retry.ded 'log(c, "hello")@4' --absent
  ldfi whatif --system 'go run ./host' --name election 'leader(b, 2)'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := refuse(cmd, "says how a promise is judged, and whatif asks for a fact in its place", "goals"); err != nil {
				return err
			}
			return question.needFact(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := question.checkCost(cmd); err != nil {
				return err
			}
			if err := drawing.fits(cmd, output); err != nil {
				return err
			}
			if question.system == "" && !cmd.Flags().Changed("timeout") {
				question.timeout = shortly
			}
			files := args[:len(args)-1]
			asked.Fact = args[len(args)-1]
			return s.ask(cmd, &question, files, func(ctx context.Context, o *subject.Opened) error {
				if err := drawing.known(o); err != nil {
					return err
				}
				found, err := o.WhatIf(ctx, asked)
				if err != nil {
					return err
				}
				s.code = exitOf(found.Answer)
				question.costs(&found.Stats)
				return s.writeResult(output, found, func(w io.Writer) error {
					s.warn(found.Warnings)
					page, err := answertext.WhatIf(found, drawing.Drawing)
					if err != nil {
						return err
					}
					return page.WriteText(w)
				})
			})
		},
	}
	question.addProtocol(cmd.Flags())
	cmd.Flags().Lookup("goals").Hidden = true
	cmd.Flags().Lookup("timeout").Usage = fmt.Sprintf("stop after this `time` (0: no limit; of a program %s without it)", shortly)
	question.addSolver(cmd.Flags())
	s.addProgress(cmd.Flags())
	question.addCost(cmd.Flags(), "")
	question.addMax(cmd.Flags(), 1, "list up to `n` fault sets")
	question.addSystem(cmd.Flags())
	question.addFaults(cmd.Flags())
	question.addRuns(cmd.Flags(), 10_000, "execute a system at most `n` times")
	cmd.Flags().BoolVar(&asked.Absent, "absent", false, "ask what makes the fact vanish")
	cmd.Flags().StringArrayVar((*[]string)(&asked.Require), "require", nil, "assume that a fault matches this `pattern`, or such a fact holds (repeatable)")
	cmd.Flags().StringArrayVar((*[]string)(&asked.Forbid), "forbid", nil, "assume that no fault matches this `pattern`, or no such fact holds (repeatable)")
	drawing.add(cmd.Flags())
	output.add(cmd.Flags(), "text", "json")
	return cmd
}

// exitOf is the exit code that tells whether something is possible.
func exitOf(p result.Possibility) int {
	switch p {
	case result.Possible:
		return exitViolated
	case result.Unknown:
		return exitInconclusive
	default:
		return exitHolds
	}
}
