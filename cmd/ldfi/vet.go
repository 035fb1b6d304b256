package main

import (
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/spf13/cobra"
)

func (s *session) vetCommand() *cobra.Command {
	var limits limits
	var strict bool
	cmd := &cobra.Command{
		Use:   "vet FILE...",
		Short: "Report what looks wrong in a program",
		Long: `vet reads a program and reports what looks wrong: relations that nobody reads or defines, rules that can
never fire, facts after the last round, a promise that asks for nothing.

Exit codes: 0 nothing to report, 1 something is reported, 2 the program has errors.`,
		Example: `  ldfi vet testdata/protocols/delivery/retry.ded
  ldfi vet --strict testdata/protocols/delivery/retry.ded`,
		Args: needFiles("a file", 1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := limits.check(); err != nil {
				return err
			}
			in, err := read(cmd, files)
			if err != nil {
				return err
			}
			ctx, cancel := withTimeout(cmd.Context(), limits.timeout)
			defer cancel()
			warnings, err := ldfi.Vet(ctx, in.program, in.bounds, strict, ldfi.Options{
				Goals: in.goals, MaxFacts: limits.maxFacts, MaxGates: limits.maxGates,
			})
			if err != nil {
				return err
			}
			for _, w := range warnings {
				fmt.Fprintln(s.out, w)
				s.code = exitViolated
			}
			return nil
		},
	}
	addBoundsFlags(cmd.Flags())
	limits.add(cmd.Flags())
	cmd.Flags().BoolVar(&strict, "strict", false, "also report deductive rules outside the specification that join facts of several locations")
	return cmd
}

// warn writes warnings beside a result.
func (s *session) warn(warnings []dedalus.Warning) {
	for _, w := range warnings {
		fmt.Fprintln(s.err, w)
	}
}
