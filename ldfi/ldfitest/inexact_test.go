package ldfitest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of a system of which executions of one schedule differ a failure says how often it
// breaks, a kept schedule is executed 20 times, and one that breaks in none of them is
// told.
func TestFailuresAreCounted(t *testing.T) {
	dir := t.TempDir()
	out, err := goTest(t, dir, "lucky")
	require.Error(t, err)
	require.Contains(t, out, "faults  isolate b@2; isolate b@3   (2 faults, all needed: without any one of them, fewer than 7 of 20 executions break; breaks in 14 of 20 executions of this schedule; `ldfi test` or `ldfi overlay` makes it exact)")
	require.NotContains(t, out, "confirmed")
	text, err := os.ReadFile(filepath.Join(dir, file))
	require.NoError(t, err)
	require.Equal(t, "# lucky breaks its property one leader per term:\n# violation(1, a, b)\n# breaks in 14 of 20 executions of this schedule; `ldfi test` or `ldfi overlay` makes it exact\n# "+command+"\nisolate b@2; isolate b@3\n", string(text))

	out, err = goTest(t, dir, "lucky")
	require.Error(t, err)
	require.Contains(t, out, "often   breaks in 14 of 20 executions of this schedule; `ldfi test` or `ldfi overlay` makes it exact")
	require.Contains(t, out, "found   by the schedule that is kept")

	out, err = goTest(t, dir, "never")
	require.NoError(t, err)
	require.Contains(t, out, file+" violates nothing any more: it holds in 20 of 20 executions of this schedule; `ldfi test` or `ldfi overlay` makes it exact")
}
