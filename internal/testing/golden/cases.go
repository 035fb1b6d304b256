package golden

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Case is an input and what is expected for it.
type Case struct{ Title, Input, Want string }

// Cases reads a file of cases, which begins with a header. A case is a line
// "=== title", an input, a line "---", and the output expected for the input.
func Cases(t testing.TB, file string) (header string, all []Case) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	parts := strings.Split(string(text), "\n=== ")
	for _, part := range parts[1:] {
		var c Case
		c.Title, part, _ = strings.Cut(part, "\n")
		c.Input, c.Want, _ = strings.Cut(part+"\n", "---\n")
		all = append(all, c)
	}
	return parts[0] + "\n", all
}

// Run runs the cases of a file, each as a test of its own.
func Run(t *testing.T, file string, output func(t *testing.T, input string) string) {
	header, all := Cases(t, file)
	var out strings.Builder
	out.WriteString(header)
	for _, c := range all {
		t.Run(c.Title, func(t *testing.T) {
			got := output(t, c.Input)
			out.WriteString("=== " + c.Title + "\n" + c.Input + "---\n" + got + "\n")
			if !*Update {
				require.Equal(t, strings.TrimRight(c.Want, "\n"), strings.TrimRight(got, "\n"))
			}
		})
	}
	if *Update && !t.Failed() {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o666))
	}
}
