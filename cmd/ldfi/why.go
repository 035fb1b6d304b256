package main

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/spf13/cobra"
)

// whyless are the bounds that say which schedules there are: an explanation is
// about one of them.
var whyless = []string{"eff", "crashes", "omissions", "isolations", "partitions", "cuts", "delays", "duplicates", "max-delay", "period", "at", "goals", "restarts", "choices"}

func (s *session) whyCommand() *cobra.Command {
	var question question
	var output output
	var text string
	cmd := &cobra.Command{
		Use:   "why FILE... 'FACT' [--faults 'SCHEDULE']",
		Short: "Explain why a fact holds, or why it does not",
		Long: `why prints the derivation of a fact under a schedule (without --faults: no faults) as a tree. Where the fact is absent, it
prints the rules that could have given it and what each lacked, down to the lost messages.

In the fact a bare word is a string and _ is anything. Without a round it is the last one in which the fact holds.

Exit codes: 0 explained, 2 wrong usage or input, 3 the time is up.`,
		Example: `  ldfi why testdata/protocols/delivery/retry.ded 'post(c, "hello")@6'
  ldfi why testdata/protocols/delivery/retry.ded 'post(c, "hello")@6' --faults 'crash a@2; omit a>c@1'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := refuse(cmd, "changes nothing about one execution; --faults says which faults it has", whyless...); err != nil {
				return err
			}
			return needFiles("a file and a fact", 2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			files, fact := args[:len(args)-1], args[len(args)-1]
			return s.ask(cmd, &question, files, func(ctx context.Context, _ *subject.Subject, o *subject.Opened) error {
				schedule, err := faults(text, o)
				if err != nil {
					return err
				}
				explanation, err := o.Model().Why(ctx, fact, schedule)
				if err != nil {
					return err
				}
				switch output {
				case "json":
					return explanation.WriteJSON(s.out)
				case "dot":
					return explanation.WriteDOT(s.out)
				}
				return explanation.WriteText(s.out)
			})
		},
	}
	question.addProtocol(cmd.Flags())
	for _, name := range whyless {
		cmd.Flags().Lookup(name).Hidden = true
	}
	cmd.Flags().IntVar(&question.depth, "depth", 0, "explain `n` levels below the fact; without it all")
	cmd.Flags().StringVar(&text, "faults", "", "the `schedule`, for example 'crash a@2; omit a>c@1'")
	output.add(cmd.Flags(), "text", "json", "dot")
	return cmd
}
