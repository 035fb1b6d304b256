package dedalus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// files writes files into a new directory and returns it.
func files(t *testing.T, texts map[string]string) string {
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return dir
}

// parse parses a text that has no errors.
func parse(t *testing.T, text string) *dedalus.Program {
	p, err := dedalus.ParseText("test.ded", text)
	require.NoError(t, err)
	return p
}

func TestParse(t *testing.T) {
	p := parse(t, `// ldfi: processes=a,b eot=4
p("a", -7, 007)@2; /* p("b", 0, 0)@1; */
q(X, Y + 1, count<Z>)@async :- p(X, Y, Z), notin r(X, _)@3, (X) != "b", 1 + 2 * 3 - 4 < (Y + 1) * 2;
r(X,Y):-notinfoo(X),p(X,Y,_);notinfoo(X)@next:-notinfoo(X);
go() :- go();
`)
	require.Equal(t, []dedalus.Setting{
		{Key: "processes", Value: "a,b", Position: specs.Position{File: "test.ded", Line: 1, Column: 10}},
		{Key: "eot", Value: "4", Position: specs.Position{File: "test.ded", Line: 1, Column: 24}},
	}, p.Settings)
	require.Equal(t, `// ldfi: processes=a,b
// ldfi: eot=4
p("a", -7, 7)@2;
q(X, Y + 1, count<Z>)@async :- p(X, Y, Z), notin r(X, _)@3, X != "b", 1 + 2 * 3 - 4 < (Y + 1) * 2;
r(X, Y) :- notinfoo(X), p(X, Y, _);
notinfoo(X)@next :- notinfoo(X);
go() :- go();
`, p.String())
	require.Equal(t, 2, p.Facts[0].Round)
	require.Equal(t, []specs.Value{specs.String("a"), specs.Int(-7), specs.Int(7)}, p.Facts[0].Args)
	rule := p.Rules[0]
	require.Equal(t, syntax.Async, rule.Kind)
	require.Equal(t, specs.Position{File: "test.ded", Line: 3, Column: 1}, rule.Position)
	require.Equal(t, 3, rule.Body[1].At)
	require.True(t, rule.Body[1].Negated)
	require.Equal(t, 2, p.Rules[2].Index)
}

// Operators of one level group to the left, as in C.
func TestPrecedence(t *testing.T) {
	p := parse(t, `q(X) :- p(X, Y), Y - 1 - 2 * 3 / 4 % 5 + 6 == Y - (1 - 2) - -3, (Y + 1) * 2 >= (Y);`)
	require.Equal(t, `q(X) :- p(X, Y), Y - 1 - 2 * 3 / 4 % 5 + 6 == Y - (1 - 2) - -3, (Y + 1) * 2 >= Y;`, p.Rules[0].String())
	sum := p.Rules[0].Body[1].Test.(*syntax.Binary).Left.(*syntax.Binary)
	require.Equal(t, "+", sum.Op)
	require.Equal(t, "Y - 1 - 2 * 3 / 4 % 5", sum.Left.String())
	product := sum.Left.(*syntax.Binary).Right.(*syntax.Binary)
	require.Equal(t, "%", product.Op)
	require.Equal(t, "2 * 3 / 4", product.Left.String())
}

// In a head name<X> is an aggregate; elsewhere it is what it looks like.
func TestAggregatesAndComparisons(t *testing.T) {
	p := parse(t, `q(X, count < Y >, min<Y>) :- p(X, Y), p(count, min), count < X, min > Y;`)
	require.IsType(t, &syntax.Aggregate{}, p.Rules[0].Head.Args[1])
	require.Equal(t, `q(X, count<Y>, min<Y>) :- p(X, Y), p(count, min), count < X, min > Y;`, p.Rules[0].String())
}

// Names may have dots, question marks, underscores and at signs.
func TestNames(t *testing.T) {
	p := parse(t, `a.b?_c@d(X.y, _z, W?, V@1)@next:-3p(X.y,_z,W?,V@1)@2,notin notin?(_)@ 3, include(X.y), count(X.y);`)
	require.Equal(t, `a.b?_c@d(X.y, _z, W?, V@1)@next :- 3p(X.y, _z, W?, V@1)@2, notin notin?(_)@3, include(X.y), count(X.y);`, p.Rules[0].String())
}

// A negated atom's variables are not those of another one, so they may be of
// different types.
func TestTypesOfVariablesInNegatedAtoms(t *testing.T) {
	parse(t, `p("a", 1)@1; q("a", "x")@1; r(X) :- p(X, _), notin p(X, Y), notin q(X, Y);`)
	_, err := dedalus.ParseText("test.ded", `p("a", 1)@1; q("a", "x")@1; r(X) :- p(X, Y), notin p(X, Y), notin q(X, Y);`)
	require.Error(t, err)
}

func TestIncludes(t *testing.T) {
	dir := files(t, map[string]string{
		"main.ded":       "// ldfi: eot=4\ninclude \"sub/one.ded\"; include \"sub/one.ded\";\nmain(X) :- one(X), two(X);\n",
		"sub/one.ded":    "// ldfi: eot=5 eff=2\ninclude \"two.ded\"; include \"common.ded\";\none(X) :- common(X);\n",
		"sub/two.ded":    "two(X) :- common(X);\n",
		"common.ded":     "common(\"root\")@1;\n",
		"sub/common.ded": "common(\"sub\")@1;\n",
	})
	p, err := dedalus.Parse(filepath.Join(dir, "main.ded"))
	require.NoError(t, err)
	require.Equal(t, "// ldfi: eot=4\n// ldfi: eot=5\n// ldfi: eff=2\ncommon(\"root\")@1;\n"+
		"two(X) :- common(X);\none(X) :- common(X);\nmain(X) :- one(X), two(X);\n", p.String())
	require.Equal(t, []bool{false, true, true}, []bool{p.Settings[0].Included, p.Settings[1].Included, p.Settings[2].Included})
	require.Equal(t, filepath.Join(dir, "sub/two.ded"), p.Rules[0].Position.File)
}

// A file given is not an included one, even if another includes it.
func TestSeveralFiles(t *testing.T) {
	dir := files(t, map[string]string{
		"a.ded": "include \"b.ded\";\na(X) :- b(X);\n",
		"b.ded": "// ldfi: eot=4\nb(\"x\")@1;\n",
	})
	p, err := dedalus.Parse(filepath.Join(dir, "a.ded"), filepath.Join(dir, "b.ded"))
	require.NoError(t, err)
	require.Equal(t, "// ldfi: eot=4\nb(\"x\")@1;\na(X) :- b(X);\n", p.String())
	require.False(t, p.Settings[0].Included)
	require.Equal(t, []string{filepath.Join(dir, "a.ded"), filepath.Join(dir, "b.ded")}, p.Files)
}

// Errors of all files come at once, and name the files by their chain.
func TestIncludeErrors(t *testing.T) {
	dir := files(t, map[string]string{
		"main.ded": "include \"one.ded\";\np(X :- q(X);\n",
		"one.ded":  "include \"two.ded\"; include \"missing.ded\"; include \"main.ded\";\np(Y) :- q(X);\n",
		"two.ded":  "include \"one.ded\"; include \"two.ded\";\np(Z) :- q(X);\n",
	})
	_, err := dedalus.Parse(filepath.Join(dir, "main.ded"), filepath.Join(dir, "other.ded"))
	require.Error(t, err)
	require.Equal(t, `DIR/other.ded: no such file or directory
DIR/main.ded:2:5: unexpected ':-', expected ',' or ')'
    p(X :- q(X);
        ^
DIR/one.ded:1:28: cannot include "missing.ded": no such file or directory (DIR/main.ded includes DIR/one.ded includes missing.ded; looked in DIR)
    include "two.ded"; include "missing.ded"; include "main.ded";
                               ^
DIR/one.ded:1:51: this include is a cycle: DIR/main.ded includes DIR/one.ded includes DIR/main.ded
    include "two.ded"; include "missing.ded"; include "main.ded";
                                                      ^
DIR/one.ded:2:3: variable Y of the head has no value: no positive atom of the body has it as a column (a string would be "Y")
    p(Y) :- q(X);
      ^
DIR/two.ded:1:9: this include is a cycle: DIR/one.ded includes DIR/two.ded includes DIR/one.ded
    include "one.ded"; include "two.ded";
            ^
DIR/two.ded:1:28: this include is a cycle: DIR/two.ded includes DIR/two.ded
    include "one.ded"; include "two.ded";
                               ^
DIR/two.ded:2:3: variable Z of the head has no value: no positive atom of the body has it as a column (a string would be "Z")
    p(Z) :- q(X);
      ^`, strings.ReplaceAll(err.Error(), dir, "DIR"))
}

func TestFilesThatCannotBeRead(t *testing.T) {
	dir := files(t, map[string]string{"latin1.ded": "p(\"a\")@1;\nq(\"\xe9\")@1;\n", "device.ded": "include \"/dev/zero\";"})
	_, err := dedalus.Parse(dir)
	require.ErrorContains(t, err, "this is a directory")
	_, err = dedalus.Parse()
	require.ErrorContains(t, err, "no file given")
	_, err = dedalus.Parse(filepath.Join(dir, "latin1.ded"))
	require.ErrorContains(t, err, "latin1.ded:2:4: this is not UTF-8 text")
	_, err = dedalus.Parse(filepath.Join(dir, "device.ded"))
	require.ErrorContains(t, err, "this is not a regular file")
	_, err = dedalus.Parse("/dev/zero")
	require.ErrorContains(t, err, "this is a device")
}

func TestManyErrors(t *testing.T) {
	_, err := dedalus.ParseText("test.ded", strings.Repeat("p(;\n", 5000))
	require.Len(t, err.(specs.Errors), 1000)
	require.True(t, strings.HasSuffix(err.Error(), "\nand 900 more errors"))
}

func TestLimitsOfExpressions(t *testing.T) {
	nested := func(n int) string {
		return "p(X, " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + ") :- q(X);"
	}
	parse(t, nested(200))
	_, err := dedalus.ParseText("test.ded", nested(201))
	require.ErrorContains(t, err, "test.ded:1:206: parentheses are nested too deeply (at most 200)")
	long := func(n int) string { return "p(X, 1" + strings.Repeat(" + 1", n) + ") :- q(X);" }
	parse(t, long(1000))
	_, err = dedalus.ParseText("test.ded", long(1001))
	require.ErrorContains(t, err, "this expression is too long (at most 1000 operators)")
}
