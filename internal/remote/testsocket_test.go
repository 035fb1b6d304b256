package remote_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// The tests that tests of this file start as hosts.
func TestHosted(t *testing.T) {
	if os.Getenv(messages.Door) == "" {
		t.Skip("a host, for TestTestsAreHosts")
	}
	ldfitest.Run(t, election.Buggy(), ldfitest.Isolations(1, 2), ldfitest.Rounds(7))
	ldfitest.Run(t, election.Fixed())
}

func TestHostedDies(t *testing.T) {
	if os.Getenv(messages.Door) == "" {
		t.Skip("a host, for TestTestsAreHosts")
	}
	panic("no quorum today")
}

// A test that runs a system is a host of it, with the rounds and faults of its
// options; what go test -c has built as well as what go test runs.
func TestTestsAreHosts(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	program, err := os.Executable()
	require.NoError(t, err)
	t.Run("one that has been built", func(t *testing.T) {
		host := startTest(t, text.ShellJoin(program, "-test.run", "^TestHosted$"))
		require.Len(t, host.Systems(), 1)
		s, err := host.System("election-buggy")
		require.NoError(t, err)
		require.Equal(t, 7, s.Rounds)
		require.Equal(t, 1, s.DefaultBounds(rounds.Bounds{}).Isolations)
		_, violations, err := s.Execute(t.Context(), rounds.Schedule{}, 0, messages.Never)
		require.NoError(t, err)
		require.Empty(t, violations)
		require.NoError(t, host.Close())
	})
	t.Run("one that has been built under another name", func(t *testing.T) {
		renamed := filepath.Join(t.TempDir(), "told")
		require.NoError(t, os.Symlink(program, renamed))
		host := startTest(t, text.ShellJoin(renamed, "-test.run", "^TestHosted$"))
		require.Equal(t, "election-buggy", host.Systems()[0].Name)
		require.NoError(t, host.Close())
	})
	t.Run("go test", func(t *testing.T) {
		host := startTest(t, "go test ../../examples/election -run ^TestElection$")
		require.Len(t, host.Systems(), 1)
		require.NoError(t, host.Close())
	})
	for name, c := range map[string]struct{ run, says string }{
		"no test":              {"^TestNothing$", "-run names the test"},
		"one without a system": {"^TestOpen$", "-run names the test"},
		"one that dies":        {"^TestHostedDies$", "no quorum today"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := remote.Start(t.Context(), text.ShellJoin(program, "-test.run", c.run), remote.Options{Stderr: io.Discard})
			require.ErrorContains(t, err, c.says)
		})
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "ldfi-host-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// The directory of a host is there as long as the host, also when another ldfi, that has built
// a host to hand it out, looks for those of the killed.
func TestHostKeepsItsDirectory(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("GOTMPDIR", parent)
	program, err := os.Executable()
	require.NoError(t, err)
	host := startTest(t, text.ShellJoin(program, "-test.run", "^TestHosted$"))
	other, err := files.NewScratch(parent, "ldfi-host-")
	require.NoError(t, err)
	require.NoError(t, other.Remove())
	left, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.NoError(t, host.Close())
	left, err = os.ReadDir(parent)
	require.NoError(t, err)
	require.Empty(t, left)
}

func startTest(t *testing.T, command string) *remote.Remote {
	t.Helper()
	host, err := remote.Start(t.Context(), command, remote.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = host.Close() })
	return host
}
