package ldfi_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// A promise that breaks when its broadcaster crashes, or is cut off, is kept as far
// as that cannot be. What contradicts an assumption is refused wherever it is named.
func TestAssumptions(t *testing.T) {
	ctx := t.Context()
	for settings, verdict := range map[string]result.Verdict{
		"":                              result.Violated,
		"never-crash=b,c":               result.Violated,
		"never-crash=a":                 result.Holds,
		"reliable=a>c":                  result.Violated,
		"reliable=a>*":                  result.Holds,
		"reliable=a>b,a>c":              result.Holds,
		"never-crash=a reliable=b>a":    result.Holds,
		"never-crash=a isolations=1":    result.Holds,
		"isolations=1 reliable=*>a,c>*": result.Violated,
	} {
		p, b := parse(t, retry+"\n// ldfi: "+settings)
		a, err := model(t, p, b, ldfi.Options{}).Check(ctx)
		require.NoError(t, err)
		require.Equal(t, verdict, a.Verdict, "%q: %s", settings, a.Scope.Text)
	}

	p, b := parse(t, retry+"\n// ldfi: never-crash=a reliable=*>c,c>*")
	m := model(t, p, b, ldfi.Options{})
	for schedule, wrong := range map[string]string{
		"crash a@2":     "schedule: crash a@2: a never crashes (never-crash=a)",
		"omit b>c@1":    "schedule: omit b>c@1: what b sends c cannot be lost: *>c is reliable",
		"isolate c@1":   "schedule: isolate c@1: nothing that c sends or is sent can be lost: reliable are *>c and c>*",
		"reliable a>b;": "schedule: reliable a>b: a Dedalus program has no such setting in its schedules: its own settings, or --reliable, say that",
	} {
		s, err := rounds.ParseSchedule(schedule)
		require.NoError(t, err)
		if s.CheckProgram() == nil {
			_, err = m.Inject(ctx, s)
			require.EqualError(t, err, wrong)
		} else {
			require.EqualError(t, s.CheckProgram(), wrong)
		}
		_, err = m.Why(ctx, `post(c, "hello")`, s)
		require.EqualError(t, err, wrong)
	}
	for _, assumed := range []struct{ require, forbid []string }{
		{[]string{"crash a"}, nil}, {nil, []string{"crash a@2"}}, {[]string{"omit *>c@1"}, nil}, {[]string{"omit c>*"}, nil},
	} {
		_, err := m.Hypotheses(ctx, assumed.require, assumed.forbid)
		require.ErrorContains(t, err, "there is no such fault: ")
	}
	_, err := m.Hypotheses(ctx, []string{"omit *>b", "crash *"}, nil)
	require.NoError(t, err, "others are left")
}

// What arrives in spite of an isolation says why, and so does the reason of what is
// missing.
func TestWhyUnderAssumptions(t *testing.T) {
	p, b := parse(t, retry+"\n// ldfi: isolations=1 period=6 reliable=a>b")
	s, err := rounds.ParseSchedule("isolate a@1..2; crash a@3")
	require.NoError(t, err)
	m := model(t, p, b, ldfi.Options{})
	e, err := m.Why(t.Context(), `log(b, "hello")@2`, s)
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, e.WriteText(&text))
	require.Contains(t, text.String(), "message a>b arrives in round 1 (a>b is reliable)")
	in, err := m.Inject(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, result.Violated, in.Verdict)
	require.Contains(t, in.Because[0], "lost in rounds 1..2 (isolate a@1..2)")
}
