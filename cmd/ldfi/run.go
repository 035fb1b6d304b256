package main

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/atomicfile"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/spf13/cobra"
)

func (s *session) runCommand() *cobra.Command {
	var limits limits
	var output output
	var max int
	var facts string
	var host host
	var search searchFlags
	cmd := &cobra.Command{
		Use:   "run FILE...",
		Short: "Decide whether faults within the bounds break the promise",
		Long: `run decides whether some schedule of faults within the bounds makes the program break its promise.

It prints the verdict, a smallest set of faults that breaks the promise (executed and confirmed), what was
searched, why the faults matter, and a space-time diagram. Several files are one program. The bounds stand in
the program (// ldfi: processes=a,b,c eot=6 eff=3 crashes=1); flags override them.

With --system it searches a system written in Go (or anything else) instead, which a program links: docs/guide/systems.md. Without bounds
on the faults these are those of the system or, if it has none, at most two isolations in four phases.

Exit codes: 0 holds, 1 violated, 2 wrong usage or input, 3 inconclusive.`,
		Example: `  ldfi run testdata/protocols/delivery/retry.ded
  ldfi run testdata/protocols/delivery/retry.ded --crashes 0
  ldfi run testdata/protocols/delivery/retry.ded --output json | jq .verdict
  ldfi run --system 'go run ./examples/election/host' --name election-buggy`,
		Args: host.needFiles("a file or --system", 1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := output.check("text", "json"); err != nil {
				return err
			}
			if err := limits.check(); err != nil {
				return err
			}
			if host.command != "" {
				ctx, cancel := withTimeout(cmd.Context(), limits.timeout)
				defer cancel()
				return s.runSystem(ctx, cmd, &host, &search, facts, output)
			}
			if max < 1 {
				return fmt.Errorf("--max %d: a number above 0 is needed", max)
			}
			in, err := read(cmd, files)
			if err != nil {
				return err
			}
			ctx, cancel := withTimeout(cmd.Context(), limits.timeout)
			defer cancel()
			progress := startProgress(s.err)
			report, err := ldfi.Check(ctx, in.program, in.bounds, ldfi.Options{
				Goals: in.goals, Max: max, MaxFacts: limits.maxFacts, MaxGates: limits.maxGates, Progress: progress.show,
			})
			progress.stop()
			if err != nil {
				return err
			}
			s.code = exitCode(report.Verdict)
			if facts != "" {
				if err := writeFacts(cmd.Context(), in, report, limits, facts); err != nil {
					return err
				}
			}
			if output == "json" {
				return writeJSON(s.out, report)
			}
			s.warn(report.Warnings)
			return writeReport(s.out, report)
		},
	}
	addBoundsFlags(cmd.Flags())
	host.add(cmd.Flags())
	search.add(cmd.Flags())
	limits.add(cmd.Flags())
	cmd.Flags().IntVar(&max, "max", 1, "report up to `n` minimal fault sets")
	cmd.Flags().StringVar(&facts, "facts", "", "write the execution that is shown (without faults, if none is) as Mangle facts to `file`")
	output.add(cmd.Flags(), "text or json")
	return cmd
}

// writeFacts writes everything that happens in the first counterexample, or
// without faults.
func writeFacts(ctx context.Context, in *input, report *ldfi.Report, limits limits, file string) error {
	var schedule rounds.Schedule
	if len(report.Counterexamples) > 0 {
		schedule = report.Counterexamples[0].Schedule
	}
	injection, err := ldfi.Inject(ctx, in.program, in.bounds, schedule, ldfi.Options{
		Goals: in.goals, MaxFacts: limits.maxFacts, MaxGates: limits.maxGates,
	})
	if err != nil {
		return err
	}
	return atomicfile.Write(file, injection.Execution.WriteMangle)
}
