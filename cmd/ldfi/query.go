package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/spf13/cobra"
)

func (s *session) queryCommand() *cobra.Command {
	var output output
	cmd := &cobra.Command{
		Use:   "query RECORDING... 'RULE'...",
		Short: "Evaluate Mangle rules over recorded executions",
		Long: `query prints every fact that rules derive from recordings. A recording is what run and inject write with
--output json or --facts, and what go test -artifacts keeps; - is standard input. An argument with a ( is a rule.

The rules are Datalog in the language of Mangle: variables are in upper case, ! is negation, and a rule ends with a
dot. The facts of a recording have the round as a further last column. Besides there are

  eot(Rounds)                        sent(From, To, Kind, Text, Round)
  round(Round)                       delivered(From, To, Kind, Text, Round)
  process(Process)                   lost(From, To, Kind, Text, Round)
  before(Process, Process)           isolated(Process, Round)
  crashed(Process, Round)            paused(Process, Round)
  crashed_at(Process, Point, Round)  parted(Process, Process, Round)
  restarted(Process, Round)

A relation that the recording lacks is empty.

Exit codes: 0 evaluated, 2 wrong usage or input, 3 the time is up, or the facts take too much memory.`,
		Example: `  ldfi query recording.json 'late(P, V, R) :- log(P, V, R), R > 2'
  ldfi query before.json after.json 'gone(F, T, R) :- lost(F, T, _, _, R)'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, asked, err := queryArguments(args)
			if err != nil {
				return err
			}
			tables, err := s.tables(files)
			if err != nil && s.disk == nil {
				return otherwise(cmd, files, err)
			}
			if err != nil {
				return err
			}
			derived, err := query(cmd.Context(), tables, asked)
			if err != nil {
				return err
			}
			return s.writeResult(output, derivedFacts{derived}, func(w io.Writer) error { return writeDerived(w, derived, len(tables) > 1) })
		},
	}
	cmd.Flags().Duration("timeout", 0, "stop after this `time` (for example 30s)")
	addMemory(cmd.Flags(), "")
	output.add(cmd.Flags(), "text", "json")
	return cmd
}

// queryArguments separates the recordings from the rules, and returns the rules one below
// the other.
func queryArguments(args []string) (files []string, text string, err error) {
	isRule := func(arg string) bool { return strings.Contains(arg, "(") }
	first := slices.IndexFunc(args, isRule)
	if first < 1 {
		return nil, "", errors.New("ldfi query needs a recording and a rule\nsee ldfi query --help")
	}
	for _, rule := range args[first:] {
		if !isRule(rule) {
			return nil, "", fmt.Errorf("ldfi query: %q is no rule, and recordings come before the rules", rule)
		}
		text += quoteConstants(strings.TrimSuffix(strings.TrimRight(rule, " \t\r\n"), ".")) + ".\n"
	}
	return args[:first], text, nil
}

// bare matches a text in quotes, or a word that begins with a small letter, with the
// characters around it if they make the word a column or one side of a comparison.
var bare = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`|([(,=<>]\\s*)([a-z][A-Za-z0-9_]*)(\\s*(?:[,)=<>!]|$))")

// quoteConstants puts quotes around constants without them, which are how the names of
// processes are written everywhere else. Such a word has no other meaning in these rules.
func quoteConstants(rule string) string {
	for {
		quoted := bare.ReplaceAllStringFunc(rule, func(part string) string {
			if m := bare.FindStringSubmatch(part); m[2] != "" {
				return m[1] + `"` + m[2] + `"` + m[3]
			}
			return part
		})
		if quoted == rule { // the end of one word can begin the next
			return rule
		}
		rule = quoted
	}
}

// derivedFacts is what rules derive.
type derivedFacts struct {
	Facts []derivedFact `json:"facts"` // of one recording after the other, those of each sorted
}

// derivedFact is a fact that rules derive from a recording.
type derivedFact struct {
	Recording string        `json:"recording"` // the name of the file, with the number of the counterexample where it has several
	Relation  string        `json:"relation"`  // its name, as the rules have it
	Args      []specs.Value `json:"args"`      // its arguments
	text      string        // as it is shown to people
}

// writeDerived writes facts one a line, behind the name of the recording if there are
// several.
func writeDerived(w io.Writer, facts []derivedFact, several bool) error {
	for _, f := range facts {
		if several {
			f.text = f.Recording + ": " + f.text
		}
		if _, err := fmt.Fprintln(w, text.Safe(f.text)); err != nil {
			return fmt.Errorf("writing the facts: %w", err)
		}
	}
	return nil
}

// query evaluates rules over each of the tables.
func query(ctx context.Context, tables []table, text string) ([]derivedFact, error) {
	all := []derivedFact{}
	for _, t := range tables {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		facts, err := datalog.Query(ctx, t.facts, text)
		if err != nil && len(tables) > 1 {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		if err != nil {
			return nil, err
		}
		var processes []string
		for _, f := range t.facts {
			if f.Relation == "process" {
				processes = append(processes, f.Args[0].Text())
			}
		}
		for _, f := range facts {
			all = append(all, derivedFact{t.name, f.Relation, append([]specs.Value{}, f.Args...), recording.Display(f, processes)})
		}
	}
	return all, nil
}

// signatures returns the relations that every recording has, one a line.
func signatures() string {
	var b strings.Builder
	for _, r := range datalog.Environment {
		fmt.Fprintf(&b, "\n  %s", r)
	}
	return strings.TrimPrefix(b.String(), "\n  ")
}
