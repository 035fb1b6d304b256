package report_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// axe is the environment variable with the file of axe-core, which looks for what people
// cannot use who do not see, or who have no mouse. Its licence is another one, so it is
// not kept here: .ci/run gets it.
const axe = "LDFI_AXE"

// The page can be used without seeing it and without a mouse, wide and narrow, light and
// dark, as it is opened and when all of it is open.
func TestAccessible(t *testing.T) {
	file := os.Getenv(axe)
	if file == "" {
		t.Skip("axe-core is not there: set " + axe + " to its axe.min.js (npm pack axe-core@4.14.1)")
	}
	script, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, program := range []string{"delivery/retry.ded", "replog/buggy.ded", "delivery/ack.ded"} {
		a := ask(t, testdata+program, 3)
		for _, width := range []int64{1400, 700} {
			for _, dark := range []bool{false, true} {
				if dark == (width == 1400) && program != "delivery/retry.ded" { // two of the four are enough
					continue
				}
				t.Run(fmt.Sprintf("%s/%d/dark=%t", program, width, dark), func(t *testing.T) {
					b := open(t, a.page, func(b *tab) { b.size(width, 1000, dark) })
					b.run(string(script) + "\n;undefined")
					b.everything()
					b.audit()
				})
			}
		}
	}
}

// audit fails for everything that axe finds.
func (b *tab) audit() {
	b.t.Helper()
	found := value[[]string](b, `axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.flatMap((v) => v.nodes.slice(0, 4).map((n) => v.id + ': ' + n.html.slice(0, 200) + ' — ' + (n.any.concat(n.all)[0] || { message: '' }).message)))`)
	require.Empty(b.t, found, strings.Join(found, "\n"))
}

// Without scripts the page still says what broke, why, with a diagram, and how to replay.
func TestWithoutScripts(t *testing.T) {
	a := ask(t, testdata+"delivery/retry.ded", 2)
	a.page.Text = "round  a   b   c\n  1    ├─ log ──✗\n"
	b := open(t, a.page, func(b *tab) {
		call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	})
	text, err := chromedp.Run(b, chromedp.Text[chromedp.CSS]("body"))
	require.NoError(t, err)
	require.Contains(t, text, "a headline")
	require.Contains(t, text, a.answer.First().Because[0])
	require.Contains(t, text, "ldfi inject ")
	require.Contains(t, text, "├─ log ──✗")
	require.NotContains(t, text, "What is drawn")
}

// What is printed has the diagrams, and all that was folded away but the first fault set,
// with which the page begins.
func TestPrinted(t *testing.T) {
	b := open(t, ask(t, testdata+"delivery/retry.ded", 2).page)
	pdf, err := chromedp.Run(b, chromedp.PrintToPDF())
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(pdf, []byte("%PDF")))
	require.Greater(t, bytes.Count(pdf, []byte("/Type /Page\n"))+bytes.Count(pdf, []byte("/Type /Page /")), 1)
	b.run(`dispatchEvent(new Event('beforeprint'))`)
	require.Equal(t, 1, b.count("details:not([open]):not(.options, .words, .keys)"))
	require.Equal(t, 1, b.count("#sets > ol > li:first-child > details:not([open])"))
	require.Equal(t, len(b.all("#sets > ol > li"))-1, b.count("#sets details > .spacetime"))
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.Equal(t, "none", b.text(`getComputedStyle(document.querySelector('.tools')).display`))
	b.run(`dispatchEvent(new Event('afterprint'))`)
	require.Positive(t, b.count("details:not([open])"))
}

// large is a page with so many facts, and messages in each round.
func large(facts int) *report.Page {
	names := strings.Fields("a b c d e f g h")
	bounds := rounds.Bounds{Processes: names, EOT: 500}
	p := report.NewPage("large.ded", "ldfi run large.ded", bounds)
	crash := rounds.Fault{Kind: rounds.Crash, Process: "a", Round: 250}
	for _, s := range []rounds.Schedule{{}, {Faults: []rounds.Fault{crash}}} {
		e := &recording.Execution{Bounds: bounds, Schedule: s}
		for i := range facts {
			round := 1 + i%500
			e.Facts = append(e.Facts, recording.Fact{Relation: "log", Args: []specs.Value{specs.String(names[i%8]), specs.Int(int64(i))}, Round: round})
		}
		for round := 1; round < 500; round++ {
			for i, from := range names {
				lost := i == 0 && round >= 250 && len(s.Faults) > 0
				m := recording.Message{From: from, To: names[(i+round)%8], Round: round, Relation: "beat", Args: []specs.Value{specs.String(names[(i+round)%8]), specs.Int(int64(round))}, Lost: lost}
				if lost {
					m.Cause = crash
				}
				e.Messages = append(e.Messages, m)
			}
		}
		e.Sort()
		p.AddExecution(e, nil)
	}
	p.Plain, p.Verdict = 0, result.Violated
	p.Sets = []report.Set{{Schedule: "crash a@250", Size: 1, World: 1}}
	return p
}

// A run with 100,000 facts is there within two seconds, and scrolls without stopping: no
// frame takes longer than a person notices. So it is where nothing else goes on, which
// -long says; what makes it so is that only what can be seen is there.
func TestLargeRun(t *testing.T) {
	facts := 20_000
	if *long {
		facts = 100_000
	}
	b := open(t, large(facts))
	within := func(what string, limit float64, measure func() float64) {
		least := measure()
		for try := 1; *long && try < 6 && least > limit; try++ {
			least = min(least, measure())
		}
		t.Logf("%s: %.0f ms", what, least)
		if *long {
			require.LessOrEqual(t, least, limit, what)
		}
	}
	within("all facts are there", 2000, func() float64 {
		begin := time.Now()
		b.turn(func() { b.do(chromedp.Reload()) })
		require.Positive(t, b.count(".canvas .round"))
		require.Positive(t, b.count(".columns .fact"))
		return float64(time.Since(begin).Milliseconds())
	})
	require.Less(t, b.count("*"), 12_000, "only what can be seen is there")
	within("the worst frame of 40", 200, func() float64 {
		return b.number(`new Promise((done) => {
			const box = document.querySelector('.spacetime');
			box.scrollTop = 0;
			let worst = 0, frames = 0;
			const step = () => {
				const began = performance.now();
				box.scrollTop += 700;
				box.dispatchEvent(new Event('scroll'));
				box.getBoundingClientRect();
				worst = Math.max(worst, performance.now() - began);
				if (++frames < 40) requestAnimationFrame(step); else done(worst);
			};
			requestAnimationFrame(step);
		})`)
	})
	require.Less(t, b.count("*"), 12_000, "only what can be seen is there")
	within("the slowest step to another round", 300, func() float64 {
		return b.number(`(() => { const s = document.querySelector('#round'); let worst = 0; for (const round of [100, 250, 251, 499]) { const began = performance.now(); s.value = round; s.dispatchEvent(new Event('input')); document.body.getBoundingClientRect(); worst = Math.max(worst, performance.now() - began); } return worst; })()`)
	})
	require.Less(t, b.count("*"), 12_000, "only what can be seen is there")
}
