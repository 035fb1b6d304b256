package main

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/spf13/cobra"
)

func (s *session) importCommand() *cobra.Command {
	var output output
	var id string
	var d drawing
	cmd := &cobra.Command{
		Use:   "import otlp FILE",
		Short: "Make a recording of a trace of a real service",
		Long: `import shows a trace in OpenTelemetry's JSON (OTLP) as an execution: a process for each service, a message for each
call and for its answer. With --output json it writes a recording, for query, why, export, report and hypotheses.
The file - is standard input.

Rounds follow from what led to what; clocks of different machines are not compared.
One trace says nothing of what else could happen.

Exit codes: 0 read, 2 wrong usage or input.`,
		Example: `  ldfi import otlp trace.json --output json > recording.json
  ldfi hypotheses --recording recording.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errUsage(cmd, "import needs the form of a trace (otlp) and a file")
			}
			switch args[0] {
			case "otlp":
			case "jaeger":
				return errUsage(cmd, "import reads OTLP: Jaeger answers http://HOST:16686/api/v3/traces/ID with a trace in OTLP, which ldfi import otlp FILE reads")
			default:
				return errUsage(cmd, fmt.Sprintf("there is no form of traces %q%s: there is otlp", args[0], text.DidYouMean(args[0], []string{"otlp"})))
			}
			return d.fits(cmd, output)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			name, data, err := s.read(args[1])
			if err != nil {
				return fmt.Errorf("reading a trace: %w", err)
			}
			all, err := causality.ReadOTLP(data)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			trace, err := causality.NewTrace(all, id)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			e, err := trace.Recording()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			for _, note := range trace.Notes {
				fmt.Fprintf(s.err, "%s: warning: %s\n", name, note)
			}
			if output == "json" {
				return text.WriteJSON(s.out, e)
			}
			s.unseen(&d, e)
			return answertext.Draw(s.out, e, nil, d.Drawing)
		},
	}
	cmd.Flags().StringVar(&id, "trace", "", "the `identifier` of the trace, if the file has several")
	d.add(cmd.Flags())
	output.add(cmd.Flags(), "text", "json")
	return cmd
}
