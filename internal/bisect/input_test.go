package bisect_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// Inputs of the small protocol: whom a sends its value to directly, and who passes
// it on. With direct.ded c gets it straight from a, with relay.ded by b alone, and
// with both.ded either way.
var workloads = map[string]string{
	"in/direct.ded": "// Straight to c.\nsource(\"a\", \"c\")@1;\n",
	"in/relay.ded":  "source(\"a\", \"c\")@1;\nrelay(\"a\", \"b\")@1;\nrelayed(\"b\", \"c\")@1;\n",
	"in/nobody.ded": "relay(\"a\", \"d\")@1;\n",
}

func inputs(t *testing.T, names ...string) []bisect.Input {
	t.Helper()
	write(t, ".", workloads)
	var paths []string
	for _, name := range names {
		paths = append(paths, filepath.Join("in", name+".ded"))
	}
	all, err := bisect.FactInputs(paths)
	require.NoError(t, err)
	return all
}

// The second version is broken with one of two inputs only, whatever the versions
// state themselves: the first and the third state what the second input does.
func TestInputs(t *testing.T) {
	versions := history(t, resends, sendsTwoWays, sendsOnce)
	r := run(t, versions, bisect.Options{Inputs: inputs(t, "direct", "relay")})
	require.Equal(t, result.Violated, r.Verdict)
	golden(t, "inputs.txt", reportText(r))
	golden(t, "inputs.md", func(b *bytes.Buffer) error { return r.WriteMarkdown(b) })
	golden(t, "inputs.json", func(b *bytes.Buffer) error { return r.WriteJSON(b) })
	require.Equal(t, bisect.ByBoth, r.Matrices[0].Conclusion.ChangedBy)
}

// What changes the verdict is told by the verdicts of all versions with all inputs.
func TestWhatChangesTheVerdict(t *testing.T) {
	for _, c := range []struct {
		programs []string
		by       bisect.Factor
	}{
		{[]string{resends, sendsOnce}, bisect.ByVersion},
		{[]string{sendsTwoWays, sendsTwoWays + "\n"}, bisect.ByInput},
		{[]string{resends, sendsTwoWays}, bisect.ByTogether},
		{[]string{sendsOnce, sendsTwoWays}, bisect.ByBoth},
		{[]string{resends, renamed}, bisect.ByNeither},
		{[]string{sendsOnce, sendsByRelay}, bisect.ByNeither},
		{[]string{resends, unreadable, sendsOnce}, bisect.ByVersion},
		{[]string{unreadable, resends}, bisect.ByNeither},
	} {
		m := run(t, history(t, c.programs...), bisect.Options{Inputs: inputs(t, "direct", "relay")}).Matrices[0]
		require.Equal(t, c.by, m.Conclusion.ChangedBy, "%s", m.Conclusion.Sentences)
	}
}

// What is kept about a version is kept with its input, and with what of the program
// the inputs stand for.
func TestCacheOfInputs(t *testing.T) {
	cache := subject.NewCache(t.TempDir(), "test")
	versions := history(t, sendsTwoWays, resends)
	asked := func(names ...string) bisect.Finding {
		return run(t, versions, bisect.Options{Cache: cache, Inputs: inputs(t, names...)}).Matrices[0].Findings[0]
	}
	f := asked("direct") // and the program says itself who passes the value on
	require.Equal(t, bisect.Holds, f.State)
	require.Equal(t, []string{"source"}, []string(f.Instead))
	f = asked("direct", "relay")
	require.Equal(t, bisect.Violated, f.State)
	require.False(t, f.Cached)
	require.True(t, asked("direct").Cached)
	require.True(t, asked("direct", "relay").Cached)
}

// Versions that differ in facts only are one version. What they state is told as
// inputs, never as what left or entered, and --inputs is named.
func TestVersionsThatDifferInInputsOnly(t *testing.T) {
	noRelay := strings.Replace(sendsTwoWays, `relay("a", "b")@1; `, "", 1)
	m := run(t, history(t, sendsTwoWays, noRelay, resends), bisect.Options{}).Matrices[0]
	require.Equal(t, "v1.ded", m.Findings[1].Kin)
	require.Empty(t, m.Findings[2].Kin)
	c := m.Changes[0]
	for _, moved := range append(c.Left, c.Entered...) {
		require.Equal(t, "rule", moved.Kind)
		require.True(t, moved.Present, "the rules are the same")
	}
	require.Empty(t, c.Diff)
	require.Len(t, c.Inputs.Before, 1)
	require.Equal(t, `relay("a", "b")@1;`, c.Inputs.Before[0].Text)
	require.Contains(t, m.Conclusion.Sentences, "v1.ded and v2.ded are one version: they differ in input facts only. Give each version the same inputs with --inputs.")
	r := run(t, history(t, sendsTwoWays, noRelay, resends), bisect.Options{})
	golden(t, "kin.txt", reportText(r))
}

// Each input has its own history, in which the verdict changes once.
func TestFirstBadWithInputs(t *testing.T) {
	versions := history(t, resends, resends+"\n", sendsTwoWays, sendsOnce, sendsOnce+"\n")
	m := run(t, versions, bisect.Options{FirstBad: true, Inputs: inputs(t, "direct", "relay")}).Matrices[0]
	require.Contains(t, m.Conclusion.Sentences, "With direct.ded: v3.ded is the first version in which the promise can be broken: omit a>c@1.")
	require.Contains(t, m.Conclusion.Sentences, "With relay.ded: v4.ded is the first version in which the promise can be broken: omit a>c@1.")
}

// Revisions are given inputs that lie in the working directory.
func TestInputsOfRevisions(t *testing.T) {
	r := story(t)
	t.Chdir(r.dir)
	in := inputs(t, "direct", "relay")
	repository := open(t, r.dir)
	commits, err := repository.Named(t.Context(), []string{"v1", "v2", "v3"})
	require.NoError(t, err)
	versions, err := repository.Revisions(commits, []string{"protocols/send.ded"}, "")
	require.NoError(t, err)
	m := run(t, versions, bisect.Options{Inputs: in}).Matrices[0]
	var states []string
	for _, f := range m.Findings {
		states = append(states, f.Version+" "+f.Input+" "+string(f.State))
	}
	require.Equal(t, []string{
		"v1 direct.ded holds", "v2 direct.ded violated", "v3 direct.ded violated",
		"v1 relay.ded holds", "v2 relay.ded violated", "v3 relay.ded holds",
	}, states)
}

// An input of a host is one of its systems, settings, or both.
func TestInputsOfASystem(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	versions := inDirectories(t, host, map[string]string{"v1.0.0": sound, "v1.1.0": badA})
	o := oneCrash()
	var err error
	o.Inputs, err = bisect.SystemInputs([]string{"vote", "calm", "vote  crashes=0 omissions=1 seed=7"})
	require.NoError(t, err)
	r := run(t, versions, o)
	golden(t, "systems.txt", reportText(r))
	require.Equal(t, bisect.ByTogether, r.Matrices[0].Conclusion.ChangedBy)

	o.Inputs, err = bisect.SystemInputs([]string{"crashes=1", "crashes=0 omissions=1"})
	require.NoError(t, err)
	o.Question.AsSystem().Executions = 10
	require.Len(t, run(t, versions, o).Matrices, 2, "one for each system of the host")
}

// A harness whose clients ask for something else is told as that, and not as what
// the library does.
func TestRequestsThatChange(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	asks := strings.Replace(host, `message := "", ""`, `message := "", ""; request := fmt.Sprintf(`+"`"+`,{"relation":"request","args":["b",1,%q],"round":1}`+"`"+`, vote.Message); if strings.Contains(r.Schedule, "crash b@1") { request = "" }`, 1)
	asks = strings.Replace(asks, `schedule, fact, message)`, `schedule, fact+request, message)`, 1)
	versions := inDirectories(t, asks, map[string]string{"1": sound, "2": badA, "3": strings.Replace(sound, `"vote"`, `"ballot"`, 1)})
	m := run(t, versions, onlyVote()).Matrices[0]
	require.Len(t, m.Changes, 2)
	require.Nil(t, m.Changes[0].Inputs)
	c := m.Changes[1]
	require.Equal(t, `request(b, 1, "vote")@1`, c.Inputs.Before[0].Text)
	require.Equal(t, `request(b, 1, "ballot")@1`, c.Inputs.After[0].Text)
	for _, moved := range append(c.Left, c.Entered...) {
		require.NotEqual(t, "request", moved.Text)
	}
	require.Contains(t, m.Conclusion.Sentences, "From 2 to 3 both the requests of clients and the program change: ldfi cannot say which of them changed the verdict.")
}

func TestWrongInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", workloads)
	write(t, ".", map[string]string{"rule.ded": "a(\"x\")@1;\nb(X) :- a(X);\n", "empty.ded": "// nothing\n", "broken.ded": "a(\"x\")@;\n"})
	for _, c := range []struct {
		files   []string
		message string
	}{
		{[]string{"rule.ded"}, "rule.ded:2:1: an input has facts only, and this is a rule"},
		{[]string{"empty.ded"}, "empty.ded states no facts"},
		{[]string{"broken.ded"}, "broken.ded:1:"},
		{[]string{"nowhere.ded"}, "nowhere.ded"},
		{[]string{"in"}, "in"},
		{[]string{"in/direct.ded", "in/direct.ded"}, "the input direct.ded is given twice"},
	} {
		_, err := bisect.FactInputs(c.files)
		require.ErrorContains(t, err, c.message)
	}
	for text, message := range map[string]string{
		"":                        "an input is the name of a system of the host, or settings such as crashes=1; this one is empty",
		"one two":                 `the input "one two" names two systems, one and two`,
		"one crashes=":            "crashes= is not key=value",
		"crashes=1 crashes=2":     "crashes=2 is not key=value, once for each key",
		"seed=x":                  "the seed x is no number",
		`kinds="PUT /kv" one two`: `the input "kinds=\"PUT /kv\" one two" names two systems, one and two`,
		"goals=every":             "there is no setting goals; the settings are eot, eff",
		"one luck=7":              "there is no setting luck",
	} {
		_, err := bisect.SystemInputs([]string{text})
		require.ErrorContains(t, err, message)
	}
	require.NoError(t, os.Remove("empty.ded"))
}
