package gobuild

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What go test is given is taken apart as go test does it.
func TestParseTest(t *testing.T) {
	for _, c := range []struct {
		words []string
		is    TestArguments
	}{
		{nil, TestArguments{}},
		{[]string{"./..."}, TestArguments{Packages: []string{"./..."}}},
		{[]string{"-race", "-run", "X", "./a", "./b", "-v"}, TestArguments{Build: []string{"-race"}, Test: []string{"-run", "X", "-v"}, Packages: []string{"./a", "./b"}}},
		{[]string{"-tags=x", "--count=2", "-timeout", "5m", "."}, TestArguments{Build: []string{"-tags=x"}, Test: []string{"--count=2", "-timeout", "5m"}, Packages: []string{"."}}},
		{[]string{"./a", "-long", "5", "-run", "Y"}, TestArguments{Packages: []string{"./a"}, Rest: []string{"-long", "5", "-run", "Y"}}},
		{[]string{"./a", "-args", "-run", "Y"}, TestArguments{Packages: []string{"./a"}, Rest: []string{"-args", "-run", "Y"}}},
		{[]string{"-C", "dir", "-test.v"}, TestArguments{Build: []string{"-C", "dir"}, Test: []string{"-test.v"}}},
	} {
		require.Equal(t, c.is, ParseTest(c.words), "%q", c.words)
	}
}

// A package searches if its tests link ldfitest, and its digest follows its sources.
func TestTestPackages(t *testing.T) {
	all, err := TestPackages(t.Context(), ParseTest([]string{"../../examples/counter", "../../examples/tickets", "../text"}))
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.True(t, all[0].Searches && all[0].Virtual && all[0].Sites >= 1 && all[0].Digest != "")
	require.True(t, all[1].Searches && !all[1].Virtual)
	require.False(t, all[2].Searches)
	again, err := TestPackages(t.Context(), ParseTest([]string{"../../examples/counter"}))
	require.NoError(t, err)
	require.Equal(t, all[0], again[0])
}
