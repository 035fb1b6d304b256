package remote

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/stretchr/testify/require"
)

// The go command ends with a status of its own: that of the program is what it writes.
func TestStatusOfAProgramThatGoRuns(t *testing.T) {
	for name, c := range map[string]struct {
		text          string
		test, verbose bool
		status, why   string
	}{
		"go run":                          {"giving up\nexit status 4\n", false, false, "exit status 4", "giving up"},
		"go test":                         {"giving up\nexit status 4\nFAIL\tx\t0.050s\n", true, false, "exit status 4", "giving up"},
		"go test, one that says nothing":  {"exit status 4\nFAIL\tx\t0.050s\nFAIL\n", true, false, "exit status 4", ""},
		"go test, which kept it all back": {"starting\nFAIL\tx\t0.050s\nFAIL\n", true, false, "", ""},
		"go test -v":                      {"giving up\nFAIL\tx\t0.050s\nFAIL\n", true, true, "", "giving up"},
		"a panic":                         {"panic: oh\n\ngoroutine 1\nexit status 2\nFAIL\tx\t0.050s\n", true, false, "exit status 2", "panic: oh"},
		"go, which cannot build it":       {"x.go:1:1: wrong\n", false, false, "", "x.go:1:1: wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &hostLog{tail: subprocess.LastOutput{Size: mostKept}}
			_, _ = s.Write([]byte("starting\n"))
			s.request()
			_, _ = s.Write([]byte(c.text))
			require.Equal(t, c.status, s.program(c.test, c.verbose))
			require.Equal(t, c.why, s.why())
		})
	}
}

// Where go says on further lines what to type, the cause stands on the one before.
func TestTestThatCannotBeBuilt(t *testing.T) {
	s := &hostLog{tail: subprocess.LastOutput{Size: mostKept}}
	_, _ = s.Write([]byte("# x\nx_test.go:4:2: no required module provides package y; to add it:\n\tgo get y\nFAIL\tx [setup failed]\nFAIL\n"))
	require.Empty(t, s.program(true, false))
	require.Equal(t, "x_test.go:4:2: no required module provides package y; to add it: go get y", s.why())
}
