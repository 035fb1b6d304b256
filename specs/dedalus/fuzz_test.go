package dedalus_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// seeds adds programs to begin with, beside those of testdata/fuzz.
func seeds(f *testing.F) {
	for _, file := range []string{"testdata/errors.txt", "../../internal/vet/testdata/warnings.txt"} {
		_, cases := golden.Cases(f, file)
		for _, c := range cases {
			f.Add(c.Input)
		}
	}
	for seed := range uint64(5) {
		f.Add(generate.Random(seed).Text)
	}
}

// checked requires that what is wrong with a text is told with its place.
func checked(t *testing.T, text string, err error) {
	var errs specs.Errors
	require.True(t, errors.As(err, &errs), "%v", err)
	require.NotEmpty(t, errs)
	for _, e := range errs {
		require.NotEmpty(t, e.Message)
		require.Positive(t, e.Line)
		require.LessOrEqual(t, e.Line, strings.Count(text, "\n")+1)
		require.Positive(t, e.Column)
	}
	require.NotEmpty(t, err.Error())
}

// A text is a program, which prints as the same program, or it has errors.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := dedalus.ParseText("fuzz.ded", text)
		if err != nil {
			checked(t, text, err)
			return
		}
		for _, warnings := range [][]specs.Warning{
			vet.Text(p), vet.Locations(p, []string{"a", "b"}), vet.Rounds(p, 3), vet.Locality(p),
		} {
			for _, w := range warnings {
				require.NotEmpty(t, w.String())
			}
		}
		again, err := dedalus.ParseText("fuzz.ded", p.String())
		require.NoError(t, err)
		require.Equal(t, p.String(), again.String())
		require.Equal(t, p.String(), p.Slice(names(p)...).String())
	})
}

// Long and deep texts are refused, or read, like short ones.
func TestHugeTexts(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 100_000),
		"p(X) :- q(X), " + strings.Repeat("(", 100_000) + "X",
		"p(X" + strings.Repeat("+X", 100_000) + ") :- q(X);",
		"p(" + strings.Repeat("X,", 10_000) + "X) :- q(X);",
		"p(X) :- q(X)" + strings.Repeat(", notin q(X), X != 1", 1_000) + ";",
		strings.Repeat("p(;", 10_000),
		strings.Repeat("p(\"\n", 10_000),
		strings.Repeat("p(\"a\")@1;", 2_000),
		strings.Repeat("p(X) :- q(X); q(X) :- notin p(X);", 1_000),
		"p(X) :- q(X" + strings.Repeat("), q(X", 10_000) + ");",
		strings.Repeat("// ldfi: a=b\n", 10_000),
		strings.Repeat("/*", 100_000),
		strings.Repeat("/**/", 100_000),
	} {
		p, err := dedalus.ParseText("huge.ded", text)
		if err != nil {
			checked(t, text, err)
		} else {
			vet.Text(p)
		}
		_, err = dedalus.Format("huge.ded", []byte(text))
		if err != nil {
			checked(t, text, err)
		}
	}
}

// Formatting keeps the meaning, and formatting twice is formatting once.
func FuzzFormat(f *testing.F) {
	seeds(f)
	f.Add("/* a */ p(/* b */X)@next /* c */ :- // d\n q(X), // e\n\n // f\n X /* g\n h */ != 2 // i\n ; // j")
	f.Fuzz(func(t *testing.T, text string) {
		once, err := dedalus.Format("fuzz.ded", []byte(text))
		if err != nil {
			checked(t, text, err)
			return
		}
		twice, err := dedalus.Format("fuzz.ded", once)
		require.NoError(t, err)
		require.Equal(t, string(once), string(twice))
		before, err := dedalus.ParseText("fuzz.ded", text)
		after, errAfter := dedalus.ParseText("fuzz.ded", string(once))
		if err != nil {
			require.Error(t, errAfter)
			return
		}
		require.NoError(t, errAfter)
		require.Equal(t, before.String(), after.String())
	})
}

// A query prints as the same query, or it has errors.
func FuzzQuery(f *testing.F) {
	for _, text := range []string{`post(c, "hello")@6`, "p()", "p(_, -1)@2", "p(X + 1)", "p(X)@next", "p(X)@0", "p(X) q", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := dedalus.ParseQuery(text)
		if err != nil {
			checked(t, text, err)
			return
		}
		again, err := dedalus.ParseQuery(q.String())
		require.NoError(t, err)
		require.Equal(t, q, again)
	})
}

// names returns the names of a program's relations.
func names(p *dedalus.Program) []string {
	var all []string
	for _, r := range p.Relations() {
		all = append(all, r.Name)
	}
	return all
}
