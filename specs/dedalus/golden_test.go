package dedalus_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the golden files should say")

// TestErrors pins the messages for programs that are wrong.
func TestErrors(t *testing.T) {
	golden(t, "testdata/errors.txt", func(t *testing.T, text string) string {
		_, err := dedalus.ParseText("test.ded", text)
		require.Error(t, err)
		require.IsType(t, specs.Errors{}, err)
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
		for _, ws := range [][]specs.Warning{p.Warnings(), p.VetLocations([]string{"a", "b", "c"}), p.VetRounds(4), p.VetLocality()} {
			for _, w := range ws {
				out.WriteString(w.String() + "\n")
			}
		}
		return out.String()
	})
}

// goldenCase is a line "=== title", an input, a line "---", and the output
// expected for the input.
type goldenCase struct{ title, input, want string }

// cases reads a golden file, which begins with a header.
func cases(t testing.TB, file string) (header string, all []goldenCase) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	parts := strings.Split(string(text), "\n=== ")
	for _, part := range parts[1:] {
		var c goldenCase
		c.title, part, _ = strings.Cut(part, "\n")
		c.input, c.want, _ = strings.Cut(part+"\n", "---\n")
		all = append(all, c)
	}
	return parts[0] + "\n", all
}

// golden runs the cases of a file.
func golden(t *testing.T, file string, run func(t *testing.T, input string) string) {
	header, all := cases(t, file)
	var out strings.Builder
	out.WriteString(header)
	for _, c := range all {
		t.Run(c.title, func(t *testing.T) {
			got := run(t, c.input)
			out.WriteString("=== " + c.title + "\n" + c.input + "---\n" + got + "\n")
			if !*update {
				require.Equal(t, strings.TrimRight(c.want, "\n"), strings.TrimRight(got, "\n"))
			}
		})
	}
	if *update && !t.Failed() {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o666))
	}
}
