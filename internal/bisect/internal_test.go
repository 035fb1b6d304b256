package bisect

import (
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func TestShortNames(t *testing.T) {
	for _, c := range []struct{ paths, names []string }{
		{[]string{"a/b/v1.ded", "a/b/v2.ded"}, []string{"v1.ded", "v2.ded"}},
		{[]string{"a/v1/p.ded", "./a/v2/p.ded"}, []string{"v1/p.ded", "v2/p.ded"}},
		{[]string{"a", "a/b"}, []string{"a", "a/b"}},
		{[]string{"/x/p.ded", "/x/p.ded"}, []string{"p.ded", "p.ded"}},
		{[]string{"one", "two/"}, []string{"one", "two"}},
		{[]string{"..", "."}, []string{"..", "."}},
	} {
		require.Equal(t, c.names, ShortNames(c.paths))
	}
}

// What is known of a revision is known of one command, run in one directory.
func TestKeyOfACommand(t *testing.T) {
	seen := map[string]bool{}
	for _, prefix := range []string{"", "cmd/"} {
		for _, commit := range []string{"1", "2"} {
			for _, command := range []string{"./host", "./host fixed", "./host 'fi xed'", "./host fi xed"} {
				seen[(&Repository{prefix: prefix}).key(Commit{id: commit}, command)] = true
			}
		}
	}
	require.Len(t, seen, 2*2*4)
	elsewhere := filepath.Join(t.TempDir(), "host")
	require.Empty(t, (&Repository{}).key(Commit{id: "1"}, text.ShellJoin(elsewhere)))
}

// A host may say more than anyone reads.
func TestBeginning(t *testing.T) {
	var said beginning
	for range 1000 {
		n, err := said.Write(make([]byte, 1000))
		require.NoError(t, err)
		require.Equal(t, 1000, n)
	}
	require.Equal(t, 1<<16, said.Len())
}

// The first line says what is wrong, and how much more there is to read.
func TestOneLine(t *testing.T) {
	for text, line := range map[string]string{
		"":                             "",
		"wrong":                        "wrong",
		"a.go:1: wrong\nb.go:2: wrong": "a.go:1: wrong (1 more line: --output json)",
		"go: errors parsing go.mod:\ngo.mod:3: wrong":     "go: errors parsing go.mod: go.mod:3: wrong",
		"v.ded:2:1: wrong:\n  a b\n  ^\nv.ded:3:1: wrong": "v.ded:2:1: wrong: a b (2 more lines: --output json)",
	} {
		require.Equal(t, line, oneLine(text))
	}
}

// A program says itself which versions are in it.
func TestCheckLinked(t *testing.T) {
	modules := []*debug.Module{
		{Path: "m.x/plain", Version: "v1.0.0"},
		{Path: "m.x/below", Version: "v1.3.0", Replace: &debug.Module{Path: "m.x/below", Version: "v1.0.0"}},
		{Path: "m.x/fork", Version: "v1.0.0", Replace: &debug.Module{Path: "/fork", Version: "(devel)"}},
	}
	for _, f := range []found{{"m.x/plain", "v1.0.0", ""}, {"m.x/below", "v1.0.0", ""}, {"m.x/fork", "", "/fork"}} {
		require.NoError(t, f.among(modules))
	}
	require.EqualError(t, (&found{"m.x/plain", "v1.1.0", ""}).among(modules), "the program was built with m.x/plain v1.0.0, and not with m.x/plain v1.1.0")
	require.EqualError(t, (&found{"m.x/below", "v1.3.0", ""}).among(modules), "the program was built with m.x/below v1.0.0, and not with m.x/below v1.3.0")
	require.ErrorContains(t, (&found{"m.x/fork", "v1.0.0", ""}).among(modules), "the program was built with /fork")
	require.EqualError(t, (&found{"m.x/none", "v1.0.0", ""}).among(modules), "the program does not use the module m.x/none")
	require.ErrorContains(t, (&found{}).checkLinked("internal_test.go"), "reading what the program was built with")
}

// Inputs whose histories come to the same say so once.
func TestSentencesAreNotRepeated(t *testing.T) {
	change := Change{Before: "1", After: "2", Inputs: &InputChange{Relations: []string{"log"}}}
	m := &Matrix{
		Findings: []Finding{{Version: "1", Input: "x"}, {Version: "2", Input: "x"}, {Version: "1", Input: "y"}, {Version: "2", Input: "y"}},
	}
	for _, from := range []int{0, 2} {
		change.From, change.To = from, from+1
		m.Changes = append(m.Changes, change)
	}
	m.kin()
	require.Len(t, m.Conclusion.Sentences, 1)
}

// How small a schedule is stands behind it in the words of other reports, and what to try stands
// below the table where a search came to no end.
func TestWordsOfOtherReports(t *testing.T) {
	two := rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "a", Round: 1}, {Kind: rounds.Crash, Process: "b", Round: 1}}}
	m := Matrix{Findings: []Finding{{State: Violated, Schedule: two, Size: 2}, {State: Violated, Schedule: two, Size: 2, Irreducible: true}, {Version: "v1"}}}
	require.Equal(t, "crash a@1; crash b@1 (perhaps not minimal)", m.faults(0))
	require.Equal(t, "crash a@1; crash b@1 (none can be left out)", m.faults(1))
	ended := &result.Answer{Verdict: result.Inconclusive, Limit: &result.Limit{Reason: "none found", Advice: []string{"this", "that"}}}
	m.Findings[2].take(ended, true, false)
	require.Equal(t, [][2]string{{"none found", "v1: none found"}, {"try", "v1: this; or that"}}, m.remarks())
}
