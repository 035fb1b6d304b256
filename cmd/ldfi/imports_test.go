package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A host links an engine for rules, or a checker of linearizability, only if it
// uses them.
func TestHostsLinkOnlyWhatTheyUse(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../../examples/election/host").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "/specs/property\n")
	for _, unused := range []string{"/mangle/", "/antlr4-go/", "/porcupine", "/specs/property/rules", "/specs/property/linear"} {
		require.False(t, strings.Contains(string(out), unused), unused)
	}
}
