package property_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

func TestPanicsOfFunctionsAreErrors(t *testing.T) {
	p := property.Property{Name: "mine", Func: func(*recording.Execution) []result.Violation { panic("no") }}
	_, err := p.Check(twoLeaders())
	require.EqualError(t, err, `property "mine": its function panics: no`)
}

// Rules look at messages if they read a relation that is about messages.
func TestFactsOnly(t *testing.T) {
	for _, r := range datalog.Environment {
		rules := fmt.Sprintf("violation(1) :- %s(%s);", r.Name, strings.Repeat("_, ", len(r.Columns)-1)+"_")
		c, err := property.Compile(property.Property{Name: "p", Rules: datalog.Dedalus("p.ded", rules)})
		require.NoError(t, err)
		require.Equal(t, r.Columns[0] != "From", c.FactsOnly(), r)
	}
}

// A pre without its post is something that has not happened by the end, unless the
// rules read which round is the last, or the property says so. A violation is not.
func TestByEnd(t *testing.T) {
	const pre, reads = "pre(P) :- process(P); post(P) :- crashed(P, _);", "pre(P) :- last(P, _); post(P) :- crashed(P, _); last(P, N) :- process(P), eot(N);"
	for _, test := range []struct {
		rules string
		says  bool
		byEnd bool
	}{
		{pre, false, true},
		{reads, false, false},
		{reads, true, true},
		{"violation(P) :- process(P);", false, false},
		{"violation(P) :- process(P);", true, true},
	} {
		p := property.Property{Name: "p", Rules: datalog.Dedalus("p.ded", test.rules), ByEnd: test.says}
		c, err := property.Compile(p)
		require.NoError(t, err)
		for _, c := range []*property.Checker{c, c.Clone()} {
			violations, err := c.Check(twoLeaders())
			require.NoError(t, err)
			require.NotEmpty(t, violations)
			for _, v := range violations {
				require.Equal(t, test.byEnd, v.ByEnd, test.rules)
			}
		}
	}
	for _, says := range []bool{true, false} {
		p := property.Property{Name: "p", ByEnd: says, Func: func(*recording.Execution) []result.Violation { return make([]result.Violation, 1) }}
		violations, err := p.Check(twoLeaders())
		require.NoError(t, err)
		require.Equal(t, says, violations[0].ByEnd)
	}
	require.True(t, property.EventualProgress("leader", 2, 5).ByEnd)
}
