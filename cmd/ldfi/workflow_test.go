package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// workflow is the part of a workflow of GitHub Actions that the test looks at.
type workflow struct {
	Name        string            `yaml:"name"`
	On          map[string]any    `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		RunsOn string `yaml:"runs-on"`
		Steps  []step `yaml:"steps"`
	} `yaml:"jobs"`
}

// step does one of two things.
type step struct {
	Name string         `yaml:"name"`
	If   string         `yaml:"if"`
	Uses string         `yaml:"uses"`
	With map[string]any `yaml:"with"`
	Run  string         `yaml:"run"`
}

// TestWorkflow runs the commands of the workflow in the documentation, as GitHub
// Actions does, in a repository with a bug: the report of it is told by the
// annotations of the last step, which fails.
func TestWorkflow(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	text, err := os.ReadFile("../../docs/github-workflow.yml")
	require.NoError(t, err)
	var w workflow
	require.NoError(t, yaml.UnmarshalWithOptions(text, &w, yaml.Strict()))
	require.Contains(t, w.On, "pull_request")
	require.Equal(t, map[string]string{"contents": "read", "security-events": "write"}, w.Permissions)

	var script, files strings.Builder
	fmt.Fprintln(&script, "env XDG_CACHE_HOME=$WORK/cache\nenv GITHUB_ACTIONS=true\nenv GITHUB_STEP_SUMMARY=$WORK/summary.md")
	ran := 0
	for _, s := range w.Jobs["check"].Steps {
		require.NotEqual(t, s.Run == "", s.Uses == "", "a step runs a command or uses an action: %v", s)
		if s.Run == "" || strings.HasPrefix(s.Run, "go install ") {
			continue
		}
		ran++
		not := ""
		if s.Name == "Report" {
			not = "! "
		}
		fmt.Fprintf(&script, "%sexec sh -e step%d.sh\n", not, ran)
		fmt.Fprintf(&files, "-- step%d.sh --\n%s\n", ran, s.Run)
	}
	require.Equal(t, 3, ran)
	fmt.Fprintf(&script, "stdout '^::error file=bug.ded,'\ngrep sequenceDiagram summary.md\ngrep ruleId ldfi.sarif\nexists .ldfi-cache\n")
	fmt.Fprintf(&files, "-- ldfi.yaml --\ncases:\n  - files: bug.ded\n-- bug.ded --\n// ldfi: processes=a,b eot=2 eff=2\nwanted(\"b\")@1;\nwanted(B)@next :- wanted(B);\nx(\"a\")@1;\ny(\"b\")@async :- x(A);\npre(B) :- wanted(B);\npost(B) :- y(B);\n")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "workflow.txtar"), []byte(script.String()+files.String()), 0o644))
	testscript.Run(t, testscript.Params{Dir: dir, RequireExplicitExec: true})
}
