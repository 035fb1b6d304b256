package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/lineage-driven/ldfi/docs/schema"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// formOf returns the name of the schema of what a command line writes; "" if that is
// not JSON.
func formOf(args []string) string {
	asked := func(flag string, value ...string) bool {
		for i, arg := range args {
			switch {
			case value == nil && (arg == flag || strings.HasPrefix(arg, flag+"=")):
				return true
			case value != nil && (arg == flag+"="+value[0] || arg == flag && i+1 < len(args) && args[i+1] == value[0]):
				return true
			}
		}
		return false
	}
	if len(args) == 0 || !asked("--output", "json") || asked("--help") || asked("-h") {
		return ""
	}
	for _, s := range special {
		if args[0] == s.command && asked("--"+s.flag) {
			return s.form
		}
	}
	if args[0] == "test" {
		return "check" // the report of a suite
	}
	return args[0]
}

// special are the flags with which a command writes something else.
var special = []struct{ command, flag, form string }{
	{"hypotheses", "recording", "hypotheses-recording"},
	{"run", "trace", "run-trace"},
	{"vet", "closure", "vet-closure"},
	{"vet", "round-based", "vet-round-based"},
	{"why", "system", "why-system"},
	{"why", "recording", "why-system"},
}

// checkJSON checks what a command line has written to standard output against its
// schema, in which nothing may stand that is not documented.
func checkJSON(args []string, stdout []byte) error {
	form := formOf(args)
	if form == "" || len(stdout) == 0 {
		return nil // nothing is written of a mistake, or of what was stopped
	}
	if form == "run-trace" {
		lines := bytes.Split(bytes.TrimSuffix(stdout, []byte("\n")), []byte("\n"))
		for _, line := range lines[:len(lines)-1] {
			if err := checkForm(form, line); err != nil {
				return err
			}
		}
		form, stdout = "run", lines[len(lines)-1]
	}
	return checkForm(form, stdout)
}

func checkForm(form string, text []byte) error {
	s, err := schemaOf(form)
	if err != nil {
		return err
	}
	if !json.Valid(text) {
		return fmt.Errorf("this is not JSON: %s", text)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // numbers of schedules are larger than any float64
	var instance any
	if err := decoder.Decode(&instance); err != nil {
		return err
	}
	return s.compiled.Validate(withoutTexts(instance))
}

// withoutTexts has numbers in place of their texts, and for integers that are larger than
// any int64 the largest.
func withoutTexts(node any) any {
	switch node := node.(type) {
	case []any:
		for i := range node {
			node[i] = withoutTexts(node[i])
		}
	case map[string]any:
		for key := range node {
			node[key] = withoutTexts(node[key])
		}
	case json.Number:
		if strings.ContainsAny(node.String(), ".eE") {
			number, _ := node.Float64()
			return number
		}
		number, _ := node.Int64()
		return number
	}
	return node
}

// strict is a schema that refuses what it does not know.
type strict struct {
	document map[string]any
	compiled *jsonschema.Resolved
}

// known are the schemas that were asked for.
var known = struct {
	sync.Mutex
	schemas map[string]*strict
}{schemas: map[string]*strict{}}

func schemaOf(form string) (*strict, error) {
	known.Lock()
	defer known.Unlock()
	if s := known.schemas[form]; s != nil {
		return s, nil
	}
	data, err := schema.Of(form)
	if err != nil {
		return nil, err
	}
	s := &strict{}
	if err := json.Unmarshal(data, &s.document); err != nil {
		return nil, err
	}
	closeObjects(s.document)
	if data, err = json.Marshal(s.document); err != nil {
		return nil, err
	}
	var closed jsonschema.Schema
	if err := json.Unmarshal(data, &closed); err != nil {
		return nil, err
	}
	if s.compiled, err = closed.Resolve(nil); err != nil {
		return nil, err
	}
	known.schemas[form] = s
	return s, nil
}

// closeObjects lets no object have other members than those that are named.
func closeObjects(node any) {
	switch node := node.(type) {
	case []any:
		for _, inner := range node {
			closeObjects(inner)
		}
	case map[string]any:
		for _, inner := range node {
			closeObjects(inner)
		}
		if _, ok := node["properties"].(map[string]any); ok && node["type"] == "object" {
			node["additionalProperties"] = false
		}
	}
}

// Every command with --output json has a schema, and every schema is one of a command.
func TestEveryCommandHasASchema(t *testing.T) {
	commands := map[string]bool{}
	for _, cmd := range (&session{}).root().Commands() {
		if writesJSON(cmd) {
			commands[cmd.Name()] = true
			require.Contains(t, schema.Names(), formOf([]string{cmd.Name(), "--output", "json"}))
		}
	}
	require.Greater(t, len(commands), 10)
	for _, s := range special {
		cmd, _, err := (&session{}).root().Find([]string{s.command})
		require.NoError(t, err)
		require.NotNil(t, cmd.Flags().Lookup(s.flag), s.form)
		commands[s.form] = true
	}
	for _, form := range schema.Names() {
		_, err := schemaOf(form)
		require.NoError(t, err)
		require.True(t, commands[form] || form == "progress" || form == "workers", "no command writes %s", form)
	}
}

func writesJSON(cmd *cobra.Command) bool {
	f := cmd.Flags().Lookup("output")
	return f != nil && f.Value.Set("json") == nil
}

// complaints is the variable of the environment that names the file in which
// processes that tests start complain of JSON that does not meet its schema.
const complaints = "LDFI_TEST_COMPLAINTS"

// watchedMain is the command ldfi for tests: what it writes is checked.
func watchedMain() int {
	args := os.Args[1:]
	if formOf(args) == "" {
		return realMain()
	}
	stdout := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		return realMain()
	}
	os.Stdout = w
	var written bytes.Buffer
	copied := make(chan error)
	go func() {
		_, err := io.Copy(io.MultiWriter(&written, stdout), r)
		copied <- err
	}()
	code := realMain()
	err = errors.Join(w.Close(), <-copied)
	if err == nil {
		err = checkJSON(args, written.Bytes())
	}
	if err != nil {
		complain(fmt.Sprintf("ldfi %s: %v\n", strings.Join(args, " "), err))
	}
	return code
}

func complain(text string) {
	file, err := os.OpenFile(os.Getenv(complaints), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprint(os.Stderr, text)
		return
	}
	defer file.Close()
	fmt.Fprint(file, text)
}

// ldfi is the name of the command.
const ldfi = "ldfi"

// watched runs the tests, for which there is the command ldfi, and fails if a process that
// they started has complained.
type watched struct{ *testing.M }

func (w watched) Run() int {
	dir, err := os.MkdirTemp("", "ldfi-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program, err := os.Executable()
	if err == nil {
		err = os.Symlink(program, filepath.Join(dir, ldfi))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	file := filepath.Join(dir, "complaints")
	os.Setenv(complaints, file)
	code := w.M.Run()
	text, err := os.ReadFile(file)
	if err != nil {
		return code // nobody has complained
	}
	fmt.Fprintf(os.Stderr, "what ldfi wrote does not meet docs/schema:\n%s", text)
	return max(code, 1)
}
