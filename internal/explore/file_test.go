package explore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// begin explores a protocol of testdata, with other bounds than its own.
func begin(t *testing.T, file string, bounds map[string]string) *explore.Exploration {
	t.Helper()
	return exploring(t, &subject.Protocol{Common: subject.Common{Bounds: bounds, Max: 1000, Bare: true}, Files: []string{"../../testdata/protocols/" + file}})
}

func exploring(t *testing.T, about subject.Subject) *explore.Exploration {
	t.Helper()
	o, err := about.Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { o.Close() })
	e, err := explore.New(t.Context(), o)
	require.NoError(t, err)
	return e
}

// What is saved comes back with its locks, in one step that undo takes back; everybody else
// reads the schedule of the file.
func TestSave(t *testing.T) {
	e := begin(t, "delivery/retry.ded", nil)
	require.NoError(t, e.SetText("crash a@2; omit a>b@1"))
	locks := []explore.Lock{{Text: "crash a@2", Must: true}, {Text: "omit *>c"}, {Text: `post(c, "hello")`, Must: true}}
	for _, l := range locks {
		require.NoError(t, e.Lock(l))
	}
	file := filepath.Join(t.TempDir(), "x.txt")
	require.NoError(t, e.Save(file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "# lock: must crash a@2\n# lock: must not omit *>c\n# lock: must post(c, \"hello\")\ncrash a@2; omit a>b@1\n", string(text))
	for _, read := range []func() (rounds.Schedule, error){
		func() (rounds.Schedule, error) { return rounds.ParseSchedule(string(text)) },
		func() (rounds.Schedule, error) { return schedules.ReadKept(file) },
	} {
		s, err := read()
		require.NoError(t, err)
		require.Equal(t, "crash a@2; omit a>b@1", s.String())
	}

	other := begin(t, "delivery/retry.ded", nil)
	require.NoError(t, other.Lock(explore.Lock{Text: "crash b"}))
	require.NoError(t, other.Load(file))
	require.Equal(t, locks, other.Locks())
	require.Equal(t, "crash a@2; omit a>b@1", other.Schedule().String())
	require.False(t, other.Unsaved())
	require.True(t, other.Undo())
	require.Equal(t, []explore.Lock{{Text: "crash b"}}, other.Locks())
	require.Empty(t, other.Schedule().String())
}

// Files that were written before there were locks in them, and such as are kept, are read.
// Of what is wrong nothing is taken.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	e := begin(t, "delivery/retry.ded", nil)
	file := filepath.Join(dir, "x.txt")
	load := func(text string) error {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		return e.Load(file)
	}
	require.NoError(t, load("crash a@2\n"))
	require.Equal(t, "crash a@2", e.Schedule().String())
	require.NoError(t, e.Lock(explore.Lock{Text: "crash b"}))
	require.NoError(t, load("# violates post: must not matter\nomit a>b@1\n"))
	require.Equal(t, "omit a>b@1", e.Schedule().String())
	require.Empty(t, e.Locks())
	for text, wrong := range map[string]string{
		"# lock: must crash z\ncrash a@1":   `the lock "must crash z": fault pattern "crash z": there is no process "z"`,
		"# lock: crash a\ncrash a@1":        `the lock "crash a": it begins with must or must not`,
		"# lock: must\ncrash a@1":           `the lock "must": it begins with must or must not`,
		"# lock: must not crash a\ncrash z": "expected",
		"# lock: must crash b\ncrash z@1":   `there is no process "z"`,
	} {
		err := load(text)
		require.ErrorContains(t, err, wrong)
		require.ErrorContains(t, err, file)
		require.Equal(t, "omit a>b@1", e.Schedule().String())
		require.Empty(t, e.Locks())
	}
	require.NoError(t, e.Lock(explore.Lock{Text: "post(c, \"x\ny\")", Must: true}))
	require.ErrorContains(t, e.Save(file), "has more than one line and cannot be saved")
}
