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
		Long: `vet reports relations that nobody reads or defines, rules that can never fire, and a promise that asks for nothing.

With --system it executes random schedules of a system twice. It reports what is not the same both times, states
that fingerprints do not tell apart, and what a crash makes it forget although it must not. It notes where the order of
messages matters.

With --round-based it checks the conditions under which lock-step rounds stand for asynchronous executions.
With --closure it looks for a counterexample to them.

Exit codes: 0 nothing to report, 1 something is reported, 2 the program has errors, 3 the time is up.`,
		Example: `  ldfi vet retry.ded
  ldfi vet --system 'go run ./host' --name election`,
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
