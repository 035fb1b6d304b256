package subject

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// keep writes an entry of that size and age.
func keep(t *testing.T, file string, size int, age time.Duration) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, make([]byte, size), 0o600))
	at := time.Now().Add(-age)
	require.NoError(t, os.Chtimes(file, at, at))
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	keep(t, file("unused"), 1, unusedFor+time.Hour)
	keep(t, file("old"), mostInShard/2, 3*time.Hour)
	keep(t, file("young"), mostInShard/2, 2*time.Hour)
	keep(t, file("new"), mostInShard/4, 0)
	prune(dir, file("new"), time.Now())
	require.NoFileExists(t, file("unused"))
	require.NoFileExists(t, file("old"))
	require.FileExists(t, file("young"))
	keep(t, file("new"), 2*mostInShard, 0)
	prune(dir, file("new"), time.Now())
	require.NoFileExists(t, file("young"))
	require.FileExists(t, file("new"), "an entry is not removed by its own writing")
	prune(file("none"), file("none"), time.Now())
}

// What is asked for is not old; what nobody asks for is removed by what is written
// beside it.
func TestCachePrunes(t *testing.T) {
	c := NewCache(t.TempDir(), "v")
	require.NoError(t, c.Put("key", &result.Answer{Verdict: result.Holds}))
	file := c.file("key")
	old := time.Now().Add(-unusedFor - time.Hour)
	require.NoError(t, os.Chtimes(file, old, old))
	a, err := c.Get("key")
	require.NoError(t, err)
	require.NotNil(t, a)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), info.ModTime(), time.Minute)

	require.NoError(t, os.Chtimes(file, old, old))
	for i := 0; ; i++ {
		key := fmt.Sprint(i)
		if filepath.Dir(c.file(key)) == filepath.Dir(file) {
			require.NoError(t, c.Put(key, &result.Answer{Verdict: result.Holds}))
			break
		}
	}
	require.NoFileExists(t, file)
}
