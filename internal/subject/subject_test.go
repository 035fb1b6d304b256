package subject_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

const protocols = "../../testdata/protocols"

// asHost, in the environment, makes this test program the host of a system.
const asHost = "LDFI_TEST_HOST"

func TestMain(m *testing.M) {
	if os.Getenv(asHost) == "" {
		os.Exit(m.Run())
	}
	if err := wire.Serve(election.Buggy(), election.Fixed(), sleepers(), grumpy(), keepers("once", 2), keepers("twice", 2, 7), keepers("nothing")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func open(t *testing.T, s subject.Subject) *subject.Opened {
	t.Helper()
	o, err := s.Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, o.Close()) })
	return o
}

// host is the command that starts this test program as a host.
func host(t *testing.T) string {
	t.Setenv(asHost, "1")
	program, err := os.Executable()
	require.NoError(t, err)
	return text.ShellQuote(program)
}

func schedule(t *testing.T, text string) rounds.Schedule {
	t.Helper()
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s
}

// A protocol that breaks, within its own bounds and within smaller ones.
func TestProtocol(t *testing.T) {
	retry := &subject.Protocol{Common: subject.Common{Dir: protocols}, Files: []string{"delivery/retry.ded"}}
	o := open(t, retry)
	a, err := o.Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	c := a.First()
	require.Equal(t, "crash a@2; omit a>b@1", c.Schedule.String())
	require.Equal(t, 2, c.Size)
	require.True(t, c.Minimal)
	require.NotEmpty(t, c.Because)
	require.NotNil(t, c.Execution)
	v := c.Violations[0]
	require.Equal(t, "post", v.Property)
	require.Equal(t, `post(b, "hello") is missing at round 6 while pre(b, "hello") holds`, v.Text)
	text, err := os.ReadFile(v.File)
	require.NoError(t, err)
	require.Regexp(t, `^post\(`, lineOf(string(text), v.Line)[v.Column-1:])

	retry.Bounds = map[string]string{"crashes": "0"}
	a, err = open(t, retry).Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
	require.True(t, a.Complete)
	require.Equal(t, "4096", a.Scope.Scenarios.String())
}

func lineOf(text string, n int) string {
	for line := range strings.Lines(text) {
		if n--; n == 0 {
			return line
		}
	}
	return ""
}

// A schedule breaks the protocol, or does not, or does not fit it.
func TestReplay(t *testing.T) {
	o := open(t, &subject.Protocol{Common: subject.Common{Dir: protocols}, Files: []string{"delivery/retry.ded"}})
	for text, want := range map[string]result.Verdict{"crash a@2; omit a>c@1": result.Violated, "omit a>c@1": result.Holds, "": result.Holds} {
		a, err := o.Replay(t.Context(), schedule(t, text))
		require.NoError(t, err)
		require.Equal(t, want, a.Verdict, text)
		require.NotNil(t, a.Execution)
	}
	for text, wrong := range map[string]string{
		"crash z@2":                  `there is no process "z"`,
		"crash a@7":                  "there is no round 7",
		"crash a@2; restart a@3":     "restarts need crash=stop",
		"seed 7; crash a@2":          "has no random choices",
		"pause a@2; omit a>b@1":      "has no pauses",
		"isolate b@1..9; omit a>b@1": "there is no round 9",
	} {
		_, err := o.Replay(t.Context(), schedule(t, text))
		var misfit *subject.MisfitError
		require.ErrorAs(t, err, &misfit, text)
		require.ErrorContains(t, err, wrong)
	}
	refusesOfSystems(t, o)
}

// Faults of systems do not fit, and nothing is asked to execute them.
func refusesOfSystems(t *testing.T, o *subject.Opened) {
	t.Helper()
	oracle.RefusesOfSystems(t, func(s rounds.Schedule) error {
		_, err := o.Replay(t.Context(), s)
		require.ErrorAs(t, err, new(*subject.MisfitError))
		return err
	})
}

// The same questions to a system of another program.
func TestSystem(t *testing.T) {
	s := &subject.System{Common: subject.Common{Bounds: map[string]string{"isolations": "1", "period": "2"}}, Command: host(t), Name: "election-buggy"}
	o := open(t, s)
	require.Equal(t, 6, o.Bounds().EOT)
	a, err := o.Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, "isolate c@5..6", a.First().Schedule.String())
	require.Equal(t, "one leader per term", a.First().Violations[0].Property)

	again, err := o.Replay(t.Context(), a.First().Schedule)
	require.NoError(t, err)
	require.Equal(t, a.First().Violations, again.Violations)
	good, err := o.Replay(t.Context(), rounds.Schedule{})
	require.NoError(t, err)
	require.Equal(t, result.Holds, good.Verdict)
	_, err = o.Replay(t.Context(), schedule(t, "crash x@1"))
	var misfit *subject.MisfitError
	require.ErrorAs(t, err, &misfit)

	s.Name, s.Bounds = "election", map[string]string{"isolations": "2", "period": "2", "eff": "3"}
	a, err = open(t, s).Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
	require.True(t, a.Complete)
}

// A schedule of a system says which links are reliable, and replays by itself.
func TestAssumptionsOfASystem(t *testing.T) {
	s := &subject.System{Common: subject.Common{Bounds: map[string]string{"isolations": "1", "period": "2", "reliable": "*>a,b>*", "crashes": "0"}}, Command: host(t), Name: "election-buggy"}
	o := open(t, s)
	a, err := o.Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	found := a.First().Schedule
	require.Equal(t, "*>a,b>*", found.Settings.Reliable)
	again, err := o.Replay(t.Context(), found)
	require.NoError(t, err)
	require.True(t, again.Within)
	require.Equal(t, a.First().Violations, again.Violations)
	require.Equal(t, found.String(), o.Spare(rounds.Schedule{Faults: found.Faults}).String())

	other := found
	other.Settings.Reliable = ""
	outside, err := o.Replay(t.Context(), other)
	require.NoError(t, err)
	require.False(t, outside.Within)
	require.Contains(t, outside.Warnings[0].Message, "but the bounds say that these are reliable: write reliable *>a,b>*; ")

	s.Bounds = nil // it replays without the bounds that it was found within
	again, err = open(t, s).Replay(t.Context(), found)
	require.NoError(t, err)
	require.Equal(t, a.First().Violations, again.Violations)

	s.Bounds = map[string]string{"crashes": "1", "never-crash": "b"}
	_, err = open(t, s).Replay(t.Context(), schedule(t, "crash b@2"))
	require.ErrorAs(t, err, new(*subject.MisfitError))
	require.EqualError(t, err, "schedule: crash b@2: b never crashes (never-crash=b)")
}

// A context that has ended makes no verdict of what is not known.
func TestEnded(t *testing.T) {
	for _, s := range []subject.Subject{
		&subject.Protocol{Common: subject.Common{Dir: protocols}, Files: []string{"paxos/synod.ded"}},
		&subject.System{Common: subject.Common{Bounds: map[string]string{"eff": "3"}}, Command: host(t), Name: "election"},
	} {
		o := open(t, s)
		ended, end := context.WithCancel(t.Context())
		end()
		a, err := o.Search(ended)
		require.NoError(t, err)
		require.Equal(t, result.Inconclusive, a.Verdict)
		require.NotEmpty(t, answertext.Reason(a))
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		subject subject.Subject
		wrong   string
	}{
		{&subject.Protocol{}, "neither a file with a protocol nor a system"},
		{&subject.System{}, "neither a file with a protocol nor a system"},
		{&subject.Protocol{Files: []string{"none.ded"}}, "none.ded: no such file"},
		{&subject.Protocol{Common: subject.Common{Dir: protocols, Bounds: map[string]string{"crashes": "x"}}, Files: []string{"delivery/retry.ded"}}, "--crashes: crashes=x: expected a whole number"},
		{&subject.System{Command: host(t), Name: "other"}, `the host has no system "other"`},
		{&subject.System{Common: subject.Common{Bounds: map[string]string{"goals": "every"}}, Command: host(t), Name: "election"}, "--goals: the properties of a system say what they are judged on"},
		{&subject.System{Command: "no-such-program"}, "no-such-program"},
		{&subject.System{Command: host(t), Properties: []string{"none.mg"}}, "none.mg: no such file"},
	} {
		_, err := c.subject.Open(t.Context())
		require.ErrorContains(t, err, c.wrong)
	}
}

// Equal keys mean equal answers: whatever these depend on changes the key.
func TestKey(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("a.ded", "// ldfi: processes=a,b eot=3\ninclude \"b.ded\";\n")
	write("b.ded", "violation(X) :- here(X);\nhere(\"a\")@1;\n")
	write("rules.mg", "violation(P) :- leader(P, _, _).\n")
	write("host", "\xff")
	seen := map[string]string{}
	fresh := func(what string, s subject.Subject) {
		t.Helper()
		s.Shared().Dir = dir
		key, err := s.Key()
		require.NoError(t, err)
		require.NotContains(t, seen, key, what)
		seen[key] = what
		again, err := s.Key()
		require.NoError(t, err)
		require.Equal(t, key, again)
	}
	a := &subject.Protocol{Files: []string{"a.ded"}}
	fresh("a protocol", a)
	a.Bounds = map[string]string{"crashes": "1"}
	fresh("other bounds", a)
	a.Bounds = map[string]string{"goals": "witnessed"}
	fresh("other goals", a)
	a.Bounds = map[string]string{"never-crash": "a"}
	fresh("an assumption", a)
	a.Bounds = map[string]string{"reliable": "a>b"}
	fresh("another assumption", a)
	write("b.ded", "violation(X) :- here(X);\nhere(\"b\")@1;\n")
	fresh("an included file", a)

	s := &subject.System{Command: "host", Name: "x"}
	key, err := s.Key()
	require.NoError(t, err)
	require.Empty(t, key, "what a system depends on is not known")
	s.Inputs = []string{"host"}
	fresh("a system", s)
	write("host", "\xfe")
	fresh("another program", s)
	s.Properties = []string{"rules.mg"}
	fresh("a property", s)
	write("rules.mg", "violation(P) :- leader(P, _, 1).\n")
	fresh("another property", s)
	s.Seed = 1
	fresh("another seed", s)
	s.Executions = 5
	fresh("fewer executions", s)
	s.Strategy = "sample"
	fresh("a strategy", s)
	s.Bounds = map[string]string{"eot": "9"}
	fresh("more rounds", s)
	s.Bounds = map[string]string{"eot": "9", "reliable": "*>a"}
	fresh("an assumption about a system", s)
	s.Inputs = []string{"none"}
	_, err = s.Key()
	require.ErrorContains(t, err, "no such file")
}

// An answer is the same after JSON.
func TestJSON(t *testing.T) {
	for _, file := range []string{"delivery/retry.ded", "commit/3pc_forward.ded", "traps/vacuous_pre.ded", "traps/vacuous_post.ded"} {
		o := open(t, &subject.Protocol{Common: subject.Common{Dir: protocols}, Files: []string{file}})
		a, err := o.Search(t.Context())
		require.NoError(t, err)
		data, err := json.Marshal(a)
		require.NoError(t, err)
		var b result.Answer
		require.NoError(t, json.Unmarshal(data, &b))
		again, err := json.Marshal(&b)
		require.NoError(t, err)
		require.Equal(t, string(data), string(again))
		require.Equal(t, a.Counterexamples, b.Counterexamples)
	}
}

func TestInjectCommand(t *testing.T) {
	s := schedule(t, "crash a@2; omit a>c@1")
	protocol := &subject.Protocol{Common: subject.Common{Dir: "dir", Bounds: map[string]string{"eot": "7", "crashes": "1"}}, Files: []string{"../a b.ded"}}
	require.Equal(t, `ldfi inject 'a b.ded' --eot 7 --crashes 1 --faults 'crash a@2; omit a>c@1'`, protocol.InjectCommand(s))
	dashed := &subject.Protocol{Files: []string{"-x.ded", "--help/y.ded"}}
	require.Equal(t, "ldfi inject ./-x.ded ./--help/y.ded", dashed.InjectCommand(rounds.Schedule{}))
	system := &subject.System{Common: subject.Common{Dir: "dir", Bounds: map[string]string{"eot": "7", "crashes": "1"}}, Command: "go run ./host", Name: "x", Properties: []string{"p.mg"}}
	require.Equal(t, `cd dir && ldfi inject --system 'go run ./host' --name x --property p.mg --eot 7 --crashes 1`, system.InjectCommand(rounds.Schedule{}))
}

// What the outcome of a protocol rests on are rules and facts with their places,
// and of a system the kinds of what is recorded.
func TestSupport(t *testing.T) {
	o := open(t, &subject.Protocol{Files: []string{protocols + "/delivery/retry.ded"}})
	elements, err := o.Support(t.Context(), schedule(t, "omit a>b@1"))
	require.NoError(t, err)
	require.Contains(t, elements, subject.Element{
		Kind: "rule", Text: "log(P, M)@async :- broadcast(A, M);", Key: "log(V1, V2)@async :- broadcast(V3, V2);",
		File: protocols + "/delivery/retry.ded", Line: 21,
	})
	involved, err := o.Involved()
	require.NoError(t, err)
	require.Subset(t, involved, elements)
	_, err = o.Support(t.Context(), schedule(t, "crash z@1"))
	require.ErrorAs(t, err, new(*subject.MisfitError))

	o = open(t, &subject.System{Command: host(t), Name: "election"})
	elements, err = o.Support(t.Context(), rounds.Schedule{})
	require.NoError(t, err)
	var texts []string
	for _, e := range elements {
		texts = append(texts, e.Kind+" "+e.Text)
	}
	require.Equal(t, []string{"fact leader", "message candidacy", "message vote"}, texts)
	_, err = o.Support(t.Context(), schedule(t, "crash z@1"))
	require.ErrorAs(t, err, new(*subject.MisfitError))
}

func TestSystems(t *testing.T) {
	names, err := (&subject.System{Command: host(t)}).Systems(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"election-buggy", "election", "sleepers", "grumpy", "once", "twice", "nothing"}, names)
}

// The identity of a version does not depend on where it lies, but on all else
// that its answers depend on.
func TestIdentity(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	text, err := os.ReadFile(protocols + "/traps/good.ded")
	require.NoError(t, err)
	identity := func(host string, s subject.Subject) string {
		key, err := open(t, s).Identity(host)
		require.NoError(t, err)
		return key
	}
	var keys []string
	for _, dir := range dirs {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "p.ded"), text, 0o666))
		keys = append(keys, identity("", &subject.Protocol{Common: subject.Common{Dir: dir}, Files: []string{"p.ded"}}))
	}
	require.Equal(t, keys[0], keys[1])
	require.NotEqual(t, keys[0], identity("", &subject.Protocol{Common: subject.Common{Dir: dirs[0], Bounds: map[string]string{"eot": "9"}}, Files: []string{"p.ded"}}))

	command := host(t)
	election := func(host string, bounds map[string]string) string {
		return identity(host, &subject.System{Common: subject.Common{Bounds: bounds}, Command: command, Name: "election"})
	}
	require.Empty(t, election("", nil))
	require.Equal(t, election("build 1", nil), election("build 1", nil))
	require.NotEqual(t, election("build 1", nil), election("build 2", nil))
	require.NotEqual(t, election("build 1", nil), election("build 1", map[string]string{"crashes": "1"}))
	require.NotEqual(t, election("build 1", nil), identity("build 1", &subject.System{Command: command, Name: "election-buggy"}))
}
