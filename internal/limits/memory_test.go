package limits

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSizesAreWrittenWithAUnit(t *testing.T) {
	for text, want := range map[string]MemorySize{"500MB": 5e8, "4GB": 4e9, "1.5gb": 15e8, "12kB": 12_000, "1TB": 1e12} {
		var s MemorySize
		require.NoError(t, s.Set(text), text)
		require.Equal(t, want, s, text)
		var again MemorySize
		require.NoError(t, again.Set(s.String()), s.String())
		require.Equal(t, s, again)
	}
	for _, text := range []string{"", "4", "GB", "-1GB", "0.1kB", "NaNGB", "1e30TB", "4 gigabytes", "InfMB"} {
		var s MemorySize
		require.ErrorContains(t, s.Set(text), "a size is a number with a unit, such as 500MB", text)
		require.Zero(t, s, text)
	}
	require.Empty(t, MemorySize(0).String())
	require.Equal(t, "25.1GB", MemorySize(25_123_456_789).String())
	require.Equal(t, "1GB", MemorySize(999_999_999).String())
}

func TestTheDefaultIsHalfOfWhatThereIs(t *testing.T) {
	for name, c := range map[string]struct {
		files     map[string]string
		installed int64
		want      MemorySize
	}{
		"a machine":                           {installed: 16e9, want: 8e9},
		"a machine that does not say it":      {want: 4e9},
		"a group without a limit":             {map[string]string{"proc/self/cgroup": "0::/user\n", "groups/user/memory.max": "max\n"}, 16e9, 8e9},
		"a limited group":                     {map[string]string{"proc/self/cgroup": "0::/a/b\n", "groups/a/b/memory.max": "2000000000\n"}, 16e9, 1e9},
		"a group in a limited one":            {map[string]string{"proc/self/cgroup": "0::/a/b\n", "groups/a/memory.max": "2000000000\n", "groups/a/b/memory.max": "max\n"}, 16e9, 1e9},
		"a container":                         {map[string]string{"proc/self/cgroup": "0::/\n", "groups/memory.max": "4000000000\n"}, 16e9, 2e9},
		"a group of the first version":        {map[string]string{"proc/self/cgroup": "5:cpu:/x\n4:memory:/x\n", "groups/memory/x/memory.limit_in_bytes": "6000000000\n"}, 16e9, 3e9},
		"one whose place cannot be seen":      {map[string]string{"proc/self/cgroup": "4:memory:/docker/x\n", "groups/memory/memory.limit_in_bytes": "6000000000\n"}, 16e9, 3e9},
		"a limit beyond what the machine has": {map[string]string{"proc/self/cgroup": "4:memory:/\n", "groups/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 16e9, 8e9},
		"files that are no numbers":           {map[string]string{"proc/self/cgroup": "what\n0::/\n", "groups/memory.max": "x\n"}, 16e9, 8e9},
	} {
		dir := t.TempDir()
		for file, text := range c.files {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
		}
		m := machine{c.installed, filepath.Join(dir, "proc"), filepath.Join(dir, "groups")}
		require.Equal(t, c.want, m.half(), name)
	}
	require.Positive(t, DefaultMemory())
}

func TestEachEvaluationTakesAShare(t *testing.T) {
	ctx := WithMemory(t.Context(), 1000)
	c := MemoryOf(ctx)
	require.Equal(t, MemorySize(250), c.Most())
	require.Equal(t, MemorySize(1000), c.Whole())
	require.True(t, c.Take(250))
	require.False(t, c.With(1))
	require.False(t, c.Take(1))

	c = MemoryOf(DivideMemory(DivideMemory(ctx, 2), 0))
	require.Equal(t, MemorySize(125), c.Most())
	require.Equal(t, MemorySize(1000), c.Whole())
	require.True(t, c.With(125))

	c = MemoryOf(t.Context())
	require.Equal(t, DefaultMemory(), c.Whole(), "without a limit it is half of what the machine has")
	c = MemoryOf(WithMemory(t.Context(), 0))
	require.Equal(t, DefaultMemory()/MemoryShares, c.Most())

	require.Equal(t, MemorySize(2e9), MemorySize(4e9).Part(2))
	require.Equal(t, MemorySize(1000), MemorySize(1000).Part(2), "less cannot be written")
	require.Equal(t, DefaultMemory()/2, MemorySize(0).Part(2))
}
