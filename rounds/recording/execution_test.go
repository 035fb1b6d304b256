package recording_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/mangle/ast"
	"github.com/google/mangle/parse"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// strange is an execution with everything that is hard to write.
func strange(t *testing.T) *recording.Execution {
	t.Helper()
	b := rounds.Bounds{Processes: []string{"a", "参", "3"}, EOT: 4, EFF: 4, Crashes: rounds.Unlimited, Isolations: 2, Period: 3, CrashStop: true}
	e := oracle.Play(t, b, "crash a@2; isolate 3@2..3; isolate 参@4", []string{"a", "参", "log", "x>y"}, []string{"", "3", "tick"}, []string{"参", "3", "Log.2"})
	text := func(s string) specs.Value { return specs.String(s) }
	e.Facts = []recording.Fact{
		{Relation: "post", Args: []specs.Value{text("a"), specs.Int(-7), text("-7")}, Round: 4},
		{Relation: "post", Args: []specs.Value{text("\\\"'`\t\n\r\x00\x7f"), specs.Int(9223372036854775807), text("é参\u2028")}, Round: 4},
		{Relation: "post", Args: []specs.Value{text("not \xff UTF-8"), specs.Int(-9223372036854775808), text("<&>")}, Round: 3},
		{Relation: "Poster", Args: []specs.Value{text("")}, Round: 1},
		{Relation: "post_", Round: 1}, {Relation: "sent", Round: 1}, {Relation: "let", Round: 1}, {Relation: "_?@.x", Round: 1}, {Relation: "élan", Round: 1},
		{Relation: "post", Args: []specs.Value{text("a"), specs.Int(-7), text("-7")}, Round: 4},
	}
	e.Sort()
	require.Len(t, e.Facts, 9, "each once")
	require.NoError(t, e.Validate())
	return e
}

func TestExecutionJSON(t *testing.T) {
	for name, e := range map[string]*recording.Execution{
		"strange": strange(t),
		"retry":   oracle.Play(t, rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 3, EFF: 3, Crashes: 1}, "crash a@2; omit a>c@1", []string{"a", "b", "log"}, []string{"a", "c", "log"}),
		"empty":   {Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 1, Period: 1}},
	} {
		var out bytes.Buffer
		require.NoError(t, text.WriteJSON(&out, e))
		golden.Equal(t, "json/"+name+".json", out.Bytes())
		again, err := recording.ReadExecution(bytes.NewReader(out.Bytes()))
		require.NoError(t, err)
		var rewritten bytes.Buffer
		require.NoError(t, text.WriteJSON(&rewritten, again))
		require.Equal(t, out.String(), rewritten.String())
		require.Equal(t, e.Schedule, again.Schedule)
		if name != "empty" {
			require.Equal(t, e.Messages, again.Messages)
		}
	}
}

func TestReadExecutionErrors(t *testing.T) {
	bounds := `"bounds": {"processes":["a","b"],"eot":3,"crashes":1,"omissions":"unlimited","isolations":0,"period":1,"crash":"mute"}`
	for text, message := range map[string]string{
		"":                                 "reading an execution: the text ends too early",
		"{\n\"version\": 1,":               "reading an execution: the text ends too early",
		"{\n\"version\": x}":               "reading an execution: line 2: invalid character 'x' looking for beginning of value",
		"{\n\"version\": \"one\"}":         "reading an execution: line 2: cannot unmarshal string into Go struct field recordJSON.version of type int",
		`{"version": 2}`:                   "reading an execution: its version is 2, and only version 1 can be read",
		`{"version": 1, "fact": []}`:       `reading an execution: unknown field "fact"`,
		`{"version": 1}`:                   "reading an execution: bounds: there are no processes; name at least one, as in processes=a,b,c\nbounds: eot=0: there has to be at least one round, as in eot=6",
		`{"version": 1, ` + bounds + `} x`: "reading an execution: line 1: there is something behind its end",
		`{"version": 1, ` + bounds + `, "schedule": "crash x@1"}`:                                                                              `reading an execution: schedule: crash x@1: there is no process "x": the processes are a, b`,
		`{"version": 1, ` + bounds + `, "facts": [{"relation":"p","args":[1.5],"round":1}]}`:                                                   "reading an execution: fact: a value is an integer or a string, and not 1.5",
		`{"version": 1, ` + bounds + `, "facts": [{"relation":"p","args":[null],"round":1}]}`:                                                  "reading an execution: fact: a value is an integer or a string, and not null",
		`{"version": 1, ` + bounds + `, "facts": [{"relation":"p","args":[7],"round":4}]}`:                                                     "reading an execution: fact p(7)@4: there is no round 4, the rounds are 1 to 3 (eot=3)",
		`{"version": 1, ` + bounds + `, "messages": [{"from":"x","to":"b","relation":"p","args":[],"round":1}]}`:                               `reading an execution: message p()@1 from x: there is no process "x": the processes are a, b`,
		`{"version": 1, ` + bounds + `, "messages": [{"from":"a","to":"b","relation":"p","args":[],"round":1,"lost":"crash a@1; crash b@1"}]}`: `reading an execution: message: one fault loses it, and not 2: crash a@1; crash b@1`,
		`{"version": 1, "bounds": {"crashes": -3}}`:                                                                                            `reading an execution: bounds: a budget is a whole number, 0 or more, or "unlimited", and not -3`,
		`{"version": 1, "bounds": {"crash": "boom"}}`:                                                                                          `reading an execution: bounds: crash is mute or stop, and not "boom"`,
	} {
		_, err := recording.ReadExecution(strings.NewReader(text))
		require.EqualError(t, err, message)
	}
}

func TestExecutionMangle(t *testing.T) {
	e := strange(t)
	var out bytes.Buffer
	require.NoError(t, datalog.WriteMangle(&out, e))
	golden.Equal(t, "mangle/strange.mg", out.Bytes())

	unit, err := parse.Unit(strings.NewReader(out.String()))
	require.NoError(t, err)
	read := map[string][][]ast.BaseTerm{}
	for _, clause := range unit.Clauses {
		require.Empty(t, clause.Premises)
		read[clause.Head.Predicate.Symbol] = append(read[clause.Head.Predicate.Symbol], clause.Head.Args)
	}
	names := map[string]string{
		"post": "post", "Poster": "poster", "post_": "post_", "sent": "sent_", "let": "let_", "_?@.x": "r____x", "élan": "r_lan",
	}
	for _, f := range e.Facts {
		want := []ast.BaseTerm{}
		for _, arg := range f.Args {
			switch {
			case arg.IsInt():
				want = append(want, ast.Number(arg.Int()))
			case strings.Contains(arg.Text(), "\xff"):
				want = append(want, ast.Bytes([]byte(arg.Text())))
			default:
				want = append(want, ast.String(arg.Text()))
			}
		}
		want = append(want, ast.Number(int64(f.Round)))
		require.Contains(t, read[names[f.Relation]], want, "%s", f)
	}
	require.Len(t, read["process"], 3)
	require.Len(t, read["sent"], 12)
	require.Contains(t, read["lost"], []ast.BaseTerm{ast.String("a"), ast.String("参"), ast.String("log"), ast.String("x>y"), ast.Number(2)})
	require.Equal(t, [][]ast.BaseTerm{{ast.String("a"), ast.Number(2)}}, read["crashed"])
	require.Len(t, read["isolated"], 3)

	var tabulator datalog.Tabulator
	want, err := tabulator.Table(e)
	require.NoError(t, err)
	table, err := datalog.ReadMangle(&out)
	require.NoError(t, err)
	require.ElementsMatch(t, want, table)
}

// Two relations that rules could not tell apart are never taken for one.
func TestRelationsOfOneName(t *testing.T) {
	e := strange(t)
	e.Facts = append(e.Facts, recording.Fact{Relation: "Post", Round: 4})
	message := `the relations "Post" and "post" would both be post in rules: give one of them another name`
	require.EqualError(t, datalog.WriteMangle(io.Discard, e), "writing the facts of an execution: "+message)
	reading := datalog.Tabulator{Reads: map[string]int{"poster": 2}}
	facts, err := reading.Table(e)
	require.NoError(t, err)
	require.Len(t, facts, 1)
}

func TestReadMangleErrors(t *testing.T) {
	for text, message := range map[string]string{
		"\n# x\nleader(a, 1).":          "line 3: leader: a value is an integer or a string, and not a, 1",
		"leader(\"a\", 1)":              `line 1: a line has one fact, as in sent("a", "b", "log", "hello", 1)., and not leader("a", 1)`,
		"leader(\"a\" 1).":              "line 1: leader: there is no comma before 1",
		"leader(\"a\",).":               "line 1: leader: a value is an integer or a string, and not ",
		"leader(\"\\q\").":              `line 1: leader: a value is an integer or a string, and not "\q"`,
		"leader(12345678901234567890).": "line 1: leader: a value is an integer or a string, and not 12345678901234567890",
	} {
		_, err := datalog.ReadMangle(strings.NewReader(text))
		require.EqualError(t, err, message)
	}
	facts, err := datalog.ReadMangle(strings.NewReader(" up() . # all of it\nleader( \"a\" ,-1 ). # in none"))
	require.ErrorContains(t, err, "line 1: a line has one fact")
	require.Empty(t, facts)
}

// full is a writer that takes so many bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestExecutionWriteErrors(t *testing.T) {
	e := strange(t)
	var f full
	require.EqualError(t, e.WriteLines(&f), "writing the execution: disk full")
	require.EqualError(t, datalog.WriteMangle(&f, e), "writing the facts of an execution: disk full")
	require.EqualError(t, diagram.Write(&f, e, diagram.Options{}), "writing the diagram: disk full")
}

func FuzzReadExecution(f *testing.F) {
	for _, text := range []string{
		"", "{}", `{"version": 1, "bounds": {"processes":["a","b"],"eot":3,"crashes":1,"omissions":"unlimited","isolations":0,"period":1,"crash":"mute"},
  "schedule": "crash a@2; omit a>b@1",
  "facts": [{"relation":"log","args":["a",7,{"bytes":"/w=="}],"round":1}],
  "messages": [{"from":"a","to":"b","round":1,"relation":"log","args":["b",7],"lost":"omit a>b@1"}, {"to":"b","round":1,"relation":"log","args":[]}]
}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := recording.ReadExecution(strings.NewReader(s))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		var out, again, other bytes.Buffer
		require.NoError(t, text.WriteJSON(&out, e))
		read, err := recording.ReadExecution(bytes.NewReader(out.Bytes()))
		require.NoError(t, err)
		require.NoError(t, text.WriteJSON(&again, read))
		require.Equal(t, out.String(), again.String())
		if err := datalog.WriteMangle(&other, e); err != nil {
			require.ErrorContains(t, err, "in rules: give one of them another name")
		} else {
			_, err := datalog.ReadMangle(&other)
			require.NoError(t, err)
		}
		require.NoError(t, diagram.Write(&other, e, diagram.Options{All: true}))
	})
}
