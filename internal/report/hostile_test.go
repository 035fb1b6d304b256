package report_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// vectors are texts that would do something in a page that is careless with them.
var vectors = []string{
	`</script><script>alert(1)</script>`,
	`<img src=x onerror=alert(2)>`,
	`<svg onload=alert(3)>`,
	`"><script>alert(4)</script>`,
	`' onmouseover='alert(5)`,
	`" autofocus onfocus="alert(6)`,
	`javascript:alert(7)`,
	`<a href="javascript:alert(8)">x</a>`,
	`<iframe srcdoc="<script>alert(9)</script>"></iframe>`,
	`<!-- --!> <script>alert(10)</script>`,
	`]]><script>alert(11)</script>`,
	`</title></style></textarea><script>alert(12)</script>`,
	`${alert(13)} {{alert(14)}} <%= alert(15) %>`,
	`<style>@import 'http://example.com/x.css';</style>`,
	`<link rel=stylesheet href=http://example.com/x.css>`,
	`<meta http-equiv=refresh content="0;url=http://example.com">`,
	`<base href="http://example.com/">`,
	`<form action=http://example.com><input name=q></form>`,
	"\u2028alert(16)\u2029",
	"a\u202egnp.exe\u2066",
	"null\x00byte \x1b[31m",
	"\xff\xfe broken \xc3\x28",
	`__proto__`,
	`constructor`,
	`\u003cscript>alert(17)\u003c/script>`,
	`&lt;script&gt;alert(18)&lt;/script&gt;`,
}

// hostile is a page in which everything that is foreign is one of these texts.
func hostile(text string) *report.Page {
	names := []string{"a" + text, "b"}
	b := rounds.Bounds{Processes: names, EOT: 3, CrashStop: true}
	p := report.NewPage(text, "ldfi run '"+text+"'", b)
	schedule := rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: names[0], Round: 2, Detail: text}}}
	e := &recording.Execution{System: text, Bounds: b, Schedule: schedule, Inexact: text}
	for round := 1; round <= 3; round++ {
		e.Facts = append(e.Facts, recording.Fact{Relation: text, Args: []specs.Value{specs.String(names[0]), specs.String(text)}, Round: round},
			recording.Fact{Relation: "request", Args: []specs.Value{specs.String(names[0]), specs.String(text), specs.String(text)}, Round: round})
		e.Messages = append(e.Messages, recording.Message{From: names[0], To: "b", Round: round, Relation: text, Args: []specs.Value{specs.String("b"), specs.String(text)}, Lost: round > 1, Cause: schedule.Faults[0]},
			recording.Message{From: "b", To: text, Round: round, Relation: "http", Args: []specs.Value{specs.String("b"), specs.String(text)}})
	}
	e.Messages[0].Cause = rounds.Fault{}
	broken := []result.Violation{{Property: text, Text: text, Fact: recording.Fact{Relation: text, Round: 3}}}
	p.Plain = p.AddExecution(&recording.Execution{System: text, Bounds: b}, nil)
	a := &result.Answer{Verdict: result.Verdict(text), Warnings: []specs.Warning{{Message: text}}, Counterexamples: []result.Counterexample{{Schedule: schedule, Size: 1, Violations: broken, Because: []string{text}, Execution: e}}}
	if err := p.AddAnswer(a, report.Words{About: func(result.Counterexample) string { return text }, Replay: func(rounds.Schedule) string { return text }}); err != nil {
		panic(err)
	}
	p.Headline, p.Text, p.Warnings = text, text+"\n", []string{text}
	p.AddSource(text, text+"\n"+text)
	p.Fields = []report.Field{{Name: text, Lines: []string{text + ":1"}}}
	p.Story = &report.Story{Tales: []report.Tale{{First: text, Instead: text, So: []string{text}}}, Without: []string{text}}
	when := &report.When{Word: "unless", Terms: []string{text}}
	p.AddLineage(report.Lineage{World: p.Sets[0].World, Title: text, Text: text, Nodes: []report.Node{
		{Kind: "fact", Text: text, Notes: []string{text}, Rule: p.AddRule(text+":2", text), When: when, First: 1, Last: 1},
		{Kind: "absence", Text: text, Rule: -1, First: 1, Last: 2},
	}, Edges: []report.Edge{{From: 0, To: 1, Text: text, Since: 1, Until: 3, Rules: []int{0}, When: when}}})
	return p
}

// Nothing that a program, a host or a recording says does anything in the page: there are
// no elements but those of the page, nothing is asked for, and nothing runs.
func TestHostileTexts(t *testing.T) {
	harmless := elements(t, hostile("harmless"))
	if *long {
		for i, text := range vectors {
			t.Run(fmt.Sprint(i+1), func(t *testing.T) { require.Equal(t, harmless, elements(t, hostile(text)), text) })
		}
	}
	for group := range slices.Chunk(vectors, 7) {
		text := strings.Join(group, " ")
		require.Equal(t, harmless, elements(t, hostile(text)), text)
	}
}

// some are the first half of what a test tries in a browser, and with -long all of it.
func some[V any](all ...V) []V {
	if *long {
		return all
	}
	return all[:(len(all)+1)/2]
}

// long tries each hostile text by itself.
var long = flag.Bool("long", false, "try each hostile text by itself, open more pages, press switches in the page of every protocol, write the largest, and measure how long a large one takes")

// elements opens a page, draws all of it, and counts its elements by their names, but for
// those that texts are laid out by.
func elements(t *testing.T, p *report.Page) map[string]float64 {
	b := open(t, p)
	b.everything()
	b.press("button", "Side by side")
	b.press(".statebar .choice input + span", "all relations")
	b.run(`for (const g of document.querySelectorAll('.node')) g.dispatchEvent(new MouseEvent('click', { bubbles: true }))`)
	require.Zero(t, b.number(`[...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => a.name.startsWith('on') || ['href', 'src', 'action', 'style', 'srcdoc'].includes(a.name) && /script:|http/i.test(a.value))).length`))
	require.Zero(t, b.count("img, iframe, object, embed, link, base, form, video, audio, body a:not(.skip, .line), meta[http-equiv=refresh]"))
	require.Equal(t, 3, b.count("script"))
	require.Equal(t, 1, b.count("style"))
	return value[map[string]float64](b, `(() => { const n = {}; for (const e of document.querySelectorAll('*')) if (!['text', 'li', 'title', 'tspan'].includes(e.localName)) n[e.localName] = (n[e.localName] || 0) + 1; return n; })()`)
}

// A program whose strings are hostile comes through the whole way: parsed, searched,
// executed, explained.
func TestHostileProgram(t *testing.T) {
	for _, text := range []string{`</script><script>alert(1)</script>`, `<img src=x onerror=alert(2)>`, `' onclick='alert(3)`} {
		file := filepath.Join(t.TempDir(), "x.ded")
		program := `// ldfi: processes=a,b,c eot=4 eff=2
// ` + text + `
log("a", "TEXT")@1; send("a", "TEXT")@1;
process("a")@1; process("b")@1; process("c")@1;
process(P)@next :- process(P);
log(Q, M)@async :- send(P, M), process(Q);
log(P, M)@next :- log(P, M);
pre(P, M) :- log(Q, M), process(P);
post(P, M) :- log(P, M);
`
		require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(program, "TEXT", text)), 0o600))
		a := ask(t, file, 3)
		require.Equal(t, result.Violated, a.answer.Verdict)
		b := open(t, a.page)
		b.everything()
		require.Equal(t, 3, b.count("script"))
		require.Zero(t, b.count("img"))
		require.Contains(t, b.text(`document.body.textContent`), text)
	}
}

// The policy forbids what would be dangerous, should something get through all the same.
func TestPolicy(t *testing.T) {
	file := write(t, hostile("harmless"))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	forced := strings.Replace(string(text), "<main>", `<main><script>document.title = "broken into"</script><img src="http://example.com/x.png" onerror="document.title='broken into'">`, 1)
	require.NotEqual(t, string(text), forced)
	require.NoError(t, os.WriteFile(file, []byte(forced), 0o600))
	b := openFile(t, file)
	require.NotEqual(t, "broken into", b.text("document.title"))
	b.mutex.Lock()
	defer b.mutex.Unlock()
	said := lines(b.wrong)
	require.Contains(t, said, "Executing inline script violates the following Content Security Policy")
	require.Contains(t, said, "a request failed: csp")
	b.wrong = nil
}
