package schema_test

import (
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/docs/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the schemas")

// form is what is written on one occasion.
type form struct {
	name, title, written string

	never string // the members of answers that it never has
}

// lacks tells whether a form never has a member of a type.
func (f form) lacks(of, member string) bool {
	return of == "ldfi/result.Answer" && slices.Contains(strings.Fields(f.never), member)
}

// forms are all of them.
var forms = []form{
	{"bisect", "ldfi bisect --output json", "internal/bisect.Report", ""},
	{"check", "ldfi check --output json", "internal/suite.Report", "beyond conflict count groups margin proof repairs safety"},
	{"confirm", "ldfi confirm --output json", "internal/answertext.Confirmation", ""},
	{"diff", "ldfi diff --output json", "ldfi/result.Difference", ""},
	{"doctor", "ldfi doctor --output json", "internal/gobuild.Diagnosis", ""},
	{"hypotheses", "ldfi hypotheses --output json", "ldfi/result.Answer", "asynchronous horizons beyond guidance margin proof repairs safety"},
	{"hypotheses-recording", "ldfi hypotheses --recording FILE --output json", "cmd/ldfi.cuts", ""},
	{"import", "ldfi import --output json: a recording, as answers have it under execution", "rounds/recording.Execution", ""},
	{"inject", "ldfi inject --output json", "ldfi/result.Injection", ""},
	{"progress", "--progress json: a line on standard error", "cmd/ldfi.progressLine", ""},
	{"query", "ldfi query --output json", "cmd/ldfi.derivedFacts", ""},
	{"run", "ldfi run --output json", "ldfi/result.Answer", "conflict count groups"},
	{"run-trace", "ldfi run --trace --output json: a line for each turn; the last line is as of ldfi run", "ldfi/result.Step", ""},
	{"vet", "ldfi vet --output json", "internal/subject.Vetted", ""},
	{"vet-closure", "ldfi vet --closure --output json", "internal/vet.Unclosed", ""},
	{"vet-round-based", "ldfi vet --round-based --output json", "internal/subject.RoundBased", ""},
	{"waypoints", "ldfi waypoints --output json", "ldfi/result.Waypoints", ""},
	{"weakest", "ldfi weakest --output json", "internal/advise.WeakestReport", ""},
	{"whatif", "ldfi whatif --output json", "ldfi/result.WhatIf", ""},
	{"why", "ldfi why --output json", "provenance/explain.document", ""},
	{"why-system", "ldfi why --system CMD --output json, and of a recording (--recording FILE)", "internal/causality.Reasons", ""},
	{"workers", "ldfi workers --output json", "cmd/ldfi-cluster.attendance", ""},
}

// one is a value of a program: a number, a string, or bytes that are no text.
var one = object{{"anyOf", []object{
	{{"type", "integer"}},
	{{"type", "string"}},
	{{"type", "object"}, {"description", "A string that is not valid UTF-8, in base64."}, {"required", []string{"bytes"}}, {"properties", object{{"bytes", object{{"type", "string"}, {"contentEncoding", "base64"}}}}}},
}}}

// called are the names in schemas of types that need others than in Go.
var called = map[string]string{
	"internal/advise.WeakestRow":  "Row",
	"internal/bisect.Outcome":     "Replay",
	"internal/suite.Outcome":      "CaseOutcome",
	"provenance/explain.Message":  "ExplainedMessage",
	"internal/bisect.Change":      "VerdictChange",
	"rounds.budgetJSON":           "Budget",
	"rounds.choiceJSON":           "Choice",
	"provenance/explain.jsonNode": "ExplainedNode",
	"cmd/ldfi.derivedFact":        "DerivedFact",
}

// always are the fields with a pointer that is never nil.
var always = map[string]bool{
	"ldfi/result.Scope.Scenarios":              true,
	"ldfi/result.Certificate.Schedules":        true,
	"ldfi/result.Injection.Execution":          true,
	"internal/subject.RoundBased.Asynchronous": true,
}

// written says of types that write their JSON themselves what it is: that of another
// type, or something else.
var written = map[string]struct {
	like string
	as   object
}{
	"rounds.Bounds":              {like: "boundsJSON"},
	"rounds.budgetJSON":          {as: object{{"anyOf", []object{{{"type", "integer"}, {"minimum", 0}}, {{"const", "unlimited"}}}}}},
	"rounds/recording.Execution": {like: "recordJSON"},
	"rounds/recording.Fact":      {like: "Fact"},
	"rounds/recording.Message":   {like: "messageJSON"},
	"specs.Value":                {as: one},
	"internal/suite.Expected":    {as: object{{"type", "string"}, {"enum", []string{"holds", "violated", "inconclusive", "reached"}}}},
	"provenance/explain.Node":    {as: object{{"type", "integer"}}},
	"provenance/explain.Step":    {like: "stepJSON"},
	"provenance/explain.Loss":    {like: "lossJSON"},
	"provenance/explain.Column":  {as: object{{"anyOf", append(one[0].value.([]object), object{{"type", "null"}})}}},
}

// The schemas are those of the types that are written now.
func TestSchemasAreOfTheTypes(t *testing.T) {
	g := &generator{sources: map[string]*source{}, owners: map[string]string{}}
	var names []string
	var wrong []error
	for _, f := range forms {
		want, err := g.document(f)
		wrong = append(wrong, err)
		if *update {
			require.NoError(t, os.WriteFile("v1/"+f.name+".json", want, 0o644))
		}
		names = append(names, f.name)
		if have, err := schema.Of(f.name); !*update {
			require.NoError(t, err)
			require.Equal(t, string(want), string(have), "%s: run go test ./docs/schema -update", f.name)
		}
	}
	require.NoError(t, errors.Join(wrong...))
	if !*update {
		require.Equal(t, names, schema.Names())
	}
}

// Each schema meets the schema of schemas, and what it refers to exists.
func TestSchemasAreSchemas(t *testing.T) {
	for _, name := range schema.Names() {
		_, err := jsonschema.NewCompiler().Compile("v1/" + name + ".json")
		require.NoError(t, err)
	}
}
