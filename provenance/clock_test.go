package provenance_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestSaturated says for programs with a clock up to which number it is counted, or which rule
// tells its numbers apart.
func TestSaturated(t *testing.T) {
	const clock = `clock("a", 1)@1; clock(P, N + 1)@next :- clock(P, N);` + "\n"
	for name, c := range map[string]struct {
		program string
		most    int64
		why     string // a part of it
	}{
		"nobody reads it":                           {``, 2, ""},
		"it is compared with a number":              {`violation(P) :- clock(P, N), N > 6;`, 7, ""},
		"a number is added before":                  {`violation(P) :- clock(P, N), N + 3 == 9;`, 7, ""},
		"it has to be one of a few numbers":         {`turn("a", 4)@1; violation(P) :- clock(P, N), turn(P, N)@1;`, 5, ""},
		"it has to follow one of a few numbers":     {`turn("a", 4)@1; violation(P) :- turn(P, N), clock(P, N + 2);`, 7, ""},
		"it must not be one of a few":               {`turn("a", 4)@1; violation(P) :- clock(P, N), notin turn(P, N)@1;`, 5, ""},
		"a count up to a number is no clock":        {`some("a", 1)@1; some(P, N + 1)@next :- some(P, N), N < 9; violation(P) :- clock(P, N), some(P, N);`, 10, ""},
		"the largest of all is as large":            {`kept(P, N)@next :- clock(P, N); last(P, max<N>) :- kept(P, N); violation(P) :- last(P, N), N == 3;`, 4, ""},
		"two that grow are compared":                {`kept(P, N)@next :- clock(P, N); violation(P) :- kept(P, N), clock(P, M), N < M;`, 0, "N is compared with what may grow as well"},
		"two that grow are equal":                   {`kept(P, N)@next :- clock(P, N); violation(P) :- kept(P, N), clock(P, N);`, 0, "N has to be equal in two places"},
		"there is a count for each":                 {`got(P, Q, N)@next :- clock(P, N), some(Q); some("a")@1; votes(P, N, count<Q>) :- got(P, Q, N); violation(P) :- votes(P, _, 2);`, 0, "there is a summary for each N"},
		"it is what the promise is about":           {`pre(P, N) :- clock(P, N); post(P, N)@next :- clock(P, N);`, 0, "it is in pre and in post"},
		"the promise is about a few of its numbers": {`pre(P, N) :- clock(P, N), N < 3; post(P, N)@next :- clock(P, N);`, 3, ""},
		"it is computed with":                       {`violation(P) :- clock(P, N), N % 2 == 0;`, 0, "is compared with"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := dedalus.ParseText("clock.ded", clock+c.program)
			require.NoError(t, err)
			_, clocks := provenance.Saturated(p)
			require.NotEmpty(t, clocks)
			require.Equal(t, c.most, clocks[0].Most, clocks[0].Why)
			require.Contains(t, clocks[0].Why, c.why)
		})
	}
}
