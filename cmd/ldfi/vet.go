package main

import (
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/spf13/cobra"
)

func (s *session) vetCommand() *cobra.Command {
	var limits limits
	var strict bool
	var host host
	var search searchFlags
	cmd := &cobra.Command{
		Use:   "vet FILE...",
		Short: "Report what looks wrong in a program",
		Long: `vet reads a program and reports what looks wrong: relations that nobody reads or defines, rules that can
never fire, facts after the last round, a promise that asks for nothing.

With --system it tests a system written in Go instead, with random schedules: whether it does the same when it is executed
again, whether its fingerprints tell states apart, and whether crashes make it forget what it must not.

Exit codes: 0 nothing to report, 1 something is reported, 2 the program has errors.`,
		Example: `  ldfi vet testdata/protocols/delivery/retry.ded
  ldfi vet --strict testdata/protocols/delivery/retry.ded
  ldfi vet --system 'go run ./examples/election/host' --name election-buggy`,
		Args: host.needFiles("a file or --system", 1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := limits.check(); err != nil {
				return err
			}
			if host.command != "" {
				ctx, cancel := withTimeout(cmd.Context(), limits.timeout)
				defer cancel()
				return s.vetSystem(ctx, cmd, &host, &search)
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
	host.add(cmd.Flags())
	search.addRuns(cmd.Flags())
	limits.add(cmd.Flags())
	cmd.Flags().BoolVar(&strict, "strict", false, "also report deductive rules outside the specification that join facts of several locations")
	return cmd
}

// warn writes warnings beside a result.
func (s *session) warn(warnings []specs.Warning) {
	for _, w := range warnings {
		fmt.Fprintln(s.err, w)
	}
}
