package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/spf13/cobra"
)

func (s *session) hypothesesCommand() *cobra.Command {
	question := question{lists: true}
	var output output
	var reported string
	var require, forbid []string
	var drawn drawing
	var diagrams, unfold bool
	var traced traced
	cmd := &cobra.Command{
		Use:   "hypotheses FILE... [--require '...'] [--forbid '...']",
		Short: "List the fault sets that break the promise",
		Long: `hypotheses lists sets of faults that break the promise and need each of their faults. The smallest come first.
It executes each, and counts those that it does not list.

--require and --forbid take patterns of faults ('crash a@2', 'omit *>c') or facts ('post(c, "hello")@6').
If they leave no fault set, hypotheses names a smallest set of assumptions that conflict.

With --any-rounds it lists which faults break the promise of a program whenever they happen, in any number of rounds.

It learns a system whose processes name their states, and lists all of its fault sets. Of other systems it
executes schedules, fewest faults first, and says how far it came.

Exit codes: 0 there is none, 1 there are some, 2 wrong usage or input, 3 stopped before the first.`,
		Example: `  ldfi hypotheses retry.ded --forbid 'crash b'
  ldfi hypotheses retry.ded --size 3 --max 50`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := refuse(cmd, "does not go with hypotheses, which lists what breaks the promise within the bounds: ask ldfi run --margin", "margin"); err != nil {
				return err
			}
			if err := traced.check(cmd, args); err != nil || traced.recording != "" {
				return err
			}
			return question.needSubject(cmd, args)
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			if traced.recording != "" {
				return traced.ask(s, question.max, output)
			}
			if question.anyRounds {
				if err := refuse(cmd, "does not go with --any-rounds, which lists fault sets whatever their rounds: leave out one of them", "require", "forbid", "size", "cost", "group", "diagram", "report", "solver"); err != nil {
					return err
				}
			}
			if err := errors.Join(question.checkCost(cmd), unfolds(cmd, &question, output), drawn.asked(cmd, diagrams, output)); err != nil {
				return err
			}
			question.bare = output == "text" && reported == "" && !diagrams
			return s.ask(cmd, &question, files, func(ctx context.Context, o *subject.Opened) error {
				if err := errors.Join(checkWritten(o.Read(), reported), drawn.known(o)); err != nil {
					return err
				}
				answer, err := o.Hypotheses(ctx, require, forbid)
				if err != nil {
					return err
				}
				s.code = exitCode(answer.Verdict)
				question.costs(&answer.Stats)
				if question.anyRounds {
					return s.writeWhenever(output, answer, drawn.Drawing)
				}
				text, err := answertext.Hypotheses(answer, answertext.Listing{Size: question.size, Assumptions: len(require) + len(forbid), Unfold: unfold, Diagrams: diagrams, Drawing: drawn.Drawing})
				if err != nil {
					return err
				}
				if err := writeReport(cmd.Context(), reported, s.plainCommand(), o, answer, text, report.Words{About: answertext.Set, Replay: o.Subject().InjectCommand, Cuts: func(c result.Counterexample) string { return answertext.Cuts(c, o.Bounds().Processes) }}); err != nil {
					return err
				}
				return s.writeResult(output, answer, func(w io.Writer) error {
					s.warn(answer.Warnings)
					return text.WriteText(w)
				})
			})
		},
	}
	question.addProtocol(cmd.Flags())
	question.addSolver(cmd.Flags())
	s.addProgress(cmd.Flags())
	question.addCost(cmd.Flags(), "")
	question.addMax(cmd.Flags(), 10, "list up to `n` fault sets")
	question.addAnyRounds(cmd.Flags())
	question.addSystem(cmd.Flags())
	question.addFaults(cmd.Flags())
	question.addRuns(cmd.Flags(), 10_000, "execute a system at most `n` times")
	cmd.Flags().IntVar(&question.size, "size", 0, "list only fault sets of at most `n` faults")
	cmd.Flags().StringVar(&question.faultCosts, "cost", "", "list the cheapest first, by `kind=n`: 'crash=3,isolate=2'; other faults cost 1")
	cmd.Flags().StringVar(&question.fold, "group", "", "group the fault sets by `what` they share: rounds, symmetry or cause")
	cmd.Flags().BoolVar(&unfold, "unfold", false, "with --group, show all fault sets of each group, not only the first")
	cmd.Flags().BoolVar(&diagrams, "diagram", false, "show with each fault set why it breaks the promise, and draw what happens")
	drawn.add(cmd.Flags())
	cmd.Flags().StringArrayVar(&require, "require", nil, "assume that a fault that matches this `pattern` happens (repeatable)")
	cmd.Flags().StringArrayVar(&forbid, "forbid", nil, "assume that no fault that matches this `pattern` happens (repeatable)")
	cmd.Flags().Bool("margin", false, "refused: hypotheses lists what breaks the promise")
	cmd.Flags().Lookup("margin").Hidden = true
	addReport(cmd.Flags(), &reported)
	traced.add(cmd.Flags())
	output.add(cmd.Flags(), "text", "json")
	return cmd
}

// writeWhenever writes the fault sets of any number of rounds.
func (s *session) writeWhenever(output output, a *result.Answer, d answertext.Drawing) error {
	page, err := answertext.Whenever(a, d)
	if err != nil {
		return err
	}
	return s.writeResult(output, a, func(w io.Writer) error {
		s.warn(a.Warnings)
		return page.WriteText(w)
	})
}

// unfolds refuses --unfold where there are no groups, or where all that is in them is
// there anyway.
func unfolds(cmd *cobra.Command, q *question, output output) error {
	switch {
	case q.fold == "":
		return refuse(cmd, "is about groups: ask for these with --group", "unfold")
	case output != "text":
		return refuse(cmd, fmt.Sprintf("does not go with --output %s, which has all sets of each group", output), "unfold")
	default:
		return nil
	}
}
