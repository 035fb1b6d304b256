package dedalus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

func TestFormat(t *testing.T) {
	const text = "\ufeff" + `

// A header.


// ldfi: processes=a,b   eot=4
p( "a" ,007 ) @1; /* trailing */ /*more*/ q("b")@2;   // a note
/* before */ q(X)@next:-q( X ) ; include   "x.ded" ;
r(X,Y+(1*2)-(3-4),count<Z>)@async :-   p(X,Y),notin q(X)@3,// why

   // on its own
   X!="c",p(_,Z) // the last
   ;
s(X) :- p(X, /* inside */ - 5), (Y) == (1 + 2) * 3, p(X, Y);
long_relation_name(Xxxxxxxxxxxxxxxxxxx) :- another_long_name(Xxxxxxxxxxxxxxxxxxx), a_third_one(Xxxxxxxxxxxxxxxxxxx);
t(X) :-
  p(X, _);
choose  one  coin( each ,0|1 , "x"|  -3 .. -1)@each ; choose some w(any,1..3)@ 2..5;// why
 choose maybe w(2)@2 | 3|4; choose(1)@1; choose one choose()@any;
u("two
lines")@1;
// The end.

`
	const want = `// A header.

// ldfi: processes=a,b   eot=4
p("a", 7)@1; /* trailing */ /*more*/
q("b")@2; // a note
/* before */
q(X)@next :- q(X);
include "x.ded";
r(X, Y + 1 * 2 - (3 - 4), count<Z>)@async :-
    p(X, Y),
    notin q(X)@3, // why

    // on its own
    X != "c",
    p(_, Z); // the last
s(X) :-
    p(X, -5), /* inside */
    Y == (1 + 2) * 3,
    p(X, Y);
long_relation_name(Xxxxxxxxxxxxxxxxxxx) :-
    another_long_name(Xxxxxxxxxxxxxxxxxxx),
    a_third_one(Xxxxxxxxxxxxxxxxxxx);
t(X) :-
    p(X, _);
choose one coin(each, 0 | 1, "x" | -3..-1)@each;
choose some w(any, 1..3)@2..5; // why
choose maybe w(2)@2|3|4;
choose(1)@1;
choose one choose()@any;
u("two
lines")@1;
// The end.
`
	got, err := dedalus.Format("test.ded", []byte(text))
	require.NoError(t, err)
	require.Equal(t, want, string(got))
	again, err := dedalus.Format("test.ded", got)
	require.NoError(t, err)
	require.Equal(t, want, string(again))
}

func TestFormatOfNothing(t *testing.T) {
	got, err := dedalus.Format("test.ded", []byte("\n \n"))
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestFormatReportsSyntaxErrors(t *testing.T) {
	_, err := dedalus.Format("test.ded", []byte("p(X :- q(X);\nq(\"a\");\n"))
	var errs specs.Errors
	require.ErrorAs(t, err, &errs)
	require.Len(t, errs, 2)
	require.Equal(t, "test.ded:1:5: unexpected ':-', expected ',' or ')'\n    p(X :- q(X);\n        ^", errs[0].Error())
	_, err = dedalus.Format("test.ded", []byte("p(\"\xff\")@1;"))
	require.ErrorContains(t, err, "test.ded:1:4: this is not UTF-8 text")
}

// Formatting a protocol changes neither its meaning nor, a second time, its
// text.
func TestFormatProtocols(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/protocols/*/*.ded")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		once, err := dedalus.Format(path, text)
		require.NoError(t, err)
		twice, err := dedalus.Format(path, once)
		require.NoError(t, err)
		require.Equal(t, string(once), string(twice))
		before, err := dedalus.ParseText(path, string(text))
		require.NoError(t, err)
		after, err := dedalus.ParseText(path, string(once))
		require.NoError(t, err)
		require.Equal(t, before.String(), after.String())
		for _, r := range before.Rules {
			rule, err := dedalus.ParseText(path, r.String())
			require.NoError(t, err)
			require.Equal(t, r.String(), rule.Rules[0].String())
		}
	}
}

// Formatting a random program changes neither its meaning nor, a second time,
// its text.
func TestFormatRandomPrograms(t *testing.T) {
	for seed := range uint64(200) {
		c := generate.Random(seed)
		name := fmt.Sprintf("random-%d.ded", seed)
		got, err := dedalus.Format(name, []byte(c.Text))
		require.NoError(t, err)
		p, err := dedalus.ParseText(name, string(got))
		require.NoError(t, err)
		require.Equal(t, c.Program.String(), p.String())
		again, err := dedalus.Format(name, got)
		require.NoError(t, err)
		require.Equal(t, string(got), string(again))
	}
}
