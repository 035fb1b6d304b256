package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// asserting returns a system of one program with the SDK of Antithesis, or with what stands
// in its place.
func asserting(t *testing.T, real bool, arg string) *system.System {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	t.Setenv("GOWORK", "off")
	module := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Join(module, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(module, name), []byte(text), 0o644))
	}
	place := func(name, from string) {
		text, err := os.ReadFile(filepath.Join("testdata", "antithesis", from))
		require.NoError(t, err)
		write(name, string(text))
	}
	place("main.go", "main.go.txt")
	const head = "module asserts\n\ngo 1.26\n\nrequire github.com/antithesishq/antithesis-sdk-go v0.6.0-default-no-op\n"
	if real {
		write("go.mod", head)
		place("go.sum", "go.sum.txt")
	} else {
		write("go.mod", head+"\nreplace github.com/antithesishq/antithesis-sdk-go => ./sdk\n")
		write("sdk/go.mod", "module github.com/antithesishq/antithesis-sdk-go\n\ngo 1.26\n")
		place("sdk/assert/assert.go", "sdk.go.txt")
		place("sdk/assert/noop.go", "noop.go.txt")
	}
	file := filepath.Join(t.TempDir(), "asserts")
	require.NoError(t, process.Build(t.Context(), module, ".", file))
	c := process.Cluster{Rounds: 12, Apart: -1, Nodes: []process.Node{{Name: "n1", File: file, Args: []string{arg}}}}
	s, err := c.System()
	require.NoError(t, err)
	return s
}

// What a program claims by the SDK of Antithesis is reported as what one claims by
// ldfi/client: its module requires the SDK, so that it is built with its tag.
func TestAntithesis(t *testing.T) {
	for name, real := range map[string]bool{"in its place": false, "the SDK": true} {
		t.Run(name, func(t *testing.T) {
			if real && *long < 100 {
				t.Skip("downloads the SDK: run it with -long 100")
			}
			s := asserting(t, real, "late")
			e, violated := run(t, s, "")
			require.Equal(t, []string{
				`always("n1", "the queue is short", "true", "asserts/main.go:14")@1`,
				`always("n1", "the queue is short", "false", "asserts/main.go:14")@5`,
				`sometimes("n1", "three are in the queue", "false", "asserts/main.go:15")@1`,
				`sometimes("n1", "three are in the queue", "true", "asserts/main.go:15")@4`,
				`reachable("n1", "the queue grows", "asserts/main.go:16")@1`,
			}, append(append(recordedAs(e, "always"), recordedAs(e, "sometimes")...), recordedAs(e, "reachable")...))
			require.Equal(t, map[string]string{"always": "the queue is short, but not on n1 at asserts/main.go:14"}, violated)
			for _, crash := range []string{"crash n1@3", "crash n1@3/torn", "crash n1@3/kept", "terminate n1@3..3"} {
				if !strings.HasPrefix(crash, "terminate") {
					crash += "; restart n1@4"
				}
				e, _ = run(t, s, crash)
				require.Equal(t, []string{`reachable("n1", "the queue grows", "asserts/main.go:16")@1`, `reachable("n1", "the queue grows", "asserts/main.go:16")@4`}, recordedAs(e, "reachable"), crash)
				require.Empty(t, recordedAs(e, "file_lost"), crash)
			}
		})
	}
}

// What must not be reached, and is, violates "always".
func TestAntithesisUnreachable(t *testing.T) {
	_, violated := run(t, asserting(t, false, "lost"), "")
	require.Equal(t, map[string]string{"always": "the queue is lost: this is reached, on n1 at asserts/main.go:19"}, violated)
}

// A search tells what should hold in some execution, and did in none: also what was never
// asked.
func TestAntithesisCovers(t *testing.T) {
	s := asserting(t, false, "early")
	target, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	a, err := strategies.Run(t.Context(), target, search.Options{Strategy: "enumerate", Executions: 100, Bounds: rounds.Bounds{Processes: s.Processes, EOT: 12, Crashes: 1, At: "phase", Period: 6}})
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
	require.Empty(t, a.Vacuity)
	var all []string
	for _, w := range a.Warnings {
		if w.Position.File == "checks and polls" {
			all = append(all, w.Message)
		}
	}
	require.Equal(t, []string{
		`reachable(P, "the queue is empty", _, _) had no fact under any schedule within the bounds: this never held, or was never reached`,
		`sometimes(P, "nobody waits", "true", _, _) had no fact under any schedule within the bounds: this never held, or was never reached`,
	}, all)
}
