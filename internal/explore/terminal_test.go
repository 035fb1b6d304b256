package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/stretchr/testify/require"
)

const protocols = "../../testdata/protocols/"

// Keys in, screens out: the first line of a case has the size of the screen and the
// protocol or the system, the others have the keys.
func TestScreens(t *testing.T) {
	golden.Run(t, "testdata/screens.txt", func(t *testing.T, input string) string {
		head, keys, _ := strings.Cut(input, "\n")
		var width, height int
		var name string
		_, err := fmt.Sscanf(head, "%dx%d %s", &width, &height, &name)
		require.NoError(t, err)
		explored := exploration
		if !strings.HasSuffix(name, ".ded") {
			explored = ofSystem
		}
		shown, err := explore.Play(t.Context(), explored(t, name), options(name), width, height, keys)
		require.NoError(t, err)
		return shown
	})
}

func exploration(t testing.TB, file string) *explore.Exploration {
	about := &subject.Protocol{Common: subject.Common{Max: 1000, Bare: true}, Files: []string{protocols + file}}
	o, err := about.Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { o.Close() })
	e, err := explore.New(t.Context(), o)
	require.NoError(t, err)
	return e
}

// red is a colour, which a screen without colours does not show.
func red(text string) string { return "\x1b[31m" + text + "\x1b[m" }

func options(file string) explore.Options {
	about := &subject.Protocol{Files: []string{file}}
	return explore.Options{Title: file, Replay: about.InjectCommand, Style: diagram.Style{Fault: red, Strong: red, Faint: red}}
}
