package lsp_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// grammar is a TextMate grammar, as far as that of Dedalus needs it.
type grammar struct {
	Patterns   []pattern
	Repository map[string]pattern

	compiled map[string]*regexp.Regexp
}

// expression returns an expression as Go has it.
func (g *grammar) expression(text string) *regexp.Regexp {
	if g.compiled[text] == nil {
		g.compiled[text] = regexp.MustCompile(`(?m)` + text)
	}
	return g.compiled[text]
}

type pattern struct {
	Include, Match, Begin, End, Name string
	Captures, BeginCaptures          map[string]pattern
	Patterns                         []pattern
}

func readGrammar(t *testing.T) *grammar {
	text, err := os.ReadFile("../../docs/editors/vscode/ded.tmLanguage.json")
	require.NoError(t, err)
	g := grammar{compiled: map[string]*regexp.Regexp{}}
	require.NoError(t, json.Unmarshal(text, &g))
	return &g
}

// flat returns the patterns that have an expression, of patterns and of what these include.
func (g *grammar) flat(all []pattern) (flat []pattern) {
	for _, p := range all {
		if name, ok := strings.CutPrefix(p.Include, "#"); ok {
			p = g.Repository[name]
		}
		if p.Match == "" && p.Begin == "" {
			flat = append(flat, g.flat(p.Patterns)...)
		} else {
			flat = append(flat, p)
		}
	}
	return flat
}

// scopes returns the innermost name of each byte of a text: of several patterns that match at
// the same place the first counts.
func (g *grammar) scopes(text string) []string {
	scopes := make([]string, len(text))
	all := g.flat(g.Patterns)
	next := make([][]int, len(all)) // what each finds next
	paint := func(from, to int, name string) {
		for i := from; i < to && name != ""; i++ {
			scopes[i] = name
		}
	}
	for at := 0; at < len(text); {
		var best []int
		var by pattern
		for i, p := range all {
			found := next[i]
			if found == nil || found[0] < at { // what was found stands until it is passed
				if found = g.expression(p.Match + p.Begin).FindStringSubmatchIndex(text[at:]); found == nil {
					found = []int{len(text), len(text)}
				} else {
					for j := range found {
						found[j] += at
					}
				}
				next[i] = found
			}
			if found[0] < len(text) && (best == nil || found[0] < best[0]) {
				best, by = found, p
			}
		}
		if best == nil {
			break
		}
		end := best[1]
		if by.Begin != "" {
			end = len(text)
			if close := g.expression(by.End).FindStringIndex(text[best[1]:]); close != nil {
				end = best[1] + close[1]
			}
		}
		paint(best[0], end, by.Name)
		for _, captures := range []map[string]pattern{by.Captures, by.BeginCaptures} {
			for n := 1; 2*n < len(best); n++ {
				paint(best[2*n], best[2*n+1], captures[string(rune('0'+n))].Name)
			}
		}
		at = max(end, at+1)
	}
	return scopes
}

// The grammar knows what the parser knows: which names are relations and which are variables.
func TestGrammar(t *testing.T) {
	g := readGrammar(t)
	all := programs(t)
	all["sample"] = "// ldfi: processes=a,b\nchoose one coin(each, 0 | 1)@2..5;\nh(count<X>)@next :- é2(X, _), notin crash(_, X, _), X != \"b /* c(X)\"; /* q(X)\n*/ pre(X) :- q(X)@4, X + 1 > 0;\n"
	for _, path := range names(all) {
		text := all[path]
		if !strings.Contains(text, ":-") {
			continue
		}
		scopes := g.scopes(text)
		starts := []int{0}
		for i := range text {
			if text[i] == '\n' {
				starts = append(starts, i+1)
			}
		}
		program := dedalus.Outline(path, text)
		check := func(line, column int, name, scope string) {
			at := starts[line-1] + column - 1
			require.Equal(t, name, text[at:at+len(name)], path)
			for i := range len(name) {
				require.Regexp(t, scope, scopes[at+i], "%s:%d:%d", path, line, column)
			}
		}
		atom := func(a *syntax.Atom) {
			check(a.Position.Line, a.Position.Column, a.Relation, `^(entity\.name|support)\.function\.(relation|promise|builtin)`)
			for _, e := range a.Args {
				syntax.EachVariable(e, func(v *syntax.Variable) { check(v.Position.Line, v.Position.Column, v.Name, `^variable\.other`) })
			}
		}
		for _, r := range program.Rules {
			atom(&r.Head)
			for _, term := range r.Body {
				if term.Atom != nil {
					atom(term.Atom)
				}
			}
		}
		for _, c := range program.Choices {
			check(c.Name.Line, c.Name.Column, c.Relation, `^entity\.name\.function\.relation`)
		}
	}
	scopes := g.scopes(all["sample"])
	for what, scope := range map[string]string{
		"ldfi:": "keyword.other.settings", "choose": "keyword.control.choose", "each": "keyword.operator.word", "0 |": "constant.numeric", "@2..5": "storage.modifier.time",
		"count": "support.function.aggregate", "@next": "storage.modifier.time", "notin": "keyword.operator.word", "crash": "support.function.builtin", "\"b /* c(X)\"": "string.quoted",
		"/* q": "comment.block", "pre": "support.function.promise", ":-": "keyword.operator", "// ": "comment.line",
	} {
		require.True(t, strings.HasPrefix(scopes[strings.Index(all["sample"], what)], scope), what)
	}
}

// The extension for VS Code has all files that it names, and the version that the page installs.
func TestExtension(t *testing.T) {
	const dir = "../../docs/editors/vscode/"
	decode := func(name string, to any) {
		text, err := os.ReadFile(dir + name)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, to), name)
	}
	var extension struct {
		Name, Version, Main string
		Contributes         struct {
			Languages []struct {
				ID, Configuration string
				Extensions        []string
			}
			Grammars []struct{ Language, Path, ScopeName string }
		}
	}
	decode("package.json", &extension)
	language, grammar := extension.Contributes.Languages[0], extension.Contributes.Grammars[0]
	require.Equal(t, []string{".ded"}, language.Extensions)
	require.Equal(t, language.ID, grammar.Language)
	require.FileExists(t, dir+extension.Main)
	decode(language.Configuration, &map[string]any{})
	decode(grammar.Path, &map[string]any{})
	page, err := os.ReadFile("../../docs/guide/editors.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "code --install-extension "+extension.Name+"-"+extension.Version+".vsix")
	require.LessOrEqual(t, len(strings.Fields(string(page))), 350)
}
