package explore_test

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/stretchr/testify/require"
)

// output is what a program writes, which can be read meanwhile.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (o *output) Write(text []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(text)
}

// forget forgets what was written.
func (o *output) forget() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.text.Reset()
}

func (o *output) has(text string) func() bool {
	return func() bool {
		o.mutex.Lock()
		defer o.mutex.Unlock()
		return bytes.Contains(o.text.Bytes(), []byte(text))
	}
}

// The program as it runs on a terminal: a fault set is asked for beside the keys, and q
// ends it.
func TestProgram(t *testing.T) {
	e := exploration(t, "delivery/retry.ded")
	keys, typing := io.Pipe()
	var seen output
	ended := make(chan error, 1)
	go func() {
		ended <- explore.Run(t.Context(), e, options("delivery/retry.ded"), tea.WithInput(keys), tea.WithOutput(&seen), tea.WithWindowSize(80, 24))
	}()
	sees := func(text string) {
		require.Eventually(t, seen.has(text), 20*time.Second, 10*time.Millisecond, text)
	}
	sees("promise is kept")
	_, err := typing.Write([]byte("n"))
	require.NoError(t, err)
	sees("VIOLATED")
	_, err = typing.Write([]byte("q"))
	require.NoError(t, err)
	require.NoError(t, <-ended)
	require.Equal(t, "crash a@2; omit a>b@1", e.Schedule().String())
	require.True(t, e.Unsaved())
}

// Colours are for terminals that have them, and for who wants them.
func TestColours(t *testing.T) {
	for environment, coloured := range map[string]bool{"TERM=xterm-256color": true, "TERM=xterm-256color NO_COLOR=1": false} {
		e := exploration(t, "delivery/retry.ded")
		p := run(t, e, "retry.ded", tea.WithEnvironment(append(strings.Fields(environment), "TTY_FORCE=1")))
		p.press("n")
		require.Eventually(t, p.seen.has("VIOLATED"), 20*time.Second, 5*time.Millisecond)
		p.press("e\r")
		p.leave()
		require.Equal(t, coloured, colour.Match(p.seen.text.Bytes()), "%s %q", environment, p.seen.text.String())
	}
}

// colour is what turns one on.
var colour = regexp.MustCompile("\x1b\\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;:]*m")
