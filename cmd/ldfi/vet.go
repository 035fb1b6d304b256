package main

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/spf13/cobra"
)

func (s *session) vetCommand() *cobra.Command {
	var question question
	var strict, roundBased, closed bool
	var output output
	cmd := &cobra.Command{
		Use:   "vet FILE...",
		Short: "Report what looks wrong in a program",
		Long: `vet reads a program and reports what looks wrong: relations that nobody reads or defines, rules that can
never fire, facts after the last round, a promise that asks for nothing.

With --round-based it reports instead whether executions in lock-step rounds stand for all asynchronous ones: each
condition of communication closure and of sequentialization, whether it is met, and where it is not.

With --closure it executes schedules with late messages, and looks for one in lock-step rounds, with losses instead, in
which each process goes through the same states. It reports the first for which there is none.

With --system it tests a system written in Go instead, with random schedules: whether it does the same when it is executed
again, whether its fingerprints tell states apart, and whether crashes make it forget what it must not. It warns of rules to which
facts of processes that have crashed count. It also says
where it matters in which order messages of a round arrive, which is no mistake, and how
much it ran. What it finds is shown with a schedule from which nothing can be left out.

Exit codes: 0 nothing to report, 1 something is reported (with --round-based: a condition that is needed is not shown to be met; with --closure: such an execution), 2 the program has errors, 3 the time is up.`,
		Example: `  ldfi vet testdata/protocols/delivery/retry.ded
  ldfi vet --strict testdata/protocols/delivery/retry.ded
  ldfi vet --system 'go run ./examples/election/host' --name election-buggy`,
		Args: func(cmd *cobra.Command, files []string) error {
			if err := question.needSubject(cmd, files); err != nil {
				return err
			}
			if err := exclusive(cmd, "strict", "round-based", "closure"); err != nil {
				return err
			}
			if question.system == "" {
				return nil
			}
			return refuse(cmd, "does not go with "+hosted(cmd)+"; its self-tests draw schedules within bounds of their own, and judge no property: --executions says how many, and ldfi run judges",
				append(boundsKeys(), "property")...)
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return s.ask(cmd, &question, files, func(ctx context.Context, o *subject.Opened) error {
				if err := o.Idle(); err != nil {
					return err
				}
				if roundBased {
					return s.vetRounds(ctx, o, output)
				}
				if closed {
					return s.vetClosure(ctx, o.AsProtocol(), output)
				}
				vetted, err := o.Vet(ctx, strict)
				if vetted == nil || err != nil && output == "json" {
					return err
				}
				if vetted.Wrong() {
					s.code = exitViolated
				}
				if output == "json" {
					return text.WriteJSON(s.out, vetted)
				}
				return errors.Join(vetted.WriteText(s.out), err)
			})
		},
	}
	question.addProtocol(cmd.Flags())
	question.addSystem(cmd.Flags())
	question.addRuns(cmd.Flags(), 200, "execute a system under `n` random schedules")
	cmd.Flags().BoolVar(&strict, "strict", false, "also report deductive rules that join facts of several locations")
	cmd.Flags().BoolVar(&roundBased, "round-based", false, "report instead whether lock-step rounds stand for asynchronous executions")
	cmd.Flags().BoolVar(&closed, "closure", false, "look instead for late messages that no execution in lock-step rounds matches")
	output.add(cmd.Flags(), "text", "json")
	return cmd
}

// vetRounds reports whether executions in lock-step rounds stand for asynchronous ones.
func (s *session) vetRounds(ctx context.Context, o *subject.Opened, output output) error {
	found, err := o.RoundBased(ctx)
	if err != nil {
		return err
	}
	if !found.Asynchronous.Shown {
		s.code = exitViolated
	}
	if output == "json" {
		return text.WriteJSON(s.out, found)
	}
	return found.WriteText(s.out)
}

// vetClosure looks for an execution with late messages that no execution in lock-step
// rounds looks like.
func (s *session) vetClosure(ctx context.Context, p *subject.OpenedProtocol, output output) error {
	found, err := p.Closure(ctx)
	if found == nil {
		return err
	}
	if found.Schedule != nil {
		s.code = exitViolated
	}
	if output == "json" {
		if err != nil {
			return err
		}
		return text.WriteJSON(s.out, found)
	}
	return errors.Join(found.WriteText(s.out, p.Bounds().Processes), err)
}
