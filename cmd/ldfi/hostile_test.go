package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// hostileTexts are strings that a program can have, none with a quotation mark.
var hostileTexts = map[string]string{
	"terminal":    "\x1b]0;title\a\x1b[2J\x1b[31mred",
	"controls":    "\x00\b\x7f\u0085\u009b2J",
	"lines":       "x\n::error::y\r::add-mask::z\r\n  ::stop-commands::t\n\u00a0::warning::w",
	"old command": "##[error]x ##[add-mask]y ##vso[task]z",
	"direction":   "\u202egnp.exe\u2066\u2069\u2028\u2029",
	"no width":    "a\u200bb\u2060c\ufeffd\u200de\U000e0041",
	"markup":      "</details> `x` ```y``` |z| <b> ]]> %0A #35; [a](b) \\",
}

// hostileProgram breaks its promise with a string in all that is said about it.
func hostileProgram(text string) string {
	return fmt.Sprintf("// ldfi: processes=a,b eot=3 eff=3\nx(\"a\", \"%[1]s\")@1;\nwanted(\"b\", \"%[1]s\")@1;\nwanted(B, V)@next :- wanted(B, V);\n"+
		"y(\"b\", V)@async :- x(A, V);\ny(B, V)@next :- y(B, V);\npre(B, V) :- wanted(B, V);\npost(B, V) :- y(B, V);\n", text)
}

// TestHostileText: nothing that a program has in its strings moves a cursor, makes
// a line of its own, or commands the log of GitHub Actions, whatever is printed.
func TestHostileText(t *testing.T) {
	commands := map[string][]string{
		"run":              {"run", "x.ded"},
		"run as JSON":      {"run", "x.ded", "--output", "json"},
		"inject":           {"inject", "x.ded", "--faults", "omit a>b@1"},
		"inject as JSON":   {"inject", "x.ded", "--output", "json"},
		"inject, Mangle":   {"inject", "x.ded", "--output", "mangle"},
		"why":              {"why", "x.ded", "y(b, V)@3"},
		"why not":          {"why", "x.ded", "y(b, V)@3", "--faults", "omit a>b@1"},
		"why as JSON":      {"why", "x.ded", "y(b, V)@3", "--output", "json"},
		"why as DOT":       {"why", "x.ded", "y(b, V)@3", "--output", "dot"},
		"diff":             {"diff", "x.ded"},
		"diff as JSON":     {"diff", "x.ded", "--output", "json"},
		"diff as DOT":      {"diff", "x.ded", "--output", "dot"},
		"diff, Mermaid":    {"diff", "x.ded", "--output", "mermaid"},
		"hypotheses":       {"hypotheses", "x.ded"},
		"waypoints":        {"waypoints", "x.ded", "y(b, _)"},
		"weakest":          {"weakest", "x.ded", "--questions", "3"},
		"export, DIMACS":   {"export", "x.ded", "--formula", "lineage"},
		"export, DOT":      {"export", "x.ded", "--graph", "lineage"},
		"export, Mangle":   {"export", "x.ded", "--facts", "lineage"},
		"query":            {"query", "recording.json", "got(P, V) :- y(P, V, _)."},
		"query as JSON":    {"query", "recording.json", "got(P, V) :- y(P, V, _).", "--output", "json"},
		"import":           {"import", "otlp", "trace.json", "--show", "failed"},
		"import as JSON":   {"import", "otlp", "trace.json", "--output", "json"},
		"why, a trace":     {"why", "--recording", "traced.json", "failed(shop, _, _, _)"},
		"why not, a trace": {"why", "--recording", "traced.json", "ended(shop, _, 2)"},
		"why, as JSON":     {"why", "--recording", "traced.json", "failed(shop, _, _, _)", "--output", "json"},
		"of a trace":       {"hypotheses", "--recording", "traced.json"},
		"explore":          {"explore", "x.ded", "--keys", "n w"},
		"explore, sets":    {"explore", "x.ded", "--keys", "l n 2"},
		"explore, facts":   {"explore", "x.ded", "--keys", "3 down t"},
		"vet":              {"vet", "x.ded"},
		"check":            {"check", "--no-cache"},
		"check, JSON":      {"check", "--no-cache", "--output", "json"},
		"check, JUnit":     {"check", "--no-cache", "--output", "junit"},
		"check, SARIF":     {"check", "--no-cache", "--output", "sarif"},
		"check, Markdown":  {"check", "--no-cache", "--output", "markdown"},
		"bisect":           {"bisect", "good.ded", "x.ded"},
		"bisect, JSON":     {"bisect", "good.ded", "x.ded", "--output", "json"},
		"bisect, MD":       {"bisect", "good.ded", "x.ded", "--output", "markdown"},
	}
	for _, actions := range []string{"", "true"} {
		t.Setenv("GITHUB_ACTIONS", actions)
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		plain := map[string]int{} // the lines of each output
		inHostileDirectory(t, "harmless")
		for name, args := range commands {
			plain[name] = strings.Count(callHostile(t, args), "\n")
		}
		for kind, text := range hostileTexts {
			inHostileDirectory(t, text)
			for name, args := range commands {
				t.Run(fmt.Sprintf("%s/%s/actions=%s", name, kind, actions), func(t *testing.T) {
					out := callHostile(t, args)
					requirePrintable(t, out)
					if !strings.HasPrefix(name, "bisect") { // which shows the program
						require.Equal(t, plain[name], strings.Count(out, "\n"), "a string has made a line:\n%s", out)
					}
				})
			}
		}
	}
}

// hostileHost is all that can be hostile in one text.
const hostileHost = "x\x1b[2J\n::error::y\r##[error]z\u202e\u200b"

// hostileSystem breaks two properties, and says so in its own words.
func hostileSystem() *system.System {
	fmt.Fprintln(os.Stderr, hostileHost)
	violated := func(name string) property.Property {
		return property.Property{Name: name, Func: func(e *recording.Execution) []result.Violation {
			if !slices.ContainsFunc(e.Messages, func(m recording.Message) bool { return m.Lost }) {
				return nil
			}
			return []result.Violation{{Text: hostileHost, Fact: recording.Fact{Relation: hostileHost, Args: []specs.Value{specs.String(hostileHost + "\xff")}, Round: 1}}}
		}}
	}
	return &system.System{
		Name: hostileHost, Processes: []string{"a", "b"}, Rounds: 2,
		New:        func(name string, _ *rand.Rand) system.Process { return hostileProcess(name) },
		Properties: []property.Property{violated(hostileHost)},
	}
}

type hostileProcess string

func (p hostileProcess) Send(s *system.Step) {
	fmt.Fprint(os.Stderr, hostileHost)
	s.Fact(hostileHost, hostileHost+"\xff")
	if p == "a" {
		s.Send("b", map[string]string{hostileHost: hostileHost})
	}
}

func (p hostileProcess) Receive(*system.Step, []system.Message) {}

// TestHostileHost: nor does anything that a host says.
func TestHostileHost(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	host := filepath.Join(t.TempDir(), "hostile-host")
	require.NoError(t, os.Symlink(self, host))
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	suite := fmt.Sprintf("cases:\n  - name: \"x\\u202e ::error:: ##[error]\"\n    system: %s\n", host)
	require.NoError(t, os.WriteFile("ldfi.yaml", []byte(suite), 0o644))
	for _, dir := range []string{"v1", "v2\x1b::error::##[error]"} {
		require.NoError(t, os.Mkdir(dir, 0o755))
	}
	for name, args := range map[string][]string{
		"run":              {"run", "--system", host},
		"run, JSON":        {"run", "--system", host, "--output", "json"},
		"inject":           {"inject", "--system", host, "--faults", "omit a>b@1"},
		"inject, JSON":     {"inject", "--system", host, "--faults", "omit a>b@1", "--output", "json"},
		"inject, Mangle":   {"inject", "--system", host, "--faults", "omit a>b@1", "--output", "mangle"},
		"explore":          {"explore", "--system", host, "--keys", "n w"},
		"explore, sets":    {"explore", "--system", host, "--keys", "l n 2"},
		"explore, facts":   {"explore", "--system", host, "--keys", "3 down enter"},
		"explore, what if": {"explore", "--system", host, "--keys", "3 down t"},
		"vet":              {"vet", "--system", host},
		"check":            {"check", "--no-cache"},
		"check, JSON":      {"check", "--no-cache", "--output", "json"},
		"check, JUnit":     {"check", "--no-cache", "--output", "junit"},
		"check, SARIF":     {"check", "--no-cache", "--output", "sarif"},
		"check, Markdown":  {"check", "--no-cache", "--output", "markdown"},
		"bisect":           {"bisect", "v1", "v2\x1b::error::##[error]", "--system", host},
		"bisect, JSON":     {"bisect", "v1", "v2\x1b::error::##[error]", "--system", host, "--output", "json"},
		"bisect, Markdown": {"bisect", "v1", "v2\x1b::error::##[error]", "--system", host, "--output", "markdown"},
		"unknown name":     {"run", "--system", host, "--name", "\x1b[2J\n::error::"},
		"unknown command":  {"\x1b[2J\n::error::"},
		"unknown flag":     {"run", "--\x1b[2J\n::error::"},
		"no such file":     {"run", "\x1b[2J\n::error::\u202e"},
		"wrong faults":     {"inject", "--system", host, "--faults", "omit \x1b[2J\n::error::>b@1"},
		"wrong rule":       {"query", "ldfi.yaml", "\x1b[2J\n::error::("},
	} {
		t.Run(name, func(t *testing.T) {
			var out, err bytes.Buffer
			run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &err})
			require.NoError(t, checkJSON(args, out.Bytes()))
			require.NotEmpty(t, out.String()+err.String())
			requirePrintable(t, out.String()+err.String())
		})
	}
}

// inHostileDirectory goes to a directory with what the commands read.
func inHostileDirectory(t *testing.T, text string) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("x.ded", []byte(hostileProgram(text)), 0o644))
	good := strings.Replace(hostileProgram(text), "eff=3", "eff=0", 1)
	require.NoError(t, os.WriteFile("good.ded", []byte(good), 0o644))
	require.NoError(t, os.WriteFile("ldfi.yaml", []byte("cases:\n  - files: x.ded\n"), 0o644))
	var out, err bytes.Buffer
	require.Equal(t, 1, run(t.Context(), []string{"inject", "x.ded", "--faults", "omit a>b@1..2", "--output", "json"},
		streams{in: strings.NewReader(""), out: &out, err: &err}), "%s", err.String())
	require.NoError(t, os.WriteFile("recording.json", out.Bytes(), 0o644))
	require.NoError(t, os.WriteFile("trace.json", hostileTrace(t, text), 0o644))
	require.NoError(t, os.WriteFile("traced.json", []byte(callHostile(t, []string{"import", "otlp", "trace.json", "--output", "json"})), 0o644))
	callHostile(t, []string{"check", "--no-cache"}) // which keeps the schedule
}

// hostileTrace is the trace of a shop that asks a service twice, in vain and not.
func hostileTrace(t *testing.T, text string) []byte {
	type object = map[string]any
	attributes := func(key, value string) []object {
		return []object{{"key": key, "value": object{"stringValue": value}}}
	}
	span := func(id, parent, name string, kind, begin int, more object) object {
		s := object{"traceId": "1", "spanId": id, "parentSpanId": parent, "name": name, "kind": kind, "startTimeUnixNano": fmt.Sprint(begin), "endTimeUnixNano": fmt.Sprint(begin + 5)}
		maps.Copy(s, more)
		return s
	}
	of := func(service string, spans ...object) object {
		return object{"resource": object{"attributes": attributes("service.name", service)}, "scopeSpans": []object{{"spans": spans}}}
	}
	data, err := json.Marshal(object{"resourceSpans": []object{
		of("shop", span("a", "", text, 2, 0, object{"endTimeUnixNano": "99"}), span("b", "a", text, 3, 10, object{"status": object{"code": 2, "message": text}, "attributes": attributes("peer.service", text)}), span("c", "a", text, 3, 20, nil)),
		of(text, span("d", "c", text, 2, 20, nil)),
	}})
	require.NoError(t, err)
	return data
}

func callHostile(t *testing.T, args []string) string {
	var out, err bytes.Buffer
	code := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &err})
	require.NotEqual(t, exitUsage, code, "%s", err.String())
	require.NoError(t, checkJSON(args, out.Bytes()))
	if form := args[len(args)-1]; form == "json" || form == "sarif" {
		require.True(t, json.Valid(out.Bytes()), "no JSON:\n%s", out.String())
	}
	if args[0] == "export" {
		written, readErr := os.ReadFile("lineage")
		require.NoError(t, readErr)
		out.Write(written)
	}
	return out.String() + err.String()
}

// ours are the commands to the log that ldfi gives.
var ours = regexp.MustCompile(`^::(error|warning) file=(x\.ded|ldfi\.yaml),line=\d+,col=\d+,title=x[^:]*::x`)

// requirePrintable looks for what must not be printed, in another way than the
// function that prevents it.
func requirePrintable(t *testing.T, text string) {
	t.Helper()
	require.True(t, utf8.ValidString(text), "%q", text)
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Fatalf("%U in the output:\n%q", r, text)
		}
	}
	require.NotRegexp(t, `##[a-z]*\[`, text)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			require.Regexp(t, ours, line)
			require.LessOrEqual(t, strings.Count(line, "%0A"), 3, "a string has made a line: %s", line)
		}
	}
}
