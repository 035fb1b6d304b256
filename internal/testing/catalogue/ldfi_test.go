package catalogue_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../../"

var (
	update = flag.Bool("update", false, "write the pages anew")
	long   = flag.Bool("long", false, "search the systems with 20 seeds as well, and with -update write the figures into the pages")

	binary string // the command ldfi
)

// TestMain builds the command, which is asked as a user does.
func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "catalogue")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "ldfi")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "./cmd/ldfi")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	if err := cmd.Run(); err != nil {
		return 1
	}
	return m.Run()
}

// An answer is what the rows are compared with.
type answer struct {
	Verdict         string
	Counterexamples []struct {
		Schedule  string
		Size      int
		Confirmed bool
	}
	Scope struct{ Text string }
	Stats struct {
		Times struct {
			Total float64 `json:"total_ms"`
		}
	}
}

// size returns that of the smallest fault set, and -1 where the promise holds.
func (a *answer) size(t *testing.T) int {
	t.Helper()
	if a.Verdict == "holds" {
		return -1
	}
	require.Equal(t, "violated", a.Verdict)
	require.True(t, a.Counterexamples[0].Confirmed)
	return a.Counterexamples[0].Size
}

// ask decides a protocol.
func ask(t *testing.T, args string) *answer {
	t.Helper()
	var a answer
	require.NoError(t, json.Unmarshal(ldfi(t, args+" --output json --statistics"), &a), args)
	return &a
}

// printed is what `ldfi run` has printed, by its arguments: several tests look at one answer.
var printed = map[string][]byte{}

// ldfi returns what `ldfi run` prints. It is asked once.
func ldfi(t *testing.T, args string) []byte {
	t.Helper()
	if _, asked := printed[args]; !asked {
		printed[args] = command(t, append([]string{"run", "--progress", "none"}, strings.Fields(args)...)...)
	}
	return printed[args]
}

// command returns what a command of ldfi prints.
func command(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Dir = root
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3)) {
		require.NoError(t, err, "ldfi %q: %s", args, &complaint)
	}
	return out
}
