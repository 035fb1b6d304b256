package main

import (
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/spf13/cobra"
)

func (s *session) whyCommand() *cobra.Command {
	var limits limits
	var output output
	var faults string
	cmd := &cobra.Command{
		Use:   "why FILE... 'FACT' [--faults 'SCHEDULE']",
		Short: "Explain why a fact holds, or why it does not",
		Long: `why prints the derivation of a fact under a schedule (without --faults: no faults) as a tree. Where the fact is absent, it
prints the rules that could have given it and what each lacked, down to the lost messages.

In the fact a bare word is a string and _ is anything. Without a round it is the last one in which the fact holds.

Exit codes: 0 explained, 2 wrong usage or input.`,
		Example: `  ldfi why testdata/protocols/delivery/retry.ded 'post(c, "hello")@6'
  ldfi why testdata/protocols/delivery/retry.ded 'post(c, "hello")@6' --faults 'crash a@2; omit a>c@1'`,
		Args: needFiles("a file and a fact", 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := output.check("text", "json", "dot"); err != nil {
				return err
			}
			if err := limits.check(); err != nil {
				return err
			}
			files, fact := args[:len(args)-1], args[len(args)-1]
			in, err := read(cmd, files)
			if err != nil {
				return err
			}
			schedule, err := in.faults(faults)
			if err != nil {
				return err
			}
			ctx, cancel := withTimeout(cmd.Context(), limits.timeout)
			defer cancel()
			explanation, err := ldfi.Why(ctx, in.program, in.bounds, fact, schedule, ldfi.Options{
				MaxFacts: limits.maxFacts, MaxGates: limits.maxGates,
			})
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
		},
	}
	addBoundsFlags(cmd.Flags())
	limits.add(cmd.Flags())
	cmd.Flags().StringVar(&faults, "faults", "", "the `schedule`, for example 'crash a@2; omit a>c@1'")
	output.add(cmd.Flags(), "text, json or dot")
	return cmd
}
