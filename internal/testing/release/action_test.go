package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

// action is action.yml.
type action struct {
	Name, Description string
	Branding          map[string]string
	Inputs            map[string]struct{ Description, Default string }
	Outputs           map[string]struct{ Description, Value string }
	Runs              struct {
		Using string
		Steps []step
	}
}

// step is one of its steps, which runs a script or uses another action.
type step struct {
	Name, ID, If, Uses, Shell, Run string
	WorkingDirectory               string `yaml:"working-directory"`
	Env, With                      map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	var a action
	require.NoError(t, yaml.UnmarshalWithOptions([]byte(read(t, root, "action.yml")), &a, yaml.Strict()))
	require.Equal(t, "composite", a.Runs.Using)
	return a
}

// Each input is used, what is used is an input, and no script has an input in its text, where
// it would be executed.
func TestActionInputs(t *testing.T) {
	a, used := readAction(t), map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(read(t, root, "action.yml"), -1) {
		require.Contains(t, a.Inputs, m[1])
		used[m[1]] = true
	}
	require.Len(t, used, len(a.Inputs))
	for _, s := range a.Runs.Steps {
		require.NotContains(t, s.Run, "${{", s.Name)
	}
}

// The scripts are clean for bash, and for shellcheck where that is installed.
func TestActionScripts(t *testing.T) {
	for _, s := range readAction(t).Runs.Steps {
		if s.Run == "" {
			continue
		}
		require.Equal(t, "bash", s.Shell, s.Name)
		file := filepath.Join(t.TempDir(), "step.sh")
		write(t, file, "#!/usr/bin/env bash\nset -eo pipefail\n"+s.Run)
		output(t, ".", nil, "bash", "-n", file)
		if shellcheck, err := exec.LookPath("shellcheck"); err == nil {
			output(t, ".", nil, shellcheck, file)
		}
	}
}

// runner executes the scripts of the action as GitHub does.
type runner struct {
	action    action
	dir, temp string
	inputs    map[string]string
	environ   map[string]string
	path      []string
	outputs   map[string]string // by steps.ID.outputs.NAME
	used      []string          // the other actions, and what they get
	printed   string
}

func newRunner(t *testing.T, inputs map[string]string) *runner {
	r := &runner{action: readAction(t), dir: t.TempDir(), temp: t.TempDir(), inputs: map[string]string{}, outputs: map[string]string{}}
	for name, input := range r.action.Inputs {
		r.inputs[name] = input.Default
	}
	maps.Copy(r.inputs, inputs)
	r.environ = map[string]string{
		"GITHUB_ACTIONS": "true", "RUNNER_OS": "Linux", "RUNNER_ARCH": map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH],
		"RUNNER_TEMP": r.temp, "GITHUB_PATH": filepath.Join(r.temp, "path"), "GITHUB_OUTPUT": filepath.Join(r.temp, "output"),
		"GITHUB_STEP_SUMMARY": filepath.Join(r.temp, "summary.md"),
	}
	return r
}

// expand replaces the expressions of a text by their values.
func (r *runner) expand(text string) string {
	return regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`).ReplaceAllStringFunc(text, func(e string) string {
		return r.value(strings.TrimSpace(strings.Trim(e, "${}")))
	})
}

func (r *runner) value(name string) string {
	name = strings.TrimSpace(name)
	if text, ok := strings.CutPrefix(name, "'"); ok {
		return strings.TrimSuffix(text, "'")
	}
	if input, ok := strings.CutPrefix(name, "inputs."); ok {
		return r.inputs[input]
	}
	if strings.HasPrefix(name, "steps.") {
		return r.outputs[name]
	}
	return "<" + name + ">"
}

// holds says whether a step is executed.
func (r *runner) holds(condition string) bool {
	condition = strings.TrimSpace(strings.Trim(condition, "${}"))
	if condition == "" {
		return true
	}
	for _, either := range strings.Split(condition, "||") {
		all := true
		for _, part := range strings.Split(either, "&&") {
			if left, right, ok := strings.Cut(part, "!="); ok {
				all = all && r.value(left) != r.value(right)
			} else {
				left, right, _ := strings.Cut(part, "==")
				all = all && r.value(left) == r.value(right)
			}
		}
		if all {
			return true
		}
	}
	return false
}

// run executes the steps until one fails, whose error it returns.
func (r *runner) run(t *testing.T) error {
	t.Helper()
	for _, s := range r.action.Runs.Steps {
		if !r.holds(s.If) {
			continue
		}
		if s.Uses != "" {
			r.used = append(r.used, s.Uses+" "+r.expand(s.With["sarif_file"]))
			continue
		}
		script := filepath.Join(t.TempDir(), "step.sh")
		write(t, script, s.Run)
		env := []string{"PATH=" + strings.Join(append(r.path, os.Getenv("PATH")), ":")}
		for name, text := range s.Env {
			env = append(env, name+"="+r.expand(text))
		}
		for name, text := range r.environ { // also in place of what the step says
			env = append(env, name+"="+text)
		}
		printed, err := command(t, filepath.Join(r.dir, r.expand(s.WorkingDirectory)), env, "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
		r.printed += printed
		if err != nil {
			return fmt.Errorf("%s: %w:\n%s", s.Name, err, printed)
		}
		if text, err := os.ReadFile(r.environ["GITHUB_PATH"]); err == nil {
			r.path = strings.Fields(string(text))
		}
		text, _ := os.ReadFile(r.environ["GITHUB_OUTPUT"])
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			if key := "steps." + s.ID + ".outputs." + name; r.outputs[key] == "" {
				r.outputs[key] = value
			}
		}
		_ = os.Remove(r.environ["GITHUB_OUTPUT"])
	}
	return nil
}

// archived returns an archive of a release with a program.
func archived(t *testing.T, ldfi string) []byte {
	t.Helper()
	program, err := os.ReadFile(ldfi)
	require.NoError(t, err)
	var archive bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&archive, gzip.BestSpeed)
	require.NoError(t, err)
	packed := tar.NewWriter(zipped)
	require.NoError(t, packed.WriteHeader(&tar.Header{Name: "ldfi", Mode: 0o755, Size: int64(len(program))}))
	_, err = packed.Write(program)
	require.NoError(t, err)
	require.NoError(t, packed.Close())
	require.NoError(t, zipped.Close())
	return archive.Bytes()
}

// releases serves a release of ldfi v0.1.0, whose archive has this checksum.
func releases(t *testing.T, archive []byte, sum [sha256.Size]byte) string {
	name := "ldfi_0.1.0_linux_" + runtime.GOARCH + ".tar.gz"
	pages := http.NewServeMux()
	pages.Handle("/latest", http.RedirectHandler("/tag/v0.1.0", http.StatusFound))
	pages.HandleFunc("/tag/v0.1.0", func(http.ResponseWriter, *http.Request) {})
	pages.HandleFunc("/download/v0.1.0/checksums.txt", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%x  %s\n%x  ldfi_0.1.0_windows_amd64.zip\n", sum, name, sha256.Sum256(nil))
	})
	pages.HandleFunc("/download/v0.1.0/"+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive) })
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	return server.URL
}

// The scripts of the action, executed one after the other, install ldfi, run it, and tell what
// it found in annotations, a summary, SARIF and a page; the last one fails as ldfi does.
func TestAction(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds ldfi")
	}
	for _, program := range []string{"bash", "curl", "tar", "xargs"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("there is no " + program)
		}
	}
	if runtime.GOOS != "linux" {
		t.Skip("it stands in for a runner with Linux")
	}
	here := absolute(t, root)
	broadcast := read(t, root, "cmd/ldfi/init/broadcast.ded")
	ldfi := filepath.Join(t.TempDir(), "ldfi")
	output(t, here, nil, "go", "build", "-o", ldfi, "./cmd/ldfi")
	archive := archived(t, ldfi)
	released := releases(t, archive, sha256.Sum256(archive))

	t.Run("violated", func(t *testing.T) {
		r := newRunner(t, map[string]string{"working-directory": "sub dir", "report": "ldfi.html", "upload-sarif": "true", "sarif": "ldfi.sarif", "args": "--no-cache --budget '1m'"})
		r.environ["LDFI_RELEASES"] = released
		write(t, filepath.Join(r.dir, "sub dir/broadcast.ded"), broadcast)
		write(t, filepath.Join(r.dir, "sub dir/ldfi.yaml"), "cases:\n  - files: broadcast.ded\n")
		require.ErrorContains(t, r.run(t), "Report: exit status 1")
		require.Contains(t, r.printed, "::error file=broadcast.ded,")
		require.Equal(t, "1", r.outputs["steps.run.outputs.exit-code"])
		require.Contains(t, read(t, r.temp, "summary.md"), "sequenceDiagram")
		require.Contains(t, read(t, r.dir, "sub dir/ldfi.html"), "<html")
		require.Contains(t, read(t, r.dir, "sub dir/ldfi.sarif"), `"ruleId"`)
		require.Len(t, r.used, 3)
		require.Equal(t, "github/codeql-action/upload-sarif@v4 "+r.dir+"/sub dir/ldfi.sarif", r.used[2])
	})
	t.Run("as expected, from a checkout", func(t *testing.T) {
		r := newRunner(t, map[string]string{"install": here, "cache": "false", "args": "'sub dir' --no-cache"})
		write(t, filepath.Join(r.dir, "sub dir/broadcast.ded"), broadcast)
		write(t, filepath.Join(r.dir, "sub dir/ldfi.yaml"), "cases:\n  - {files: broadcast.ded, expect: violated, faults: 2}\n")
		require.NoError(t, r.run(t))
		require.Empty(t, r.used)
		require.Contains(t, r.printed, "1 as expected")
	})
	t.Run("go test", func(t *testing.T) {
		r := newRunner(t, map[string]string{"version": "v0.1.0", "command": "test", "args": "-run 'TestElection' ./examples/election"})
		r.environ["LDFI_RELEASES"], r.dir = released, here
		require.NoError(t, r.run(t))
		require.Equal(t, "0", r.outputs["steps.run.outputs.exit-code"])
	})
	t.Run("a wrong checksum", func(t *testing.T) {
		r := newRunner(t, nil)
		r.environ["LDFI_RELEASES"] = releases(t, archive, sha256.Sum256(nil))
		require.ErrorContains(t, r.run(t), "FAILED")
		require.Empty(t, r.path)
	})
	t.Run("another command", func(t *testing.T) {
		r := newRunner(t, map[string]string{"command": "run"})
		r.environ["LDFI_RELEASES"] = released
		require.ErrorContains(t, r.run(t), "command is check or test, and not run")
	})
	t.Run("no suite", func(t *testing.T) {
		r := newRunner(t, nil)
		r.environ["LDFI_RELEASES"] = released
		require.ErrorContains(t, r.run(t), "Report: exit status 2")
		require.Contains(t, r.printed, "ldfi.yaml")
	})
}
