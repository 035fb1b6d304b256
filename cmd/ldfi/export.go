package main

import (
	"context"
	"io"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/spf13/cobra"
)

// exports are the files that export writes, by their flags.
type exports struct{ formula, graph, facts string }

func (s *session) exportCommand() *cobra.Command {
	var question question
	var files exports
	var viewed viewed
	cmd := &cobra.Command{
		Use:   "export FILE...|--recording FILE --FORM FILE...",
		Short: "Write reasons or a recording for other tools",
		Long: `export writes why the promise holds or breaks, over all schedules within the bounds: as a formula, a graph, or facts.
Of a recording it writes what happened, for ShiViz, Jaeger, Graphviz, Mermaid, or as text.

Exit codes: 0 written, 2 wrong usage or input, 3 the time is up or a limit is met.`,
		Example: `  ldfi export retry.ded --formula retry.cnf --graph retry.dot --facts retry.mg
  ldfi export --recording recording.json --shiviz retry.log`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := viewed.check(cmd, args, &files); err != nil || viewed.recording != "" {
				return err
			}
			if err := needFiles("a file or --recording", 1)(cmd, args); err != nil {
				return err
			}
			if files == (exports{}) {
				return errUsage(cmd, "export: say what to write: --formula, --graph or --facts with a file")
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
	return cmd
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
