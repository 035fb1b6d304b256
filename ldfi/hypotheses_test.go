package ldfi_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

func hypotheses(t *testing.T, text string, require_, forbid []string) *result.Answer {
	t.Helper()
	p, b := parse(t, text)
	r, err := model(t, p, b, ldfi.Options{Max: 100}).Hypotheses(t.Context(), require_, forbid)
	require.NoError(t, err)
	require.Nil(t, r.Limit)
	return r
}

func texts(r *result.Answer) []string {
	all := []string{}
	for _, c := range r.Counterexamples {
		all = append(all, c.Schedule.String())
	}
	return all
}

func TestHypothesesWithoutAssumptions(t *testing.T) {
	r := hypotheses(t, retry, nil, nil)
	require.True(t, r.Complete)
	require.Nil(t, r.Conflict)
	require.Equal(t, []string{
		"crash a@2; omit a>b@1", "crash a@2; omit a>c@1",
		"crash a@3; omit a>b@1; omit a>b@2", "crash a@3; omit a>c@1; omit a>c@2",
	}, texts(r))
	for _, c := range r.Counterexamples {
		require.True(t, c.Confirmed && c.Irreducible)
		require.Equal(t, c.Size == 2, c.Minimal)
		require.NotNil(t, c.Execution)
		require.NotEmpty(t, c.Because)
	}
}

func TestHypothesesUnderAssumptions(t *testing.T) {
	for _, c := range []struct {
		require, forbid, want []string
	}{
		{[]string{"crash a@3"}, nil, []string{"crash a@3; omit a>b@1; omit a>b@2", "crash a@3; omit a>c@1; omit a>c@2"}},
		{nil, []string{"omit a>c"}, []string{"crash a@2; omit a>b@1", "crash a@3; omit a>b@1; omit a>b@2"}},
		{[]string{"omit *>c@2"}, nil, []string{
			"crash a@2; omit a>b@1; omit a>c@2", "crash a@2; omit a>b@1; omit b>c@2",
			"crash a@2; omit a>c@1; omit a>c@2", "crash a@2; omit a>c@1; omit b>c@2",
			"crash a@3; omit a>c@1; omit a>c@2",
			"crash a@3; omit a>b@1; omit a>b@2; omit a>c@2", "crash a@3; omit a>b@1; omit a>b@2; omit b>c@2",
		}},
		{[]string{`post(b, "hello")@6`}, []string{"crash *@3"}, []string{"crash a@2; omit a>c@1"}},
		{nil, []string{`log(b, _)`, "crash *@3"}, []string{"crash a@2; omit a>b@1"}},
	} {
		r := hypotheses(t, retry, c.require, c.forbid)
		require.ElementsMatch(t, c.want, texts(r), "require %q, forbid %q", c.require, c.forbid)
		require.True(t, r.Complete)
	}
}

// A fact of the promise can be assumed in any round, not only in the last one, in which
// the promise looks at it.
func TestHypothesesUnderFactsOfEarlierRounds(t *testing.T) {
	early := hypotheses(t, retry, []string{`post(b, "hello")@3`}, nil)
	late := hypotheses(t, retry, []string{`log(b, "hello")@3`}, nil)
	require.NotEmpty(t, texts(late))
	require.Equal(t, texts(late), texts(early))
	require.Empty(t, texts(hypotheses(t, retry, nil, []string{`post(_, _)@2`, `post(_, _)@3`})))
}

// A fault that is required and not needed is called that, and what has it is not
// called minimal.
func TestFaultsThatAreRequiredAndNotNeeded(t *testing.T) {
	r := hypotheses(t, retry, []string{"omit b>c@2"}, []string{"crash a@3"})
	require.Len(t, r.Counterexamples, 2)
	for _, c := range r.Counterexamples {
		require.Equal(t, "omit b>c@2", c.Unneeded.String())
		require.False(t, c.Minimal || c.Irreducible)
		require.Empty(t, c.Among)
	}
	r = hypotheses(t, retry, []string{"crash a@3"}, nil)
	for _, c := range r.Counterexamples {
		require.Zero(t, c.Unneeded.Size())
		require.True(t, c.Minimal && c.Irreducible)
		require.Equal(t, "the schedules within the bounds that meet the assumptions", c.Among)
	}
}

// What is required and lies outside the bounds leaves nothing to be asked.
func TestAssumptionsOutsideTheBounds(t *testing.T) {
	for _, text := range []string{gossip, retry} {
		r := hypotheses(t, text, []string{"isolate a@2"}, nil)
		require.Equal(t, result.Holds, r.Verdict)
		require.Equal(t, "no schedule within the bounds meets the assumptions, so nothing is asked", r.Vacuity)
	}
	require.Empty(t, hypotheses(t, gossip, []string{"crash a"}, nil).Vacuity)
}

func TestConflictingAssumptions(t *testing.T) {
	for _, c := range []struct {
		require, forbid []string
		want            result.Conflict
	}{
		{[]string{"omit b>c"}, []string{"crash a@4", "crash a"}, result.Conflict{Forbid: []string{"crash a"}}},
		{[]string{"crash a@2", "omit a>c", "crash b"}, nil, result.Conflict{Require: []string{"crash b"}}},
		{[]string{"crash a@2", "omit a>b", "crash a@3"}, nil, result.Conflict{Require: []string{"crash a@2", "crash a@3"}, Scope: true}},
		{[]string{"omit b>c"}, []string{"omit a>b", "omit b>a", "omit a>c"}, result.Conflict{Forbid: []string{"omit a>b", "omit a>c"}}},
		{[]string{"omit a>c@4"}, nil, result.Conflict{Require: []string{"omit a>c@4"}, Scope: true}},
		{[]string{`post(c, "hello")`, `post(b, "hello")`}, nil, result.Conflict{Require: []string{`post(c, "hello")`, `post(b, "hello")`}}},
	} {
		r := hypotheses(t, retry, c.require, c.forbid)
		require.Empty(t, r.Counterexamples)
		require.True(t, r.Complete)
		require.Equal(t, &c.want, r.Conflict, "require %q, forbid %q", c.require, c.forbid)
	}
	r := hypotheses(t, gossip, []string{"crash a"}, nil)
	require.Equal(t, &result.Conflict{}, r.Conflict)
}

func TestAssumptionErrors(t *testing.T) {
	p, b := parse(t, retry)
	for text, wrong := range map[string]string{
		"crash z":            `there is no process "z"`,
		"crash a@7":          "round 7 is after the last round, 6",
		"melt a":             `there is no fault "melt"`,
		"post(c)":            "post has 2 columns",
		"posts(c, 1)":        "the program has no relation posts",
		"post(c, 1)@7":       "round 7 is after the last round, 6",
		"post(c, ":           `assumption "post(c, "`,
		`log(c, "hello")@no`: `assumption`,
	} {
		_, err := model(t, p, b, ldfi.Options{}).Hypotheses(t.Context(), []string{text}, nil)
		require.ErrorContains(t, err, wrong, text)
		_, err = model(t, p, b, ldfi.Options{}).Hypotheses(t.Context(), nil, []string{text})
		require.ErrorContains(t, err, wrong, text)
	}
}
