package explain_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the scripts in testdata should print")

// TestScripts runs the scripts in testdata. A script is prose (lines that begin
// with #) and commands (lines that begin with >), each followed by what it
// prints:
//
//	> program FILE               the program of what follows, from testdata
//	> faults SCHEDULE            the faults of what follows
//	> why|all|dot|json QUERY     explains facts, as text, with all alternatives, ...
//	> shallow QUERY              explains facts, one level deep
//	> reason FACT [while FACT]   the short reason
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	for _, file := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			got := runScript(t, string(text))
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(text), got, "run with -update if this is as it should be")
		})
	}
}

// runScript runs the commands of a script and returns it with what they print.
func runScript(t *testing.T, text string) string {
	var out bytes.Buffer
	s := &script{t: t}
	printed := false
	for line := range strings.Lines(text) {
		command, isCommand := strings.CutPrefix(line, "> ")
		switch {
		case isCommand:
			out.WriteString(line)
			if s.run(&out, strings.TrimSpace(command)) {
				out.WriteString("\n")
			}
			printed = true
		case strings.HasPrefix(line, "#"), !printed:
			out.WriteString(line)
			printed = false
		}
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

type script struct {
	t        *testing.T
	program  *dedalus.Program
	bounds   rounds.Bounds
	schedule rounds.Schedule
}

// run runs a command and tells whether it printed something.
func (s *script) run(out *bytes.Buffer, command string) bool {
	verb, rest, _ := strings.Cut(command, " ")
	var err error
	switch verb {
	case "program":
		s.program, err = dedalus.Parse(filepath.Join("testdata", rest))
		require.NoError(s.t, err)
		s.bounds, _, err = rounds.BoundsOf(s.program, nil)
		require.NoError(s.t, err)
		s.schedule = rounds.Schedule{}
		return false
	case "faults":
		s.schedule, err = rounds.ParseSchedule(rest)
		require.NoError(s.t, err)
		return false
	}
	if err := s.explain(out, verb, rest); err != nil {
		fmt.Fprintf(out, "error: %s\n", err)
	}
	return true
}

func (s *script) explain(out *bytes.Buffer, verb, text string) error {
	if verb == "reason" {
		return s.reason(out, text)
	}
	q, err := dedalus.ParseQuery(text)
	if err != nil {
		return err
	}
	world, err := worldOf(s.program, s.bounds, s.schedule)
	if err != nil {
		return err
	}
	levels := 0
	if verb == "shallow" {
		levels = 1
	}
	e, err := explain.New(world).Explain(q, explain.Limits{All: verb == "all", Levels: levels})
	if err != nil {
		return err
	}
	switch verb {
	case "dot":
		return e.WriteDOT(out)
	case "json":
		return e.WriteJSON(out)
	default:
		return e.WriteText(out)
	}
}

func (s *script) reason(out *bytes.Buffer, text string) error {
	world, err := worldOf(s.program, s.bounds, s.schedule)
	if err != nil {
		return err
	}
	var all []explain.Question
	for _, text := range strings.Split(text, " and ") {
		var facts []recording.Fact
		for _, text := range strings.Split(text, " while ") {
			q, err := dedalus.ParseQuery(text)
			if err != nil {
				return err
			}
			f := recording.Fact{Relation: q.Relation, Round: q.Round}
			for _, a := range q.Args {
				f.Args = append(f.Args, a.Value)
			}
			facts = append(facts, f)
		}
		all = append(all, explain.Question{Fact: facts[0], While: facts[1:]})
	}
	fmt.Fprintln(out, strings.Join(explain.New(world).Reason(all...), "\n"))
	return nil
}

// worldOf evaluates a program, within bounds that have the schedule in them, and
// returns its world.
func worldOf(p *dedalus.Program, b rounds.Bounds, s rounds.Schedule) (*provenance.World, error) {
	g, err := provenance.Evaluate(context.Background(), p, provenance.Covering(p, b, s), provenance.Options{})
	if err != nil {
		return nil, err
	}
	return g.Under(s)
}
