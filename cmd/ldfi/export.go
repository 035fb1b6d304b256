package main

import (
	"context"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/spf13/cobra"
)

// exports are the files that export writes, by their flags, and the language of assertions, which it prints.
type exports struct{ formula, graph, facts, assertions string }

func (s *session) exportCommand() *cobra.Command {
	var question question
	var files exports
	var viewed viewed
	cmd := &cobra.Command{
		Use:   "export FILE...|--recording FILE --FORM FILE...",
		Short: "Write reasons or a recording for other tools",
		Long: `export writes why the promise holds or breaks, over all schedules within the bounds: as a formula, a graph, or facts.
Of a recording it writes what happened, for ShiViz, Jaeger, Graphviz, Mermaid, or as text.
With --assertions go it prints what a proof for any number of rounds (ldfi run --any-rounds) says, as functions over
facts for checks of your own.

Exit codes: 0 written, 2 wrong usage or input, 3 the time is up or a limit is met.`,
		Example: `  ldfi export retry.ded --formula retry.cnf --graph retry.dot --facts retry.mg
  ldfi export --recording recording.json --shiviz retry.log
  ldfi export kafka.ded --assertions go > invariant/invariant.go`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := viewed.check(cmd, args, &files); err != nil || viewed.recording != "" {
				return err
			}
			if err := needFiles("a file or --recording", 1)(cmd, args); err != nil {
				return err
			}
			switch files.assertions {
			case "go":
				return refuse(cmd, "does not go with --assertions, which is about any number of rounds", "formula", "graph", "facts")
			case "":
			default:
				return errUsage(cmd, fmt.Sprintf("--assertions %s: there is only go", files.assertions))
			}
			if files == (exports{}) {
				return errUsage(cmd, "export: say what to write: --formula, --graph or --facts with a file, or --assertions go")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if viewed.recording != "" {
				return viewed.write(s, files.graph)
			}
			return s.ask(cmd, &question, args, func(ctx context.Context, o *subject.Opened) error {
				if err := o.Idle(); err != nil {
					return err
				}
				if files.assertions != "" {
					return s.assert(ctx, o)
				}
				if err := checkWritten(o.Read(), files.formula, files.graph, files.facts); err != nil {
					return err
				}
				return files.write(ctx, o)
			})
		},
	}
	question.addProtocol(cmd.Flags())
	viewed.add(cmd.Flags())
	cmd.Flags().StringVar(&files.formula, "formula", "", "write the schedules that break the promise as a formula (DIMACS) to `file`")
	cmd.Flags().StringVar(&files.graph, "graph", "", "write facts and rules, or the events of a recording, as a graph (DOT) to `file`")
	cmd.Flags().StringVar(&files.facts, "facts", "", "write the same as Mangle facts to `file`")
	cmd.Flags().StringVar(&files.assertions, "assertions", "", "print what holds after every round as functions in this `language`: go")
	return cmd
}

// assert prints the proof for any number of rounds as functions.
func (s *session) assert(ctx context.Context, o *subject.Opened) error {
	proof, a, err := o.AsProtocol().Model().Invariant(ctx)
	switch {
	case err != nil:
		return err
	case a.Verdict == result.Violated:
		return fmt.Errorf("--assertions: there is no proof: %s", a.Rounds.Breaks())
	case proof == nil:
		s.code = exitCode(a.Verdict)
		fmt.Fprintf(s.stderr, "ldfi: --assertions: there is no proof: %s\n", a.Limit.Reason)
		return nil
	}
	return proof.WriteGo(s.out)
}

// write writes the files of the flags, after all of them are computed.
func (e *exports) write(ctx context.Context, o *subject.Opened) error {
	var all [3]bounded
	var writers [3]io.Writer
	for i, name := range []string{e.formula, e.graph, e.facts} {
		all[i].ctx, all[i].name, all[i].most = ctx, name, mostWritten
		if name != "" {
			writers[i] = &all[i]
		}
	}
	if err := o.AsProtocol().Model().Export(ctx, writers[0], writers[1], writers[2]); err != nil {
		return err
	}
	for i := range all {
		if all[i].name == "" {
			continue
		}
		if err := files.Replace(all[i].name, func(w io.Writer) error { _, err := all[i].text.WriteTo(w); return err }); err != nil {
			return err
		}
	}
	return nil
}
