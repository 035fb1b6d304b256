package suite_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/jacoelho/xsd"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// ask returns the answer to a question about a protocol, as if it had taken no
// time.
func ask(t testing.TB, file string) *result.Answer {
	t.Helper()
	opened, err := (&subject.Protocol{Files: []string{"testdata/protocols/" + file}}).Open(t.Context())
	require.NoError(t, err)
	defer opened.Close()
	a, err := opened.Search(t.Context())
	require.NoError(t, err)
	a.Stats.Times = result.Times{}
	return a
}

// paused is the answer of a system: a lease that two processes hold after a pause.
func paused(t testing.TB) *result.Answer {
	t.Helper()
	s, err := rounds.ParseSchedule("seed 7; pause b@2..3")
	require.NoError(t, err)
	bounds := rounds.Bounds{Processes: []string{"a", "b"}, EOT: 4, Pauses: 1}
	return &result.Answer{
		Verdict: result.Violated, Scope: result.ScopeOf(bounds), Stats: result.Stats{Executions: 12},
		Counterexamples: []result.Counterexample{{Schedule: s, Size: 1, Violations: []result.Violation{{Property: "one_holder", Text: `one_holder("a", "b") in round 4`}, {Property: "one_holder", Text: `one_holder("b", "a") in round 4`}}, Execution: &recording.Execution{
			System: "lease", Bounds: bounds, Schedule: s,
			Messages: []recording.Message{
				{From: "a", To: "b", Round: 1, Relation: "grant"},
				{From: "a", To: "b", Round: 2, Relation: "revoke", Arrival: 4},
				{From: "b", To: "a", Round: 4, Relation: "write"},
			},
		}}},
	}
}

// everything is a report with a case of every kind. It has to be called in the
// root of the repository.
func everything(t testing.TB) *suite.Report {
	t.Helper()
	two := 2
	r := &suite.Report{Version: 1, Suite: "ci/ldfi.yaml", Total: 8, Warnings: []string{"ci/old.txt: no case keeps this schedule any more"}, Cases: []suite.CaseResult{
		{Name: "redundant", Expect: result.Holds, Answer: ask(t, "delivery/redundant.ded"), Outcome: suite.Pass},
		{
			Name: "retry", Expect: result.Holds, Answer: ask(t, "delivery/retry.ded"), Outcome: suite.Fail,
			Differs: `violated, and expected to hold: post(b, "hello") is missing at round 6 while pre(b, "hello") holds`, Again: "ldfi inject testdata/protocols/delivery/retry.ded --faults 'crash a@2; omit a>b@1'",
			NewKept: "ci/testdata/ldfi/retry.txt",
		},
		{
			Name: "simple", Expect: result.Violated, Answer: ask(t, "delivery/simple.ded"), Outcome: suite.Pass,
			Again: "ldfi inject testdata/protocols/delivery/simple.ded --faults 'omit a>b@1'", Cached: true,
		},
		{Name: "fixed", Expect: result.Violated, ExpectFaults: &two, Answer: ask(t, "delivery/redundant.ded"), Outcome: suite.Fail, Differs: "holds, and expected to be violated"},
		{
			Name: "large", Expect: result.Holds, Outcome: suite.Inconclusive, Differs: "inconclusive, and expected to hold: the time is up (budget)",
			Answer: &result.Answer{Verdict: result.Inconclusive, Limit: &result.Limit{Reason: "the time is up (budget)"}, Scope: ask(t, "delivery/redundant.ded").Scope},
		},
		{Name: "broken", Expect: result.Holds, Error: "testdata/protocols/broken.ded:3:7: there is no relation lgo; is it log?", Outcome: suite.Error},
		{
			Name: "vacuous", Expect: result.Holds, Answer: ask(t, "traps/vacuous_pre.ded"), Outcome: suite.Fail,
			Differs: "holds, as expected, but the promise is vacuous: pre has no fact; if that is meant, the case says vacuous: yes",
		},
		{Name: "nothing without faults", Expect: result.Violated, Answer: ask(t, "traps/vacuous_post.ded"), Outcome: suite.Pass},
		{
			Name: "lease", Expect: result.Holds, Answer: paused(t), Outcome: suite.Fail, Differs: `violated, and expected to hold: one_holder("a", "b") in round 4`,
			Kept: []suite.KeptResult{{File: "ci/testdata/ldfi/lease.txt", Outcome: suite.Misfit, Reason: "there is no process c"}},
		},
	}}
	for i := range r.Cases {
		r.Cases[i].Index, r.Cases[i].Position = i, specs.Position{File: "ci/ldfi.yaml", Line: 3 + 4*i, Column: 5}
	}
	return r
}

// checkSARIF checks a log against the schema of the standard.
func checkSARIF(t testing.TB, log []byte) {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	require.NoError(t, err)
	schema, err := sarifSchema()
	require.NoError(t, err)
	require.NoError(t, schema.Validate(instance), string(log))
}

// checkJUnit checks a document against the schema, and as XML.
func checkJUnit(t testing.TB, document []byte) {
	t.Helper()
	schema, err := junitSchema()
	require.NoError(t, err)
	require.NoError(t, schema.Validate(bytes.NewReader(document)), string(document))
	d := xml.NewDecoder(bytes.NewReader(document))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else {
			require.NoError(t, err)
		}
	}
}

// checkMarkdown checks that a document has one table with a row for each case,
// and nothing of what only hostile names could bring into it.
func checkMarkdown(t testing.TB, r *suite.Report, document []byte) {
	t.Helper()
	require.True(t, utf8.Valid(document))
	sections, found := 0, 0
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(document))
	require.NoError(t, ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *tables.Table:
			found++
			require.Equal(t, 1+len(r.Cases), n.ChildCount(), string(document))
			for row := n.FirstChild(); row != nil; row = row.NextSibling() {
				require.Equal(t, 6, row.ChildCount(), string(document))
			}
		case *ast.Heading:
			if n.Level == 3 {
				sections++
			}
		case *ast.Link, *ast.Image, *ast.RawHTML, *ast.HTMLBlock, *ast.CodeBlock, *ast.ThematicBreak, *ast.Blockquote, *tables.Strikethrough:
			t.Fatalf("there is a %s in:\n%s", n.Kind(), document)
		case *ast.FencedCodeBlock:
			require.Contains(t, []string{"mermaid", "sh"}, string(n.Language(document)))
		}
		return ast.WalkContinue, nil
	}))
	require.Equal(t, 1, found, string(document))
	require.Equal(t, len(r.Cases)-r.Count(suite.Pass), sections, string(document))
}

// command is what a line of annotations has to be.
var command = regexp.MustCompile(`^::(error|warning) file=([^:,\n\r]*),line=\d+,col=\d+,title=[^:,\n\r]*::[^\n\r]*$`)

func checkAnnotations(t testing.TB, lines []byte) {
	t.Helper()
	for line := range strings.Lines(string(lines)) {
		require.Regexp(t, command, strings.TrimSuffix(line, "\n"))
		require.NotRegexp(t, `%($|[^203])`, line)
	}
}

// The schemas, read once.
var (
	sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
		return jsonschema.NewCompiler().Compile(schemas + "/sarif-schema-2.1.0.json")
	})
	junitSchema = sync.OnceValues(func() (*xsd.Schema, error) {
		return xsd.CompileFile(schemas+"/junit.xsd", xsd.NewSourceOptions(), xsd.NewBuildOptions())
	})
)

// schemas is where the schemas are.
var schemas = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir + "/testdata/schema"
}()

// write returns what an output writes.
func write(t testing.TB, output func(io.Writer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, output(&out))
	return out.Bytes()
}

func sarif(r *suite.Report) func(io.Writer) error {
	return func(w io.Writer) error { return r.WriteSARIF(w, "v1.2.3") }
}

func TestOutputs(t *testing.T) {
	t.Chdir("../..")
	r := everything(t)
	for _, test := range []struct {
		name   string
		output func(io.Writer) error
		check  func(testing.TB, []byte)
	}{
		{"report.sarif", sarif(r), checkSARIF},
		{"junit.xml", r.WriteJUnit, checkJUnit},
		{"summary.md", r.WriteMarkdown, func(t testing.TB, out []byte) { checkMarkdown(t, r, out) }},
		{"annotations.txt", r.WriteAnnotations, checkAnnotations},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := write(t, test.output)
			golden(t, "outputs/"+test.name, out)
			test.check(t, out)
		})
	}
}

func TestSchemasRefuse(t *testing.T) {
	t.Chdir("../..")
	log := strings.Replace(string(write(t, sarif(everything(t)))), `"ruleId"`, `"rule"`, 1)
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(log))
	require.NoError(t, err)
	logs, err := sarifSchema()
	require.NoError(t, err)
	require.Error(t, logs.Validate(instance))

	document := strings.Replace(string(write(t, everything(t).WriteJUnit)), "classname=", "class=", 1)
	documents, err := junitSchema()
	require.NoError(t, err)
	require.Error(t, documents.Validate(strings.NewReader(document)))
}

// results are the parts of a log that its tests look at.
func results(t testing.TB, log []byte) (list []struct {
	RuleID              string
	Level               string
	Suppressions        []any
	PartialFingerprints map[string]string
	Locations           []struct {
		PhysicalLocation struct{ Region struct{ StartLine int } }
	}
}) {
	t.Helper()
	var out struct {
		Runs []struct{ Results json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(log, &out))
	require.NoError(t, json.Unmarshal(out.Runs[0].Results, &list))
	return list
}

func TestFingerprintsStayWhenLinesMoveAndSchedulesChange(t *testing.T) {
	t.Chdir("../..")
	before := everything(t)
	after := everything(t)
	for i := range after.Cases {
		c := &after.Cases[i]
		c.Line += 100
		if c.Answer != nil && c.Answer.Verdict == result.Violated {
			first := c.Answer.First()
			first.Schedule.Faults = append([]rounds.Fault{{Kind: rounds.Crash, Process: "b", Round: 3}}, first.Schedule.Faults...)
			for j := range first.Violations {
				first.Violations[j].Line++
				first.Violations[j].Text += ", and in round 7"
			}
		}
	}
	old, moved := results(t, write(t, sarif(before))), results(t, write(t, sarif(after)))
	require.Len(t, moved, len(old))
	seen := map[string]bool{}
	for i := range old {
		require.Equal(t, old[i].PartialFingerprints, moved[i].PartialFingerprints)
		require.NotEqual(t, old[i].Locations, moved[i].Locations)
		require.False(t, seen[old[i].PartialFingerprints["ldfiCaseAndProperty/v1"]])
		seen[old[i].PartialFingerprints["ldfiCaseAndProperty/v1"]] = true
	}
}

func TestOnlyWhatIsUnexpectedIsAnError(t *testing.T) {
	t.Chdir("../..")
	levels := map[string]string{}
	for _, result := range results(t, write(t, sarif(everything(t)))) {
		levels[result.RuleID] = result.Level
		require.Equal(t, result.Level == "note", len(result.Suppressions) > 0, result.RuleID)
	}
	require.Equal(t, map[string]string{
		"retry/post": "error", "lease/one_holder": "error",
		"simple/post": "note", "nothing without faults/post": "note",
		"fixed/expected": "warning", "large/decided": "warning", "vacuous/expected": "warning",
	}, levels)
}

func TestShardsAreRunsOfTheirOwn(t *testing.T) {
	r := &suite.Report{Suite: "ldfi.yaml", Shard: "1/3"}
	log := write(t, sarif(r))
	require.Contains(t, string(log), `"id": "ldfi/ldfi.yaml/1-3/"`)
	checkSARIF(t, log)
	checkJUnit(t, write(t, r.WriteJUnit))
	checkMarkdown(t, r, write(t, r.WriteMarkdown))
}

func TestSummaryStaysBelowWhatGitHubTakes(t *testing.T) {
	r := &suite.Report{Suite: "ldfi.yaml"}
	for range 3000 {
		r.Cases = append(r.Cases, suite.CaseResult{Name: "lease", Expect: result.Holds, Answer: paused(t), Outcome: suite.Fail, Differs: `violated, and expected to hold: one_holder("a", "b") in round 4`})
	}
	summary := write(t, r.WriteMarkdown)
	require.Less(t, len(summary), 1<<20)
	require.Regexp(t, `\n\d+ cases more not told about here\.\n$`, string(summary))
}

// checkOutputs checks all that is written about a report with certain names.
func checkOutputs(t testing.TB, name, property, file, message, again string) {
	t.Helper()
	a := paused(t)
	a.Warnings = []specs.Warning{{Message: message}}
	c := a.First()
	c.Violations = []result.Violation{{Property: property, Text: message, Position: specs.Position{File: file, Line: 1}}, {Property: message}}
	c.Because = []string{message}
	c.Execution.Bounds.Processes = []string{"a", name}
	c.Execution.Messages[0].Relation = property
	r := &suite.Report{Suite: file, Warnings: []string{message}, Cases: []suite.CaseResult{
		{Name: name, Position: specs.Position{File: file, Line: 1}, Expect: result.Holds, Answer: a, Outcome: suite.Fail, Differs: message, Again: again},
		{Name: name, Position: specs.Position{File: file}, Expect: result.Violated, Answer: a, Outcome: suite.Pass},
		{Name: name, Position: specs.Position{File: file}, Answer: &result.Answer{Verdict: result.Inconclusive, Limit: &result.Limit{Reason: message}}, Outcome: suite.Inconclusive},
		{Name: name, Position: specs.Position{File: file}, Error: message, Outcome: suite.Error},
	}}
	checkSARIF(t, write(t, sarif(r)))
	checkJUnit(t, write(t, r.WriteJUnit))
	checkMarkdown(t, r, write(t, r.WriteMarkdown))
	checkAnnotations(t, write(t, r.WriteAnnotations))
}

// What is broken is noted in the round in which it is, also where rounds without
// news are left out.
func TestViolationsStandInTheirRound(t *testing.T) {
	broken := result.Counterexample{
		Violations: []result.Violation{{Property: "violation", Text: "violation(a) in round 3", Fact: recording.Fact{Relation: "violation", Round: 3}}},
		Execution:  &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a"}, EOT: 9}},
	}
	answer := &result.Answer{Verdict: result.Violated, Counterexamples: []result.Counterexample{broken}}
	r := &suite.Report{Cases: []suite.CaseResult{{Name: "x", Expect: result.Holds, Answer: answer, Outcome: suite.Fail}}}
	var junit, markdown bytes.Buffer
	require.NoError(t, r.WriteJUnit(&junit))
	require.Contains(t, junit.String(), "  3    │   violation(a) in round 3\n  ⋮\n")
	require.NoError(t, r.WriteMarkdown(&markdown))
	require.Contains(t, markdown.String(), "round 3\n    Note over p1: violation(a) in round 3\n    Note over p1: rounds 4 to 9 as the round before")
}

func TestHostileNames(t *testing.T) {
	words := []string{
		"`", "``", "|", "\\", "*", "_", "[", "]", "(", ")", "<", ">", "b", "\n", "\r", " ", "#", "-", "+", "1.", "~~", "&lt;", "!", "\t", "=", "http://a.b",
		"www.a.b", "a@b.cd", ":", "{", "}", "$", "]]>", "\x00", "\xff", "%", "\u2028", "é", "---", "%0A", ",", "::", "<!--", "//", "..",
	}
	random := rand.New(rand.NewPCG(1, 2))
	draw := func() (text string) {
		for range random.IntN(8) {
			text += words[random.IntN(len(words))]
		}
		return text
	}
	for range 100 {
		checkOutputs(t, draw(), draw(), draw(), draw(), draw())
	}
}

func FuzzOutputs(f *testing.F) {
	f.Add("case", "post", "ldfi.yaml", "post is missing", "ldfi run a.ded")
	f.Add("a|b\n::error::x", "]]>", "a b,c:d%.yaml", "```\n<script>", "echo `x` ``` y")
	f.Add("\x00\x1b[31m\u2028", "[x](http://y)", "../C:\\x", "{0} [1](2) ]]>", "\xff\xfe")
	f.Add("# x", "- [ ] y\n---", "", "&amp; &#0; \ufffe \U0010ffff", " \t\r\n")
	f.Add("1. x\\", "*x* _y_ ~~z~~", "%0A", "<!-- --> $x$ @you", "'; rm -rf '")
	f.Fuzz(func(t *testing.T, name, property, file, message, again string) {
		checkOutputs(t, name, property, file, message, again)
	})
}

// That hosts searched by themselves stands once in a report, and no case is told of for it alone.
func TestTheWordOfHosts(t *testing.T) {
	r := &suite.Report{Suite: "ldfi.yaml", Total: 7}
	for _, name := range strings.Fields("one two three four five six seven") {
		a := &result.Answer{Verdict: result.Holds, Search: &result.Search{ByHost: true, Certificate: &result.Certificate{}}}
		r.Cases = append(r.Cases, suite.CaseResult{Name: name, Outcome: suite.Pass, Expect: result.Holds, Answer: a})
	}
	const note = "the hosts of these searched by themselves, and ldfi did not check their certificates: one, two, three, four, five, and 2 more"
	for name, output := range map[string]func(io.Writer) error{"text": r.WriteText, "markdown": r.WriteMarkdown, "junit": r.WriteJUnit, "sarif": sarif(r)} {
		written := string(write(t, output))
		require.Equal(t, 1, strings.Count(written, note), "%s: %s", name, written)
		require.NotContains(t, written, "warning", name)
	}
}
