package suite_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/stretchr/testify/require"
)

// read reads the text of a suite, and returns how many bytes it took and its error.
func read(t *testing.T, text string) (uint64, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), suite.FileName)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := suite.Read(file)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// What is nested deeply is refused before the parser takes gigabytes for it.
func TestNesting(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"brackets": "cases: " + strings.Repeat("[", n), "closed": "cases: " + strings.Repeat("[", n/2) + strings.Repeat("]", n/2),
		"lines": "cases:\n" + strings.Repeat("[\n", n/2), "braces": "cases: " + strings.Repeat("{a: ", n/4), "both": "cases: " + strings.Repeat("[{a: ", n/5),
		"dashes": strings.Repeat("- ", n/2) + "x", "questions": strings.Repeat("? ", n/2) + "x", "keys": "cases: " + strings.Repeat("a: ", n/3),
		"anchors": "cases: " + strings.Repeat("&a ", n/3), "tags": "cases: " + strings.Repeat("! ", n/2), "comments": "cases: " + strings.Repeat("[ # x\n", n/6),
		"quotes": "cases: \"]\\\"\" \n" + strings.Repeat("['', ", n/5),
	} {
		t.Run(name, func(t *testing.T) {
			bytes, err := read(t, text)
			require.ErrorContains(t, err, "this is nested too deeply (at most 100 levels)")
			require.Regexp(t, `ldfi.yaml:\d+:\d+: `, err.Error())
			require.Less(t, bytes, uint64(20<<20))
		})
	}
}

// Brackets in texts and comments are no levels.
func TestNestingOfTexts(t *testing.T) {
	brackets := strings.Repeat("[", 200)
	_, err := read(t, "# "+brackets+"\ncases:\n- name: \""+brackets+"\\\"\"\n  system: '"+brackets+"'\n- name: x # "+brackets+"\n  system: a\n")
	require.NoError(t, err)
}

// Aliases stand for no more than somebody could write.
func TestAliases(t *testing.T) {
	const n = 600
	text := "cases:\n- name: first\n  files: &f [" + strings.TrimSuffix(strings.Repeat("ldfi.yaml, ", n), ", ") + "]\n"
	text += strings.Repeat("- {name: x, files: *f}\n", n)
	bytes, err := read(t, text)
	require.ErrorContains(t, err, "with what aliases stand for this suite has more than 200000 values")
	require.Less(t, bytes, uint64(4<<30))
}
