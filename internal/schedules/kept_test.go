package schedules_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// What was kept is read again, and what is kept next gets a file of its own.
func TestKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "case")
	crash, err := rounds.ParseSchedule("crash a@2; isolate b@1..4")
	require.NoError(t, err)
	for n, schedule := range []rounds.Schedule{crash, {}} { // the second breaks without faults
		files, next, err := schedules.KeptFiles(dir, "no loss/ever")
		require.NoError(t, err)
		require.Len(t, files, n)
		require.Equal(t, filepath.Join(dir, []string{"no_loss_ever.txt", "no_loss_ever-2.txt"}[n]), next)
		require.NoError(t, schedules.WriteKept(next, schedule, "what it breaks,\n\nand how"))
		again, err := schedules.ReadKept(next)
		require.NoError(t, err)
		require.Equal(t, schedule.String(), again.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "no_loss_ever.txt"))
	require.NoError(t, err)
	require.Equal(t, "# what it breaks,\n#\n# and how\ncrash a@2; isolate b@1..4\n", string(text))
}

func TestFilesThatKeepNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.txt")
	_, err := schedules.ReadKept(file)
	require.ErrorIs(t, err, os.ErrNotExist)
	for text, want := range map[string]string{
		" \n":          "x.txt: the file is empty; restore the schedule",
		"# why\n":      "x.txt: the file has only comments; restore the schedule that was kept in it, write none where there are no faults, or delete it",
		"# why\ncrush": "x.txt: schedule: column 1: ",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := schedules.ReadKept(file)
		require.ErrorContains(t, err, want)
	}
}
