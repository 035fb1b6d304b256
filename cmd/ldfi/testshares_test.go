package main

import (
	"runtime"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/stretchr/testify/require"
)

// What was never searched, and what has changed since, shares what is left among themselves;
// their packages are tested first.
func TestSharesOfABudget(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	packages := []gobuild.TestPackage{
		{ImportPath: "m/a", Searches: true, Sites: 2, Digest: "1"},
		{ImportPath: "m/b", Searches: true, Sites: 1, Digest: "1"},
		{ImportPath: "m/none"},
	}
	first := newShares(time.Hour, "/here")
	first.expect(packages)
	require.Equal(t, []string{"m/a", "m/b", "m/none"}, first.order(packages))
	lanes := time.Duration(min(runtime.GOMAXPROCS(0), 3))
	require.InDelta(t, time.Hour*lanes/3, first.begin("m/a", "TestX/p"), float64(time.Second), "one of three")
	first.end("m/a", "TestX/p")
	require.Greater(t, first.begin("m/a", "TestX/q"), 29*time.Minute, "what the first did not use goes to the others")
	first.end("m/a", "TestX/q")
	require.InDelta(t, time.Hour, first.begin("m/b", "TestY/p"), float64(time.Second), "the last")
	first.end("m/b", "TestY/p")
	require.GreaterOrEqual(t, first.begin("m/b", "TestY/unexpected"), leastShare)
	first.end("m/b", "TestY/unexpected")
	require.NoError(t, first.keep())

	packages[1].Digest = "2"
	packages = append(packages, gobuild.TestPackage{ImportPath: "m/new", Searches: true, Sites: 1, Digest: "1"})
	second := newShares(time.Hour, "/here")
	second.expect(packages)
	require.Equal(t, []string{"m/b", "m/new", "m/a", "m/none"}, second.order(packages))
	lanes = time.Duration(min(runtime.GOMAXPROCS(0), 3))
	require.InDelta(t, time.Hour*lanes/5, second.begin("m/a", "TestX/p"), float64(time.Second), "what has not changed gets one of five")
	second.end("m/a", "TestX/p")
	require.InDelta(t, time.Hour*lanes/3, second.begin("m/new", "TestNew/p"), float64(time.Second), "what is new gets one of the three that are new or have changed")

	none := newShares(0, "/here")
	require.Zero(t, none.begin("m/a", "TestX/p"), "without a budget there is no limit")

	used := newShares(time.Nanosecond, "/elsewhere")
	used.expect(packages)
	require.Equal(t, leastShare, used.begin("m/a", "TestX/p"))
}
