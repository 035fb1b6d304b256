package suite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Kinds of messages can be a list, in which each is any text.
func TestKindsInAList(t *testing.T) {
	file := filepath.Join(t.TempDir(), "suite.yaml")
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(file), "a.ded"), []byte("violation(1) :- x(1);\n"), 0o644))
	for kinds, want := range map[string]string{
		`[Vote, "PUT /kv"]`: `Vote,"PUT /kv"`,
		`'Vote,"PUT /kv"'`:  `Vote,"PUT /kv"`,
		"all":               "all",
		"[all]":             "all",
		`["a\"b\n"]`:        `"a\"b\n"`,
	} {
		s, err := parse(file, "cases:\n  - files: a.ded\n    bounds: {omissions: 1, kinds: "+kinds+"}\n")
		require.NoError(t, err, kinds)
		require.Equal(t, want, s.Cases[0].Subject.Shared().Bounds["kinds"])
	}
	_, err := parse(file, "cases:\n  - files: a.ded\n    bounds: {omissions: 1, kinds: PUT /kv}\n")
	require.ErrorContains(t, err, "expected kinds of messages, as in Vote,Append, those that are no names in quotes")
}
