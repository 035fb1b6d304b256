package main

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/spf13/cobra"
)

func (s *session) diffCommand() *cobra.Command {
	var question question
	var output output
	var bad, good string
	var other otherVersion
	cmd := &cobra.Command{
		Use:   "diff FILE... [--faults 'SCHEDULE'] [--against 'SCHEDULE' | --with FILE]",
		Short: "Compare a broken execution with a good one",
		Long: `diff compares a bad execution with a good one. The bad one is that of --faults, or of the smallest set of faults that
breaks the promise. The good one is that of --against, or has no faults.

It names the first fact that differs, what follows from it, and for each fault what changes if it alone is undone.

With --with, --with-system or --with-name it compares two versions under the same faults.

Exit codes: 0 compared, or nothing breaks the promise, 2 wrong usage or input, 3 the time is up.`,
		Example: `  ldfi diff retry.ded
  ldfi diff retry.ded --faults 'crash a@2; omit a>c@1' --against 'omit a>c@1'
  ldfi diff retry.ded --with redundant.ded`,
		Args: question.needSubject,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := other.check(cmd, &question); err != nil {
				return err
			}
			if other.given() {
				return s.diffVersions(cmd, &question, &other, files, bad, output)
			}
			return s.ask(cmd, &question, files, func(ctx context.Context, o *subject.Opened) error {
				c := &comparison{opened: o}
				if err := c.schedules(ctx, cmd, bad, good); err != nil {
					return err
				}
				if c.searched != nil && c.searched.First() == nil {
					question.costs(&c.searched.Stats)
					s.code = exitCode(c.searched.Verdict)
					none := &result.Difference{Bad: result.Side{Verdict: c.searched.Verdict}, Text: []string{answertext.About(c.searched)}}
					page, err := answertext.Answer(c.searched, nil, answertext.Drawing{Style: terminalStyle()})
					if err != nil {
						return err
					}
					return s.writeResult(output, none, page.WriteText)
				}
				d, err := o.Diff(ctx, c.good, c.bad)
				if err != nil {
					return err
				}
				if c.searched == nil {
					return s.writeDifference(d, o.Bounds(), output, nil, nil)
				}
				return s.writeDifference(d, o.Bounds(), output, c.searched, c.searched.First())
			})
		},
	}
	question.addProtocol(cmd.Flags())
	question.addSystem(cmd.Flags())
	question.addFaults(cmd.Flags())
	question.addRuns(cmd.Flags(), 10_000, "execute a system at most `n` times to find faults")
	cmd.Flags().StringVar(&bad, "faults", "", "the `schedule` of the bad execution, for example 'crash a@2; omit a>c@1'")
	cmd.Flags().StringVar(&good, "against", "", "the `schedule` of the good one")
	other.add(cmd)
	output.add(cmd.Flags(), "text", "json", "dot", "mermaid")
	return cmd
}

// comparison has the two sides of a comparison.
type comparison struct {
	opened    *subject.Opened
	good, bad rounds.Schedule
	searched  *result.Answer // by which the bad one was found; nil if it was given
}

// schedules reads the two schedules, or finds them.
func (c *comparison) schedules(ctx context.Context, cmd *cobra.Command, bad, good string) (err error) {
	if c.bad, err = schedule("faults", bad, c.opened); err != nil {
		return err
	}
	if c.good, err = schedule("against", good, c.opened); err != nil {
		return err
	}
	if !cmd.Flags().Changed("faults") {
		if c.searched, err = c.opened.Search(ctx); err != nil || c.searched.First() == nil {
			return err
		}
		c.bad = c.searched.First().Schedule
	}
	if !cmd.Flags().Changed("against") {
		c.good = causality.Faultless(c.bad)
	}
	return nil
}

// writeDifference writes a difference in one of the output forms of diff.
func (s *session) writeDifference(d *result.Difference, b rounds.Bounds, output output, searched *result.Answer, set *result.Counterexample) error {
	switch output {
	case "dot":
		return causality.WriteDOT(s.out, d, b)
	case "mermaid":
		return causality.WriteMermaid(s.out, d, b)
	}
	page, err := answertext.Difference(d, b, searched, set, terminalStyle())
	if err != nil {
		return err
	}
	return s.writeResult(output, d, page.WriteText)
}
