package main

import (
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/spf13/cobra"
)

func (s *session) hypothesesCommand() *cobra.Command {
	var limits limits
	var output output
	var require, forbid []string
	var max int
	cmd := &cobra.Command{
		Use:   "hypotheses FILE... [--require '...'] [--forbid '...']",
		Short: "List the minimal fault sets that break the promise, under assumptions",
		Long: `hypotheses lists minimal sets of faults that break the promise, smallest first, each executed and confirmed.

An assumption is a pattern over faults ('crash a@2', 'omit *>c', 'isolate b@2') or a fact ('post(c, "hello")@6').
Some fault that matches a required pattern happens; none that matches a forbidden one does. When no fault set is left, the
smallest set of assumptions that conflict is printed.

Exit codes: 0 there is none, 1 there are some, 2 wrong usage or input, 3 stopped before the first.`,
		Example: `  ldfi hypotheses testdata/protocols/delivery/retry.ded --forbid 'crash b'
  ldfi hypotheses testdata/protocols/delivery/retry.ded --require 'crash b@1' --max 3`,
		Args: needFiles("a file", 1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := output.check("text", "json"); err != nil {
				return err
			}
			if err := limits.check(); err != nil {
				return err
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
			report, err := ldfi.Hypotheses(ctx, in.program, in.bounds, require, forbid, ldfi.Options{
				Goals: in.goals, Max: max, MaxFacts: limits.maxFacts, MaxGates: limits.maxGates, Progress: progress.show,
			})
			progress.stop()
			if err != nil {
				return err
			}
			s.code = hypothesesCode(report)
			if output == "json" {
				return writeJSON(s.out, report)
			}
			s.warn(report.Warnings)
			return writeHypotheses(s.out, report)
		},
	}
	addBoundsFlags(cmd.Flags())
	limits.add(cmd.Flags())
	cmd.Flags().StringArrayVar(&require, "require", nil, "assume that a fault that matches this `pattern` happens (repeatable)")
	cmd.Flags().StringArrayVar(&forbid, "forbid", nil, "assume that no fault that matches this `pattern` happens (repeatable)")
	cmd.Flags().IntVar(&max, "max", 10, "list up to `n` fault sets")
	output.add(cmd.Flags(), "text or json")
	return cmd
}

func hypothesesCode(r *ldfi.HypothesesReport) int {
	switch {
	case len(r.Hypotheses) > 0:
		return exitViolated
	case r.Complete:
		return exitHolds
	default:
		return exitInconclusive
	}
}
