package main

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/spf13/cobra"
)

func (s *session) whyCommand() *cobra.Command {
	var question question
	var output output
	var text, recorded string
	cmd := &cobra.Command{
		Use:   "why FILE... 'FACT' [--faults 'SCHEDULE']",
		Short: "Explain why a fact holds, or why it does not",
		Long: `why prints the derivation of a fact as a tree, under the schedule of --faults. If the fact is absent, it prints the
rules that could have given it, and what each lacked. A bare word in the fact is a string, and _ is anything.
Without a round why takes the last round in which the fact holds.

The rules of a system are not known. There why shows the messages by which the process could know of the fact, and
loses each to see which the fact needs. With --recording it shows them without executing anything.

Exit codes: 0 explained, 2 wrong usage or input, 3 the time is up.`,
		Example: `  ldfi why retry.ded 'post(c, "hello")@6' --faults 'crash a@2; omit a>c@1'
  ldfi why --system 'go run ./host' --name election 'leader(a, 1)'
  ldfi why --recording recording.json 'failed(frontend, _, _, _)'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if recorded != "" {
				return needRecorded(cmd, args, output)
			}
			if err := refuse(cmd, "changes nothing about one execution; --faults says which faults it has", subject.OfSearches()...); err != nil {
				return err
			}
			if question.system != "" {
				if err := refuse(cmd, "does not go with "+hosted(cmd)+"; levels are levels of rules, and there are none", "depth"); err != nil {
					return err
				}
				if err := refuse(cmd, "is about a promise, and why about a fact", "property"); err != nil {
					return err
				}
			}
			if question.system != "" && output == "dot" {
				return errUsage(cmd, "--output dot does not go with --system: it draws rules, and a system has none")
			}
			return question.needFact(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if recorded != "" {
				return s.recordedReasons(recorded, args[0], output)
			}
			files, fact := args[:len(args)-1], args[len(args)-1]
			return s.ask(cmd, &question, files, func(ctx context.Context, o *subject.Opened) error {
				schedule, err := faults(text, o)
				if err != nil {
					return err
				}
				if h := o.AsSystem(); h != nil {
					return s.reasons(ctx, h, fact, schedule, output)
				}
				explanation, err := o.AsProtocol().Model().Why(ctx, fact, schedule)
				if err != nil {
					return err
				}
				if output == "dot" {
					return explanation.WriteDOT(s.out)
				}
				return s.writeResult(output, explanation, explanation.WriteText)
			})
		},
	}
	question.addProtocol(cmd.Flags())
	question.addSystem(cmd.Flags())
	for _, name := range subject.OfSearches() {
		cmd.Flags().Lookup(name).Hidden = true
	}
	cmd.Flags().IntVar(&question.depth, "depth", 0, "explain `n` levels below the fact; without it all")
	cmd.Flags().StringVar(&text, "faults", "", "the `schedule`, for example 'crash a@2; omit a>c@1'")
	cmd.Flags().StringVar(&recorded, "recording", "", "ask the recording of a system or of a trace in this `file`, in place of a program")
	output.add(cmd.Flags(), "text", "json", "dot")
	return cmd
}

// needRecorded is the check of the arguments about a recording.
func needRecorded(cmd *cobra.Command, args []string, output output) error {
	if len(args) != 1 {
		return errUsage(cmd, "why --recording needs a fact, and no other file")
	}
	if output == "dot" {
		return errUsage(cmd, "--output dot does not go with --recording: it draws rules, and a recording has none")
	}
	return alone(cmd, "recording", "output")
}

// recordedReasons writes why a fact of a recording holds, or why it does not.
func (s *session) recordedReasons(file, fact string, output output) error {
	e, err := s.recording(file)
	if err != nil {
		return err
	}
	q, err := dedalus.ParseQuery(fact)
	if err != nil {
		return err
	}
	g, err := causality.RecordedReasons(e, &q)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return s.writeReasons(g, output)
}

// reasons writes why a fact of a system holds, or why it does not.
func (s *session) reasons(ctx context.Context, h *subject.OpenedSystem, fact string, schedule rounds.Schedule, output output) error {
	g, err := h.Reasons(ctx, fact, schedule)
	if err != nil {
		return err
	}
	s.progress.stop()
	return s.writeReasons(g, output)
}

func (s *session) writeReasons(g *causality.Reasons, output output) error {
	return s.writeResult(output, g, g.WriteText)
}
