package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/spf13/cobra"
)

func (s *session) runCommand() *cobra.Command {
	var question question
	var output output
	var drawing drawing
	var facts, reported string
	var known []string
	var margin, repairs bool
	cmd := &cobra.Command{
		Use:   "run FILE...",
		Short: "Decide whether faults within the bounds break the promise",
		Long: `run decides whether some schedule of faults within the bounds makes the program break its promise.

It prints the verdict, a smallest set of faults that breaks the promise (executed and confirmed), what was
searched, why the faults matter, and a space-time diagram. Several files are one program. The bounds stand in
the program (// ldfi: processes=a,b,c eot=6 eff=3 crashes=1); flags override them.

With --system it searches a system written in Go (or anything else) instead, which a program links: docs/guide/systems.md. Without bounds
on the faults these are those of the system or, if it has none, at most two isolations in four phases.

With --trace it shows how lineage leads from one execution to the next.

Exit codes: 0 holds, 1 violated, 2 wrong usage or input, or a system that does not do the same twice, 3 inconclusive.`,
		Example: `  ldfi run testdata/protocols/delivery/retry.ded
  ldfi run testdata/protocols/delivery/retry.ded --crashes 0
  ldfi run testdata/protocols/delivery/retry.ded --output json | jq .verdict
  ldfi run testdata/protocols/delivery/retry.ded --trace
  ldfi run --system 'go run ./examples/election/host' --name election-buggy`,
		Args: question.needSubject,
		RunE: func(cmd *cobra.Command, files []string) error {
			if question.system == "" && question.strategy != "" {
				if err := refuse(cmd, "does not go with --strategy lineage: the loop ends with the first fault set", "max"); err != nil {
					return err
				}
			}
			if err := question.certify(cmd); err != nil {
				return err
			}
			if err := cmp.Or(question.crew.fits(cmd), drawing.fits(cmd, output)); err != nil {
				return err
			}
			if question.strategy != "" && question.system == "" {
				if err := refuse(cmd, "does not go with --strategy lineage: leave out one of them", "margin"); err != nil {
					return err
				}
			}
			return s.ask(cmd, &question, files, func(ctx context.Context, about *subject.Subject, o *subject.Opened) error {
				within := patiently(question.timeout, o.SearchWithin)
				written := []string{facts, reported}
				if c := question.certificate; c != nil {
					written = append(written, c.Proof, c.Formula)
					defer c.Close()
				}
				if err := drawing.known(o); err != nil {
					return err
				}
				if err := checkWritten(o.Read(), written...); err != nil {
					return err
				}
				past, err := pass(ctx, about, o, known)
				if err != nil {
					return err
				}
				answer, err := o.Search(ctx)
				if err := cmp.Or(question.crew.lost(), err); err != nil {
					return err
				}
				if answer.Search != nil {
					answer.Search.Past = append(past, answer.Search.Past...)
				}
				if err := s.proved(&question, answer); err != nil {
					return err
				}
				if margin {
					answer.Margin = s.margin(ctx, answer, beyond{o, within})
				}
				if repairs {
					if answer.Repairs, err = o.Repairs(ctx, answer); err != nil {
						return err
					}
				}
				if err := question.crew.settle(ctx); err != nil {
					return err
				}
				s.code = exitCode(answer.Verdict)
				question.costs(&answer.Stats)
				if facts != "" {
					if err := writeShown(cmd.Context(), o, answer, facts); err != nil {
						return err
					}
				}
				text, err := answertext.Answer(answer, about.InjectCommand, drawing.Drawing)
				if err != nil {
					return err
				}
				if err := writeReport(cmd.Context(), reported, s.plainCommand(), about, o, answer, text, report.Words{About: answertext.Size, Replay: about.InjectCommand}); err != nil {
					return err
				}
				if output == "json" && question.trace {
					return question.turns.writeJSON(s.out, answer)
				}
				return s.writeResult(output, answer, func(w io.Writer) error {
					s.warn(answer.Warnings)
					if err := question.turns.writeText(w); err != nil {
						return err
					}
					if first := answer.First(); first != nil {
						s.unseen(&drawing, first.Execution)
					}
					return text.WriteText(w)
				})
			})
		},
	}
	question.parts = true
	question.addProtocol(cmd.Flags())
	question.addMax(cmd.Flags(), 1, "report up to `n` fault sets, the smallest first")
	question.addSystem(cmd.Flags())
	question.addSearch(cmd.Flags())
	question.addSolver(cmd.Flags())
	question.addProof(cmd.Flags())
	s.addProgress(cmd.Flags())
	cmd.Flags().Lookup("strategy").Usage += "; of a program lineage, or none"
	cmd.Flags().BoolVar(&question.trace, "trace", false, "show the turns of a search by lineage: what was executed, what it showed, what was chosen next (as JSON lines with --output json)")
	question.addCrew(cmd.Flags())
	question.addStatistics(cmd.Flags(), "; of a system what its executions were like: rounds and phases with a quorum, messages; medians")
	cmd.Flags().BoolVar(&margin, "margin", false, "after the verdict holds, ask within the nearest bounds beyond: one more fault of each kind, one more round")
	cmd.Flags().BoolVar(&repairs, "repairs", false, "after the verdict violated, suggest rules whose addition helps: each is checked, the program is decided with it within the same bounds")
	cmd.Flags().StringArrayVar(&known, "known", nil, "of a system: execute the schedule in this `file`, and go on past what it violates, as that is known (repeatable)")
	cmd.Flags().StringVar(&facts, "facts", "", "write the execution that is shown (without faults, if none is) as Mangle facts to `file`")
	addReport(cmd.Flags(), &reported)
	drawing.add(cmd.Flags())
	output.add(cmd.Flags(), "text", "json")
	return cmd
}

// pass executes the schedules in files, for the search to go past what they violate, and
// returns a line for each.
func pass(ctx context.Context, about *subject.Subject, o *subject.Opened, files []string) ([]string, error) {
	var lines []string
	for _, file := range files {
		schedule, err := schedules.ReadKept(file)
		if err == nil {
			err = o.Fits(schedule)
		}
		if err != nil {
			return nil, fmt.Errorf("--known: %w", err)
		}
		in, err := o.Replay(ctx, schedule)
		if err != nil {
			return nil, fmt.Errorf("--known: executing the schedule in %s: %w", file, err)
		}
		if len(in.Violations) == 0 {
			lines = append(lines, fmt.Sprintf("%s violates nothing: take it out of --known", file))
			continue
		}
		about.GoPast(in)
		lines = append(lines, fmt.Sprintf("%s: %s", file, answertext.Broken(in.Violations)))
	}
	return lines, nil
}

// writeShown writes everything that happens in the execution that is shown: the
// first counterexample, or that without faults.
func writeShown(ctx context.Context, o *subject.Opened, a *result.Answer, file string) error {
	var schedule rounds.Schedule
	if c := a.First(); c != nil && c.Repeats != nil { // another one may differ
		return writeFacts(file, c.Execution)
	} else if c != nil {
		schedule = c.Schedule
	}
	in, err := o.Replay(ctx, schedule)
	if err != nil {
		return err
	}
	return writeFacts(file, in.Execution)
}

// writeFacts writes the table of an execution into a file.
func writeFacts(file string, e *recording.Execution) error {
	return files.Replace(file, func(w io.Writer) error { return datalog.WriteMangle(w, e) })
}
