package main

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// traced is the flags of hypotheses about the recording of a trace.
type traced struct{ recording, outcome string }

func (t *traced) add(flags *pflag.FlagSet) {
	flags.StringVar(&t.recording, "recording", "", "ask the recording of a trace in this `file`: which calls were needed")
	flags.StringVar(&t.outcome, "outcome", "", "of a recording: the `fact` to prevent; without it the end of the root span")
}

// check reports arguments that do not go together.
func (t *traced) check(cmd *cobra.Command, args []string) error {
	if t.recording == "" {
		return refuse(cmd, "is about the recording of a trace: name one by --recording", "outcome")
	}
	if len(args) > 0 {
		return errUsage(cmd, fmt.Sprintf("--recording and the file %s: there can be one of these", args[0]))
	}
	return alone(cmd, "recording", "outcome", "max", "output")
}

// alone refuses all flags except those that apply to a question about a recording.
func alone(cmd *cobra.Command, names ...string) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(names, f.Name) {
			err = errUsage(cmd, fmt.Sprintf("--%s does not go with --recording, which is of one execution", f.Name))
		}
	})
	return err
}

// cuts are the answer about a recording.
type cuts struct {
	Note string `json:"note"` // what the sets are good for, a sentence
	causality.Cuts
}

// ask lists the sets of calls whose loss would have prevented the outcome.
func (t *traced) ask(s *session, most int, output output) error {
	e, err := s.recording(t.recording)
	if err != nil {
		return err
	}
	var query *syntax.Query
	if t.outcome != "" {
		q, err := dedalus.ParseQuery(t.outcome)
		if err != nil {
			return fmt.Errorf("--outcome: %w", err)
		}
		query = &q
	}
	found, err := causality.Cut(e, query, most)
	if err != nil {
		return err
	}
	if len(found.Sets) > 0 {
		s.code = exitViolated
	}
	answer := cuts{causality.FromOneTrace, *found}
	if output == "json" {
		return text.WriteJSON(s.out, answer)
	}
	return found.WriteText(s.out)
}
