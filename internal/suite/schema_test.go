package suite

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	yaml "github.com/goccy/go-yaml"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

const schemaFile = "../../docs/ldfi.schema.json"

// keysAt returns the sorted keys of the object at a path of the schema.
func keysAt(t *testing.T, path ...string) []string {
	t.Helper()
	data, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var at map[string]any
	require.NoError(t, json.Unmarshal(data, &at))
	for _, key := range path {
		at = at[key].(map[string]any)
	}
	return slices.Sorted(maps.Keys(at))
}

// Editors know the keys that Read knows, and no others.
func TestSchemaHasTheKeysOfASuite(t *testing.T) {
	sorted := func(keys []string) []string { return slices.Sorted(slices.Values(keys)) }
	require.Equal(t, []string{"cases"}, keysAt(t, "properties"))
	require.Equal(t, sorted(allKeys), keysAt(t, "$defs", "case", "properties"))
	settings, systems := rounds.SettingKeys()
	require.Equal(t, sorted(slices.Concat(settings, systems)), keysAt(t, "$defs", "bounds", "properties"))
	data, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	for _, s := range strategies.Names() {
		require.Contains(t, string(data), `"`+s+`"`)
	}
}

// example suites are in the documentation, in the tests of the command, and in
// this repository.
func exampleSuites(t *testing.T) map[string]string {
	t.Helper()
	suites := map[string]string{}
	examples, err := filepath.Glob("../../examples/wild/*/ldfi.yaml")
	require.NoError(t, err)
	for _, file := range append(examples, "../../ldfi.yaml", "../../cmd/ldfi/init/ldfi.yaml") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		suites[file] = string(text)
	}
	reference, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	others, err := filepath.Glob("../../docs/*/*.md")
	require.NoError(t, err)
	for _, page := range append(reference, others...) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, block := range strings.Split(string(text), "```yaml\n")[1:] {
			block, _, _ = strings.Cut(block, "```")
			if indented := strings.TrimLeft(block, " "); indented != block { // in a list
				indent := block[:len(block)-len(indented)]
				block = strings.ReplaceAll("\n"+block, "\n"+indent, "\n")[1:]
			}
			if strings.HasPrefix(block, "cases:") || strings.Contains(block, "\ncases:") {
				suites[page+": "+block] = block
			}
		}
	}
	require.GreaterOrEqual(t, len(suites), 2)
	return suites
}

// Every example of a suite is one for editors, and one for Read but for files
// that are not there.
func TestExamplesAreSuites(t *testing.T) {
	schema := compileSchema(t)
	for name, text := range exampleSuites(t) {
		var document any
		require.NoError(t, yaml.Unmarshal([]byte(text), &document), name)
		require.NoError(t, schema.Validate(normal(t, document)), name)
		if _, err := parse("../../ldfi.yaml", text); err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				if strings.HasPrefix(line, "../../ldfi.yaml:") {
					require.Regexp(t, `there is no file|no file matches`, line, name)
				}
			}
		}
	}
}

// What Read refuses for its form, editors refuse as well.
func TestSchemaRefuses(t *testing.T) {
	schema := compileSchema(t)
	for _, text := range []string{
		"cases: []", "{}", "cases: x", "cases: [x]", "budget: 3\ncases: [{files: a}]",
		"cases: [{}]", "cases: [{files: a, system: b}]", "cases: [{files: a, strategy: learn}]", "cases: [{files: a, except: b}]",
		"cases: [{files: a, expct: holds}]", "cases: [{files: a, expect: hold}]", "cases: [{files: a, faults: 1}]",
		"cases: [{files: a, expect: violated, faults: -1}]", "cases: [{files: a, name: 12}]", "cases: [{files: []}]",
		"cases: [{files: a, timeout: soon}]", "cases: [{files: a, timeout: 0}]", "cases: [{files: a, timeout: -3s}]",
		"cases: [{files: a, bounds: {crashes: many}}]", "cases: [{files: a, bounds: {omisions: 1}}]", "cases: [{files: a, bounds: 3}]",
		"cases: [{files: a, rounds: 3}]", "cases: [{files: a, rounds: all}]", "cases: [{system: x, rounds: any}]", "cases: [{system: x, within: 1}]", "cases: [{files: a, within: -1}]", "cases: [{files: a, within: soon}]", "cases: [{files: a, rounds: any, within: 1}]", "cases: [{system: x, strategy: guess}]", "cases: [{system: x, executions: 0}]", "cases: [{system: [go, run]}]",
	} {
		var document any
		require.NoError(t, yaml.Unmarshal([]byte(text), &document), text)
		require.Error(t, schema.Validate(normal(t, document)), text)
		_, err := parse("ldfi.yaml", text)
		require.Error(t, err, text)
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	require.NoError(t, err)
	return schema
}

// normal turns what YAML gave into what JSON gives.
func normal(t *testing.T, document any) any {
	t.Helper()
	data, err := json.Marshal(document)
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	require.NoError(t, err)
	return value
}
