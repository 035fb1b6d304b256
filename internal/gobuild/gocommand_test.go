package gobuild

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGoRun(t *testing.T) {
	flags, packages, arguments, ok := goRun([]string{"go", "run", "-race", "-tags", "a,b", "--ldflags=-s -w", "./host", "-x", "y"})
	require.True(t, ok)
	require.Equal(t, []string{"-race", "-tags", "a,b", "--ldflags=-s -w"}, flags)
	require.Equal(t, []string{"./host"}, packages)
	require.Equal(t, []string{"-x", "y"}, arguments)
	_, packages, arguments, ok = goRun([]string{"go", "run", "main.go", "vote.go", "-x", "y.go"})
	require.True(t, ok)
	require.Equal(t, []string{"main.go", "vote.go"}, packages)
	require.Equal(t, []string{"-x", "y.go"}, arguments)
	_, packages, arguments, ok = goRun([]string{"go", "run", "./host", "y.go"})
	require.True(t, ok)
	require.Equal(t, []string{"./host"}, packages)
	require.Equal(t, []string{"y.go"}, arguments)
	for _, command := range [][]string{{"go", "run"}, {"go", "run", "-race"}, {"go", "test", "."}, {"python3", "run", "host.py"}} {
		_, _, _, ok := goRun(command)
		require.False(t, ok, command)
	}
}

func TestGoTest(t *testing.T) {
	words := strings.Fields("go test -race -run ^TestX$ -tags a,b ./host -count=1 -v --timeout=1m -args -x y")
	p, ok := ParseCommand(words)
	require.True(t, ok)
	require.True(t, p.Test)
	require.Equal(t, []string{"-race", "-tags", "a,b"}, p.Flags)
	require.Equal(t, []string{"./host"}, p.Packages)
	require.Equal(t, []string{"-test.run", "^TestX$", "-test.count=1", "-test.v", "-test.timeout=1m", "-x", "y"}, p.Arguments)
	p, ok = ParseCommand([]string{"go", "test", "-test.run=X"})
	require.True(t, ok)
	require.Equal(t, []string{"."}, p.Packages)
	require.Equal(t, []string{"-test.run=X"}, p.Arguments)
	for _, command := range []string{"go test ./a ./b", "go vet .", "gotest ."} {
		_, ok := ParseCommand(strings.Fields(command))
		require.False(t, ok, command)
	}
}
