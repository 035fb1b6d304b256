package ldfitest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A test that was given by the names of its files has no import path of its own. The command
// that repeats it names the package in their directory, so that it works elsewhere, too.
func TestPackageInDirectory(t *testing.T) {
	t.Setenv("GOWORK", "off")
	root := t.TempDir()
	below := filepath.Join(root, "a", "b")
	require.NoError(t, os.MkdirAll(below, 0o777))
	require.Empty(t, packageIn(below))
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("// of a test\nmodule \"example.com/m/v2\" // the second\n\ngo 1.26\n"), 0o666))
	for _, dir := range []string{root, below} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "b_test.go"), []byte("package main_test\n"), 0o666))
	}
	require.Equal(t, "example.com/m/v2/a/b", packageIn(below))
	require.Equal(t, "example.com/m/v2", packageIn(root))
	require.Equal(t, "go test -run '^TestX$' example.com/m/v2/a/b", commandOf("TestX", packageIn(below)))
}

// A test of a package main is called as the package, and others end with .test.
func TestPackageOfATest(t *testing.T) {
	for program, want := range map[string]string{
		"example.com/m/lib.test": "example.com/m/lib", "example.com/m/cmd/kvd": "example.com/m/cmd/kvd",
		"command-line-arguments.test": "", "command-line-arguments": "", "": "",
	} {
		require.Equal(t, want, packageOf(program, t.TempDir()), program)
	}
}

// What the test itself is given is a part of the command.
func TestOwnFlags(t *testing.T) {
	flags := flag.NewFlagSet("kvd.test", flag.ContinueOnError)
	for _, name := range []string{"test.run", "long", "other"} {
		flags.String(name, "", "")
	}
	flags.Bool("async", false, "")
	require.NoError(t, flags.Parse([]string{"-test.run", "X", "-async", "-long", "5", "word"}))
	require.Equal(t, []string{"-async=true", "-long=5", "word"}, ownFlags(flags))
}
