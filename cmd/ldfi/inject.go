package main

import (
	"github.com/lineage-driven/ldfi/internal/atomicfile"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/spf13/cobra"
)

func (s *session) injectCommand() *cobra.Command {
	var limits limits
	var output output
	var faults, facts string
	var host host
	cmd := &cobra.Command{
		Use:   "inject FILE... --faults 'SCHEDULE'",
		Short: "Execute one schedule of faults and show what happens",
		Long: `inject executes the program once, under the schedule given (without --faults: no faults), and shows what happened.

The schedule may lie outside the bounds on the number of faults; a warning says so.

Exit codes: 0 the promise is kept in this execution, 1 it is broken, 2 wrong usage or input.`,
		Example: `  ldfi inject testdata/protocols/delivery/retry.ded --faults 'crash a@2; omit a>c@1'
  ldfi inject --system 'go run ./examples/election/host' --name election-buggy --faults 'isolate c@5..6'`,
		Args: host.needFiles("a file or --system", 1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := output.check("text", "json", "mangle"); err != nil {
				return err
			}
			if err := limits.check(); err != nil {
				return err
			}
			if host.command != "" {
				ctx, cancel := withTimeout(cmd.Context(), limits.timeout)
				defer cancel()
				return s.injectSystem(ctx, cmd, &host, injectFlags{faults, facts, output})
			}
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
			injection, err := ldfi.Inject(ctx, in.program, in.bounds, schedule, ldfi.Options{
				Goals: in.goals, MaxFacts: limits.maxFacts, MaxGates: limits.maxGates,
			})
			if err != nil {
				return err
			}
			s.code = exitCode(injection.Verdict)
			if facts != "" {
				if err := atomicfile.Write(facts, injection.Execution.WriteMangle); err != nil {
					return err
				}
			}
			switch output {
			case "json":
				return writeJSON(s.out, injection)
			case "mangle":
				return injection.Execution.WriteMangle(s.out)
			}
			s.warn(injection.Warnings)
			return writeInjection(s.out, injection)
		},
	}
	addBoundsFlags(cmd.Flags())
	host.add(cmd.Flags())
	limits.add(cmd.Flags())
	cmd.Flags().StringVar(&faults, "faults", "", "the `schedule`, for example 'crash a@2; omit a>c@1'")
	cmd.Flags().StringVar(&facts, "facts", "", "write the execution as Mangle facts to `file`")
	output.add(cmd.Flags(), "text, json or mangle")
	return cmd
}
