package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/spf13/cobra"
)

func (s *session) queryCommand() *cobra.Command {
	var output output
	cmd := &cobra.Command{
		Use:   "query RECORDING 'RULE'...",
		Short: "Evaluate Mangle rules over a recorded execution",
		Long: `query reads a recording, as inject --output json and go test -artifacts write it, and prints every fact that the rules
derive from it, sorted, one a line. RECORDING is - for standard input.

The rules are Datalog in the language of Mangle: variables are in upper case, ! is negation, and a rule ends with a dot,
which may be left out behind the last. They read the facts of the recording, with the round as a further last column, and

  ` + strings.Join(recording.Environment, "\n  ") + `

which docs/results.md explains. A relation that the recording has no facts of is empty. A relation of the system that has one of
these names has _ behind it in rules, and a name that begins with a capital begins with a small letter.

Exit codes: 0 evaluated, whether or not there are facts; 2 wrong usage or input.`,
		Example: `  ldfi query recording.json 'late(P, V, R) :- log(P, V, R), R > 2'
  ldfi inject testdata/protocols/delivery/retry.ded --output json | ldfi query - 'n(N) :- lost(F, T, K, V, R) |> do fn:group_by(), let N = fn:count()'`,
		Args: needFiles("a recording and a rule", 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := output.check("text", "json"); err != nil {
				return err
			}
			e, err := s.recording(args[0])
			if err != nil {
				return err
			}
			var t recording.Tabulator
			table, err := t.Table(e)
			if err != nil {
				return err
			}
			facts, err := rules.Query(table, joined(args[1:]))
			if err != nil {
				return err
			}
			if output == "json" {
				return writeJSON(s.out, derivedJSON(facts))
			}
			for _, f := range facts {
				if _, err := fmt.Fprintln(s.out, recording.Display(f, e.Bounds.Processes)); err != nil {
					return fmt.Errorf("writing the facts: %w", err)
				}
			}
			return nil
		},
	}
	output.add(cmd.Flags(), "text or json")
	return cmd
}

// recording reads a recorded execution from a file, or for "-" from standard
// input: as JSON, also within what inject writes, or as JSON lines.
func (s *session) recording(name string) (*recording.Execution, error) {
	var data []byte
	var err error
	if name == "-" {
		name = "standard input"
		data, err = io.ReadAll(s.in)
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a recording: %w", err)
	}
	e, err := parseRecording(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return e, nil
}

func parseRecording(data []byte) (*recording.Execution, error) {
	var first struct { // of all forms
		Lines     int             `json:"ldfi"`
		Execution json.RawMessage `json:"execution"`
	}
	err := json.NewDecoder(bytes.NewReader(data)).Decode(&first)
	switch {
	case err == nil && first.Lines != 0:
		return recording.ReadLines(bytes.NewReader(data))
	case err == nil && len(first.Execution) > 0:
		return recording.ReadExecution(bytes.NewReader(first.Execution))
	}
	return recording.ReadExecution(bytes.NewReader(data))
}

// joined returns rules one below the other, each with the dot behind it.
func joined(rules []string) string {
	var text strings.Builder
	for _, rule := range rules {
		rule = strings.TrimRight(rule, " \t\r\n")
		text.WriteString(rule)
		if !strings.HasSuffix(rule, ".") {
			text.WriteByte('.')
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// derivedFact is a fact that rules derive, as JSON.
type derivedFact struct {
	Relation string `json:"relation"`
	Args     []any  `json:"args"`
}

func derivedJSON(facts []recording.Fact) any {
	result := struct {
		Facts []derivedFact `json:"facts"`
	}{[]derivedFact{}}
	for _, f := range facts {
		args := make([]any, len(f.Args))
		for i, v := range f.Args {
			if args[i] = v.Text(); v.IsInt() {
				args[i] = v.Int()
			}
		}
		result.Facts = append(result.Facts, derivedFact{f.Relation, args})
	}
	return result
}
