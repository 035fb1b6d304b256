package main

import (
	"fmt"
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
	lanes := time.Duration(min(runtime.GOMAXPROCS(0), 2)) // packages
	begin := func(s *shares, pkg, test string, after int, want time.Duration, why string) {
		t.Helper()
		require.InDelta(t, want, s.begin(pkg, test, after), float64(time.Second), why)
		s.end(pkg, test)
	}
	begin(first, "m/a", "TestX/p", 1, time.Hour*lanes/4, "one of two properties, and two more places where systems are searched")
	begin(first, "m/a", "TestX/q", 0, time.Hour*lanes/3, "the other property, and those two places")
	begin(first, "m/b", "TestY/p", 3, time.Hour*lanes/5, "one of four properties, and one place in another package")
	begin(first, "m/b", "TestY/q", 2, time.Hour*lanes/4, "one of three, and that place")
	begin(first, "m/b", "TestY/r", 1, time.Hour*lanes/3, "what the others do not use goes to the next")
	require.GreaterOrEqual(t, first.begin("m/b", "TestY/unexpected", 0), leastShare)
	first.end("m/b", "TestY/unexpected")
	require.NoError(t, first.keep())

	packages[1].Digest = "2"
	packages = append(packages, gobuild.TestPackage{ImportPath: "m/new", Searches: true, Sites: 1, Digest: "1"})
	second := newShares(time.Hour, "/here")
	second.expect(packages)
	require.Equal(t, []string{"m/b", "m/new", "m/a", "m/none"}, second.order(packages))
	begin(second, "m/a", "TestX/p", 1, time.Hour*time.Duration(min(runtime.GOMAXPROCS(0), 3))/7, "what has not changed gets one of seven")
	begin(second, "m/new", "TestNew/p", 0, time.Hour*lanes/5, "what is new gets one of the five that are new or have changed")

	none := newShares(0, "/here")
	require.Zero(t, none.begin("m/a", "TestX/p", 0), "without a budget there is no limit")

	used := newShares(time.Nanosecond, "/elsewhere")
	used.expect(packages)
	require.Equal(t, leastShare, used.begin("m/a", "TestX/p", 0))
}

// Without anything that is remembered, the properties of the only test share the budget evenly.
func TestSharesOfOneSystem(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	s := newShares(time.Hour, "/here")
	s.expect([]gobuild.TestPackage{{ImportPath: "m/a", Searches: true, Sites: 1, Digest: "1"}})
	for after := 3; after >= 0; after-- {
		test := fmt.Sprintf("TestX/%d", after)
		require.InDelta(t, time.Hour/time.Duration(after+1), s.begin("m/a", test, after), float64(time.Second), "none has used any time")
		s.end("m/a", test)
	}
}
