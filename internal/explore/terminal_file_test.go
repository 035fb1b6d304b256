package explore_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/stretchr/testify/require"
)

// What is saved can be loaded again, also by another program if it has the same processes,
// and whatever cannot be loaded is named and changes nothing.
func TestSaveAndLoad(t *testing.T) {
	e := exploration(t, "delivery/retry.ded")
	other := exploration(t, "election/bully_min.ded") // whose processes are x, w and y
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"wrong": "crash a@2; nonsense\nmore", "binary": "\x00\xff\x1b[2J", "empty": "", "late": "crash a@99", "elsewhere": "crash z@1", "huge": strings.Repeat("crash a@1; ", 200_000),
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	p := explore.NewPlayer(t.Context(), e, options("retry.ded"), 80, 24)
	press := func(p explore.Player, keys string) string {
		for _, key := range strings.Fields(keys) {
			p.Press(key)
		}
		fits(t, p, 80, 24, keys)
		return p.Screen()
	}
	require.Contains(t, press(p, "right c s kept enter"), "saved into kept")
	text, err := os.ReadFile("kept")
	require.NoError(t, err)
	require.Equal(t, "crash a@2\n", string(text))
	require.False(t, e.Unsaved())
	require.Contains(t, press(p, "0 L kept enter"), "faults     crash a@2 ")
	require.NotContains(t, press(p, "u"), "faults     crash a@2 ")
	require.Contains(t, press(p, "U"), "faults     crash a@2 ")

	for file, says := range map[string]string{
		"none": "none: no such file", "wrong": "nonsense", "binary": "binary: ", "late": "99", "elsewhere": "z", "huge": "huge: ", ".": ".", "/dev/null/x": "/dev/null/x: ",
	} {
		screen := press(p, "L "+file+" enter")
		require.Contains(t, screen, "faults     crash a@2 ", file)
		footer := screen[strings.LastIndex(strings.TrimSpace(screen), "\n")+1:]
		require.Contains(t, footer, says, file)
		press(p, "1")
	}
	require.Contains(t, press(p, "s /dev/null/x enter"), "/dev/null/x")
	require.Contains(t, press(p, "s . enter"), "faults     crash a@2 ")
	require.Contains(t, press(p, "L empty enter"), "faults     none;")

	q := explore.NewPlayer(t.Context(), other, options("bully_min.ded"), 80, 24)
	require.Contains(t, press(q, "L kept enter"), "faults     none;")
	require.Contains(t, press(q, "L kept enter"), "kept: ")
}

// What is wrong can be read, also where it is longer than the last line.
func TestALongErrorIsAnAnswer(t *testing.T) {
	p := explore.NewPlayer(t.Context(), exploration(t, "delivery/retry.ded"), options("retry.ded"), 40, 24)
	for _, key := range strings.Fields("e crash space a@1;crash space b@1;isolate space nobody@2 enter") {
		p.Press(key)
	}
	require.Contains(t, p.Screen(), "this cannot be done")
	require.Contains(t, strings.Join(strings.Fields(p.Screen()), " "), "nobody")
	fits(t, p, 40, 24)
}

// What the lower part shows is saved whole, as text: more than is seen of it.
func TestSaveTheAnswer(t *testing.T) {
	var explored []*explore.Exploration
	for range 4 {
		explored = append(explored, exploration(t, "commit/2pc.ded"))
	}
	t.Chdir(t.TempDir())
	for keys, has := range map[string][]string{
		"1 n S diagram enter":           {"because    decides(r1, ", "round  tm           r1", "no post(r3)"},
		"n w pgdown pgdown S why enter": {"why post(r", "not by post(P)", "unanimous"},
		"n w z pgdown S same enter":     {"why post(r", "not by post(P)", "unanimous"},
		"n 3 S facts enter":             {"BROKEN", "facts", "vote("},
	} {
		p := explore.NewPlayer(t.Context(), explored[0], options("2pc.ded"), 80, 24)
		explored = explored[1:]
		fields := strings.Fields(keys)
		for _, key := range fields {
			p.Press(key)
		}
		name := fields[slices.Index(fields, "S")+1]
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NotContains(t, string(text), "\x1b")
		require.Contains(t, string(text), "VIOLATED   ")
		require.NotContains(t, string(text), "pgdown")
		for _, part := range has {
			require.Contains(t, string(text), part, keys)
		}
	}
}
