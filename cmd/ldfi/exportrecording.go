package main

import (
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// viewed has the files of an export of one recording for viewers of other projects.
type viewed struct{ recording, shiviz, otlp, mermaid, diagram string }

func (v *viewed) add(flags *pflag.FlagSet) {
	flags.StringVar(&v.recording, "recording", "", "write the recording in this `file`, in place of the lineage of a program")
	flags.StringVar(&v.shiviz, "shiviz", "", "write the recording as a log with vector clocks for ShiViz to `file`")
	flags.StringVar(&v.otlp, "otlp", "", "write the recording as a trace (OTLP in JSON, as for Jaeger) to `file`")
	flags.StringVar(&v.mermaid, "mermaid", "", "write the recording as a sequence diagram in the language of Mermaid to `file`")
	flags.StringVar(&v.diagram, "diagram", "", "write the recording as a space-time diagram in text to `file`")
}

// check reports arguments that do not go together.
func (v *viewed) check(cmd *cobra.Command, args []string, files *exports) error {
	switch {
	case v.recording == "":
		return refuse(cmd, "is about a recording: name one by --recording", "shiviz", "otlp", "mermaid", "diagram")
	case len(args) > 0:
		return errUsage(cmd, fmt.Sprintf("--recording and the file %s: there can be one of these", args[0]))
	case *v == (viewed{recording: v.recording}) && files.graph == "":
		return errUsage(cmd, "export: say what to write: --shiviz, --otlp, --graph, --mermaid or --diagram with a file")
	}
	return alone(cmd, "recording", "shiviz", "otlp", "mermaid", "diagram", "graph")
}

// write writes the files of the flags, after the recording was checked.
func (v *viewed) write(s *session, graph string) error {
	e, err := s.recording(v.recording)
	if err != nil {
		return err
	}
	if err := checkWritten([]string{v.recording}, v.shiviz, v.otlp, graph, v.mermaid, v.diagram); err != nil {
		return err
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer, *recording.Execution) error
	}{
		{v.shiviz, causality.WriteShiViz},
		{v.otlp, causality.WriteOTLP},
		{graph, causality.WriteEventDOT},
		{v.mermaid, func(w io.Writer, e *recording.Execution) error { return diagram.WriteMermaid(w, e, diagram.Options{}) }},
		{v.diagram, func(w io.Writer, e *recording.Execution) error { return diagram.Write(w, e, diagram.Options{}) }},
	} {
		if f.name == "" {
			continue
		}
		if err := files.Replace(f.name, func(w io.Writer) error { return f.write(w, e) }); err != nil {
			return err
		}
	}
	return nil
}
