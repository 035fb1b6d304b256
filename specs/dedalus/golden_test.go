package dedalus_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/specs/dedalus"
)

var update = flag.Bool("update", false, "write what the golden files should say")

// TestErrors pins the messages for programs that are wrong.
func TestErrors(t *testing.T) {
	golden(t, "testdata/errors.txt", func(t *testing.T, text string) string {
		_, err := dedalus.ParseText("test.ded", text)
		require.Error(t, err)
		require.IsType(t, dedalus.Errors{}, err)
		return err.Error() + "\n"
	})
}

// TestWarnings pins the warnings for programs that are allowed, in a system of
// processes a, b and c with four rounds.
func TestWarnings(t *testing.T) {
	golden(t, "testdata/warnings.txt", func(t *testing.T, text string) string {
		p, err := dedalus.ParseText("test.ded", text)
		require.NoError(t, err)
		var out strings.Builder
		for _, ws := range [][]dedalus.Warning{p.Warnings(), p.VetLocations([]string{"a", "b", "c"}), p.VetRounds(4), p.VetLocality()} {
			for _, w := range ws {
				out.WriteString(w.String() + "\n")
			}
		}
		return out.String()
	})
}

// golden runs the cases of a file. A case is a line "=== title", an input, a
// line "---", and the output expected for the input.
func golden(t *testing.T, file string, run func(t *testing.T, input string) string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	header, cases, _ := strings.Cut(string(text), "=== ")
	var out strings.Builder
	out.WriteString(header)
	for _, c := range strings.Split(cases, "\n=== ") {
		title, rest, _ := strings.Cut(c, "\n")
		input, want, _ := strings.Cut(rest+"\n", "---\n")
		t.Run(title, func(t *testing.T) {
			got := run(t, input)
			out.WriteString("=== " + title + "\n" + input + "---\n" + got + "\n")
			if !*update {
				require.Equal(t, strings.TrimRight(want, "\n"), strings.TrimRight(got, "\n"))
			}
		})
	}
	if *update && !t.Failed() {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o666))
	}
}
