package suite

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the tests see into their golden files")

// golden compares a text with a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "%s: go test ./internal/suite -update writes it", file)
}

// Everything that is wrong is reported at once, with its line and column.
func TestMistakes(t *testing.T) {
	t.Chdir("testdata/mistakes")
	files, err := filepath.Glob("*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		_, err := Read(file)
		require.Error(t, err, file)
		golden(t, strings.TrimSuffix(file, ".yaml")+".txt", err.Error()+"\n")
	}
}

// Mistakes are found in the same places where lines end as on Windows, also
// behind comments.
func TestMistakesInLinesOfWindows(t *testing.T) {
	t.Chdir("testdata/mistakes")
	for _, file := range []string{"everything.yaml", "few.yaml", "syntax.yaml"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		text := "# a comment\n" + string(data)
		_, want := parse(file, text)
		_, got := parse(file, strings.ReplaceAll(text, "\n", "\r\n"))
		require.Error(t, want, file)
		require.EqualError(t, got, want.Error(), file)
	}
}

// Whatever a file holds, reading it comes to an end with cases or a mistake.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.yaml")
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "*/\\") {
			t.Skip("a pattern can match the whole file system")
		}
		s, err := parse("testdata/suite/ldfi.yaml", text)
		if err == nil && len(s.Cases) == 0 {
			t.Fatal("neither cases nor a mistake")
		}
	})
}
