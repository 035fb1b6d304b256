package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

const (
	library = `// Who has the message.
log(P, M)@next :- log(P, M);

pre(P, M) :- log(_, M), process(P), notin crash(_, P, _);
post(P, M) :- log(P, M);
`
	main = `// ldfi: processes=a,b,c eot=4 eff=2 crashes=1
include "lib/broadcast.ded";

process("a")@1;
process("b")@1;
process("c")@1;
process(P)@next :- process(P);

broadcast("a", "hello")@1;
log(A, M) :- broadcast(A, M);
log(P, M)@async :- broadcast(A, M);
`
)

var both = map[string]string{"main.ded": main, "lib/broadcast.ded": library}

// Errors of syntax, names, types and safety are there as they are typed, in included files as
// well, and go when they are mended.
func TestDiagnostics(t *testing.T) {
	e := started(t, both)
	e.open("main.ded", main)
	require.Empty(t, e.diagnostics("main.ded", none))
	for version, wrong := range []struct{ line, says string }{
		{"log(A, M :- broadcast(A, M);", "unexpected ':-'"},
		{"log(A, M) :- broadcst(A, M);", `broadcst has no rule and no fact, so it is always empty (did you mean "broadcast"?)`},
		{`log(A, 7) :- broadcast(A, M);`, "column 2 of log is an integer here (7), but holds the same as column 2 of broadcast"},
		{"log(A, X) :- broadcast(A, M);", "variable X of the head has no value"},
		{"log(A) :- broadcast(A, M);", "log has 1 column here"},
	} {
		e.change("main.ded", 2*version+2, whole(main+wrong.line+"\n"))
		e.diagnostics("main.ded", says(wrong.says))
		e.change("main.ded", 2*version+3, whole(main))
		e.diagnostics("main.ded", none)
	}
	e.open("lib/broadcast.ded", library+"log(P :- process(P);")
	found := e.diagnostics("lib/broadcast.ded", says("unexpected ':-'"))
	require.Equal(t, area{place{5, 6}, place{5, 7}}, found[0].Range)
	require.Equal(t, 1, found[0].Severity)
	e.notify("textDocument/didClose", e.document("lib/broadcast.ded"))
	require.Empty(t, e.diagnostics("lib/broadcast.ded", none), "what is on the disk has no error")
}

// What has to be evaluated follows.
func TestEvaluation(t *testing.T) {
	e := started(t, both)
	e.open("main.ded", main+"late(P) :- process(P), broadcast(P, \"bye\");\nviolation(P) :- late(P);\n")
	found := e.diagnostics("main.ded", says("this rule fires in no scenario within the bounds"))
	require.Equal(t, 2, found[len(found)-1].Severity)
}

// What the editor has open stands before the disk, for included files as well; what it closes
// is read from the disk again.
func TestBuffersBeforeDisk(t *testing.T) {
	e := started(t, both)
	e.open("main.ded", main+`violation(P) :- secret(P);`+"\n")
	e.diagnostics("main.ded", says("secret has no rule"))
	e.open("lib/broadcast.ded", library+"secret(P) :- process(P), log(P, \"bye\");\n")
	e.diagnostics("main.ded", func(all []diagnosed) bool { return !says("secret has no rule")(all) })
	e.notify("textDocument/didClose", e.document("lib/broadcast.ded"))
	e.diagnostics("main.ded", says("secret has no rule"))
	require.NoError(t, os.WriteFile(filepath.Join(e.dir, "lib/broadcast.ded"), []byte(library+"secret(P) :- process(P), log(P, \"bye\");\n"), 0o666))
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri("lib/broadcast.ded"), "type": 2}}})
	e.diagnostics("main.ded", func(all []diagnosed) bool { return !says("secret has no rule")(all) })
}

// A file that an include names may come later.
func TestFileThatComesLater(t *testing.T) {
	e := started(t, nil)
	e.open("main.ded", main)
	e.diagnostics("main.ded", says("cannot include"))
	e.open("lib/broadcast.ded", library)
	require.Empty(t, e.diagnostics("main.ded", none))
	e.notify("textDocument/didClose", e.document("lib/broadcast.ded"))
	e.diagnostics("main.ded", says("cannot include"))
}

// A library is checked as part of a program that includes it, also if only the library is open.
func TestLibrary(t *testing.T) {
	e := started(t, both)
	e.open("lib/broadcast.ded", library+"log(P) :- process(P);\n")
	e.diagnostics("lib/broadcast.ded", says("log has 1 column here, but 2 columns at"))
	e.change("lib/broadcast.ded", 2, whole(library))
	require.Empty(t, e.diagnostics("lib/broadcast.ded", none), "process has facts in the program")
}

// Changes of ranges and of the whole text come to the same.
func TestChanges(t *testing.T) {
	e := started(t, nil)
	e.open("x.ded", main)
	e.diagnostics("x.ded", says("cannot include"))
	text := "// ldfi: processes=a,b eot=2\nnode(\"é😀\", \"x\")@1;\nviolation(X) :- node(X, Y), odd(Y);\n"
	e.change("x.ded", 2, whole(text))
	found := e.diagnostics("x.ded", says("odd has no rule"))
	require.Equal(t, area{place{2, 28}, place{2, 31}}, found[len(found)-1].Range)
	between := func(line, from, to int, text string) any {
		return map[string]any{"range": map[string]any{
			"start": map[string]any{"line": line, "character": from}, "end": map[string]any{"line": line, "character": to},
		}, "text": text}
	}
	e.change("x.ded", 3, between(1, 6, 9, "b"), between(2, 28, 31, "node"), between(2, 34, 34, ", X"))
	e.diagnostics("x.ded", func(all []diagnosed) bool { return !says("odd has no rule")(all) })
	require.Empty(t, of[[]edit](e, "textDocument/formatting", e.document("x.ded")), "the text is in the standard form")
}

// Columns are units of UTF-16, of which an emoji has two.
func TestColumns(t *testing.T) {
	e := started(t, nil)
	text := "node(\"é😀\", X)@1; node(\"é😀\", \"b\")@1; post(X) :- nod(X, \"é\");\n"
	e.open("x.ded", text)
	found := e.diagnostics("x.ded", says("a fact has only constants"))
	require.Equal(t, area{place{0, 12}, place{0, 13}}, found[0].Range)
	text = "node(\"é😀\", \"a\")@1; post(X) :- nod(X, \"é\");\n"
	e.change("x.ded", 2, whole(text))
	found = e.diagnostics("x.ded", says("nod has no rule"))
	require.Equal(t, area{place{0, 31}, place{0, 34}}, found[slices.IndexFunc(found, func(d diagnosed) bool { return strings.HasPrefix(d.Message, "nod ") })].Range)
	where := of[[]located](e, "textDocument/definition", e.position("x.ded", text, "post("))
	require.Equal(t, area{place{0, 20}, place{0, 24}}, where[0].Range)
}

// Lines may end with CR and LF.
func TestCRLF(t *testing.T) {
	e := started(t, nil)
	text := strings.ReplaceAll("// ldfi: processes=a eot=2\n// Comment.\nnode(\"a\")@1;\nviolation(X)   :- node(X);\n", "\n", "\r\n")
	e.open("x.ded", text)
	found := e.diagnostics("x.ded", func(all []diagnosed) bool { return true })
	require.NotContains(t, fmt.Sprint(found), "unexpected")
	where := of[[]located](e, "textDocument/definition", e.position("x.ded", text, "node(X)"))
	require.Equal(t, area{place{2, 0}, place{2, 4}}, where[0].Range)
	want, err := dedalus.Format("x.ded", []byte(text))
	require.NoError(t, err)
	require.Equal(t, string(want), applied(text, of[[]edit](e, "textDocument/formatting", e.document("x.ded"))))
}

// A hover says what a relation is, where it is derived, and its possible facts.
func TestHover(t *testing.T) {
	e := started(t, both)
	e.open("main.ded", main)
	about := func(where string) string {
		h := of[struct{ Contents struct{ Value string } }](e, "textDocument/hover", e.position("main.ded", main, where))
		return strings.ReplaceAll(h.Contents.Value, e.uri(""), "DIR")
	}
	require.Equal(t, strings.Join([]string{
		"```dedalus\nlog(A, M)\n```",
		"Who has the message.",
		"2 columns, a message that is kept: a fact arrives in the round after it is sent unless it is lost, and a rule carries it to the next round.",
		"Derived at [main.ded:10](DIR/main.ded#L10), [main.ded:11](DIR/main.ded#L11), [lib/broadcast.ded:2](DIR/lib/broadcast.ded#L2)",
		"10 possible facts within the bounds of main.ded: `log(a, \"hello\")@1..4`, `log(b, \"hello\")@2..4`, `log(c, \"hello\")@2..4`",
	}, "\n\n"), about("log(A"))
	require.Contains(t, about("broadcast(\"a"), "2 columns, an event")
	require.Contains(t, about("process(P)@next"), "a state: a rule carries its facts to the next round.")
	lib := e.position("lib/broadcast.ded", library, "crash(")
	require.Contains(t, string(e.request("textDocument/hover", lib)), "is built in")
	require.Equal(t, "null", string(e.request("textDocument/hover", e.position("main.ded", main, "processes"))))
}

// A name leads to its rules, facts and choices; an include to its file.
func TestDefinition(t *testing.T) {
	e := started(t, both)
	e.open("main.ded", main)
	at := func(method, name, text, where string) string {
		params := e.position(name, text, where)
		params["context"] = map[string]any{"includeDeclaration": true}
		var all []string
		for _, l := range of[[]located](e, method, params) {
			all = append(all, fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(l.URI, e.uri("")+"/"), l.Range.Start.Line+1, l.Range.Start.Character+1))
		}
		return strings.Join(all, " ")
	}
	require.Equal(t, "main.ded:10:1 main.ded:11:1 lib/broadcast.ded:2:1", at("textDocument/definition", "lib/broadcast.ded", library, "log(P, M);"))
	require.Equal(t, "main.ded:11:5", at("textDocument/definition", "main.ded", main, "P, M)@async"))
	require.Equal(t, "main.ded:10:5", at("textDocument/definition", "main.ded", main, "A, M);\nlog(P"))
	require.Equal(t, "lib/broadcast.ded:1:1", at("textDocument/definition", "main.ded", main, "broadcast.ded"))
	require.Equal(t, "main.ded:9:1 main.ded:10:14 main.ded:11:20", at("textDocument/references", "main.ded", main, `broadcast("a"`))
	require.Equal(t, "main.ded:10:5 main.ded:10:24", at("textDocument/references", "main.ded", main, "A, M);\nlog(P"))
}

// Another name goes everywhere, to the settings and to other programs that share the relation.
func TestRename(t *testing.T) {
	other := strings.Replace(main, "crashes=1", "crashes=1 restarts=1 durable=process,log", 1)
	e := started(t, map[string]string{"main.ded": main, "other.ded": other, "lib/broadcast.ded": library, "apart.ded": "log(X)@1;\n"})
	e.open("main.ded", main)
	rename := func(name, text, where, to string) map[string]any {
		params := e.position(name, text, where)
		params["newName"] = to
		return params
	}
	edits := of[struct{ Changes map[string][]edit }](e, "textDocument/rename", rename("main.ded", main, "log(A", "learnt")).Changes
	require.Equal(t, []string{e.uri("lib/broadcast.ded"), e.uri("main.ded"), e.uri("other.ded")}, names(edits))
	for name, text := range map[string]string{"main.ded": main, "other.ded": other, "lib/broadcast.ded": library} {
		require.Equal(t, strings.NewReplacer("log(", "learnt(", ",log\n", ",learnt\n").Replace(text), applied(text, edits[e.uri(name)]))
	}
	edits = of[struct{ Changes map[string][]edit }](e, "textDocument/rename", rename("main.ded", main, "M)@async", "Message")).Changes
	require.Equal(t, strings.Replace(main, "log(P, M)@async :- broadcast(A, M)", "log(P, Message)@async :- broadcast(A, Message)", 1), applied(main, edits[e.uri("main.ded")]))

	for _, wrong := range []struct{ where, to, says string }{
		{"log(A", "post", "nothing else can be called post: it states the promise"},
		{"log(A", "crash", "nothing else can be called crash: it is built in"},
		{"log(A", "broadcast", "has the name broadcast already, in line 9"},
		{"log(A", "a b", `"a b" is no name of a relation`},
		{"log(A", "", `"" is no name of a relation`},
		{"log(A", "next@2", "is no name of a relation"},
		{"log(A", "7up", "is no name of a relation"},
		{"log(A", "notin", "is no name of a relation"},
		{"A, M)@1", "B", ""},
		{"A, M);\nlog(P", "M", "has the name M already"},
		{"broadcast.ded", "x.ded", "this is the name of a file"},
		{"processes", "x", "there is no name of a relation or a variable here"},
	} {
		if wrong.says != "" {
			require.Contains(t, e.refused("textDocument/rename", rename("main.ded", main, wrong.where, wrong.to)), wrong.says, wrong.to)
		}
	}
	require.Contains(t, e.refused("textDocument/prepareRename", e.position("lib/broadcast.ded", library, "crash(")), "crash cannot be renamed: it is built in")
	require.Contains(t, e.refused("textDocument/prepareRename", e.position("lib/broadcast.ded", library, "post(")), "post cannot be renamed: it states the promise")
	ready := of[struct {
		Range       area
		Placeholder string
	}](e, "textDocument/prepareRename", e.position("main.ded", main, "og(A"))
	require.Equal(t, "log", ready.Placeholder)
}

// Formatting is what ldfi fmt does, of all programs, and after a statement has been spoilt.
func TestFormatting(t *testing.T) {
	e := started(t, nil)
	all := programs(t)
	for i, path := range names(all) {
		text := all[path]
		for _, text := range []string{text, strings.ReplaceAll(text, ", ", " ,"), text + "\n\n\nz( X )@1 ;"} {
			name := fmt.Sprintf("%d.ded", i)
			e.open(name, text)
			want, err := dedalus.Format(name, []byte(text))
			require.NoError(t, err)
			require.Equal(t, string(want), applied(text, of[[]edit](e, "textDocument/formatting", e.document(name))), path)
			e.notify("textDocument/didClose", e.document(name))
		}
	}
	e.open("broken.ded", "a(")
	require.Contains(t, e.refused("textDocument/formatting", e.document("broken.ded")), "broken.ded:1:3: unexpected end of the text")
}

// Promises have lenses, and actions where an editor has no lenses. What they do is shown.
func TestCommands(t *testing.T) {
	e := started(t, both)
	e.open("main.ded", main)
	type command struct {
		Title, Command string
		Arguments      []string
	}
	lenses := of[[]struct {
		Range   area
		Command command
	}](e, "textDocument/codeLens", e.document("lib/broadcast.ded"))
	require.Len(t, lenses, 3)
	require.Equal(t, area{place{4, 0}, place{4, 4}}, lenses[0].Range)
	ofProgram := lenses
	require.NoError(t, json.Unmarshal(e.request("textDocument/codeLens", e.document("main.ded")), &ofProgram))
	require.Equal(t, lenses[1].Command, ofProgram[1].Command)
	require.Equal(t, area{place{0, 9}, place{0, 18}}, ofProgram[0].Range, "the promise is in another file, the bounds are here")
	require.Equal(t, command{"run", "ldfi.run", []string{e.uri("main.ded")}}, lenses[0].Command)
	require.Equal(t, command{"why", "ldfi.why", []string{e.uri("main.ded"), "post(_, _)"}}, lenses[1].Command)
	require.Equal(t, command{"explore", "ldfi.explore", []string{e.uri("main.ded")}}, lenses[2].Command)
	line := e.document("lib/broadcast.ded")
	line["range"] = map[string]any{"start": map[string]any{"line": 4, "character": 9}, "end": map[string]any{"line": 4, "character": 9}}
	actions := of[[]command](e, "textDocument/codeAction", line)
	require.Equal(t, "run main.ded", actions[0].Title)

	for _, c := range []struct {
		command command
		says    string
	}{
		{actions[0], "run -- main.ded"},
		{actions[1], "why -- main.ded post(_, _)"},
		{actions[2], "in a terminal: ldfi explore " + filepath.Join(e.dir, "main.ded")},
		{command{"", "ldfi.why", []string{e.uri("main.ded"), "post(_, _)", "crash a@2"}}, "why --faults=crash a@2 -- main.ded post(_, _)"},
	} {
		require.Equal(t, c.says, of[string](e, "workspace/executeCommand", map[string]any{"command": c.command.Command, "arguments": c.command.Arguments}))
		e.wait("message", func() bool {
			for _, m := range e.told {
				var shown struct{ Message string }
				if m.Method == "window/showMessage" && json.Unmarshal(m.Params, &shown) == nil && shown.Message == c.says {
					return true
				}
			}
			return false
		})
	}
	for _, wrong := range []any{nil, []any{7}, []any{"main.ded"}, []any{e.uri("main.ded"), "--", "x", "y"}} {
		e.refused("workspace/executeCommand", map[string]any{"command": "ldfi.why", "arguments": wrong})
	}
	require.Contains(t, e.refused("workspace/executeCommand", map[string]any{"command": "rm", "arguments": []string{e.uri("main.ded")}}), "there is no command rm")
}
