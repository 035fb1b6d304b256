package report_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// Faults are switched in the page by pressing what a reader presses, at random. After each
// the page says what ldfi inject says: the verdict, what is broken, whether the bounds have
// it, the facts of a round and what becomes of its messages.
func TestFaultsInThePageAgreeWithInject(t *testing.T) {
	files := []string{"delivery/classic", "choices/write_once", "restart/2pc_forgets", "partitions/half"}
	presses := 4
	if *long {
		files, presses = nil, 8
		for _, file := range protocols(t) {
			files = append(files, strings.TrimSuffix(strings.TrimPrefix(file, testdata), ".ded"))
		}
	}
	seen := map[string]int{}
	for i, file := range files {
		t.Run(file, func(t *testing.T) {
			a := ask(t, testdata+file+".ded", 1)
			b := open(t, a.page)
			if b.count(".other") == 0 {
				return // no fault is possible
			}
			b.run(`document.querySelector('.other').open = true`)
			b.until(`document.querySelector('.grid table') !== null`)
			b.press(".statebar label", "all relations")
			r := rand.New(rand.NewPCG(uint64(i), 7))
			for range presses {
				kinds := b.all(".other .tabs button")
				b.press(".other .tabs button", kinds[r.IntN(len(kinds))])
				b.run(fmt.Sprintf(`(() => { const all = document.querySelectorAll('.grid button'); all[%d %% all.length].click(); })()`, r.IntN(1<<20)))
				a.compare(t, b, 1+r.IntN(a.page.EOT), seen)
			}
		})
	}
	if !t.Failed() && browser.err == nil && browser.ctx != nil {
		for _, what := range []string{"holds", "violated", "lost", "beyond"} {
			require.Positive(t, seen[what], what)
		}
	}
}

// compare compares what the page says with what inject says.
func (a asked) compare(t *testing.T, b *tab, round int, seen map[string]int) {
	t.Helper()
	var faults []string
	for _, chip := range b.all(".chips li") {
		faults = append(faults, strings.TrimSuffix(chip, " ×"))
	}
	says, verdict := b.text(`document.querySelector('.what-if').textContent`), b.text(`(document.querySelector('.what-if .verdict') || {textContent: ''}).textContent`)
	if verdict == "kept in this execution" {
		verdict = string(result.Holds)
	}
	s, err := rounds.ParseSchedule(strings.Join(faults, "; "))
	require.NoError(t, err)
	in, err := a.opened.AsProtocol().Model().Inject(t.Context(), s)
	if verdict == "impossible" {
		require.Error(t, err, "%s: %s", s, says)
		return
	}
	require.NoError(t, err, says)
	seen[verdict]++
	require.Equal(t, string(in.Verdict), verdict, "%s: %s", s, says)
	require.Equal(t, !in.Within, strings.Contains(says, "Outside the bounds: "), "%s: %s", s, says)
	if !in.Within {
		seen["beyond"]++
	}
	if in.Verdict == result.Violated {
		require.Contains(t, says, in.Violations[0].Text)
	}
	command := b.text(`document.querySelector('.other .command code').textContent`)
	require.True(t, len(faults) == 0 || strings.HasSuffix(command, " --faults '"+s.String()+"'"), command)
	b.run(fmt.Sprintf(`(() => { const s = document.querySelector('#round'); s.value = %d; s.dispatchEvent(new Event('input')); })()`, round))
	a.compareRound(t, b, in.Execution, round, seen)
}

// compareRound compares the facts and messages of a round, where the page shows them all.
func (a asked) compareRound(t *testing.T, b *tab, e *recording.Execution, round int, seen map[string]int) {
	t.Helper()
	if b.count(".states .scroll") > 0 {
		return
	}
	var facts, messages []string
	for _, f := range e.Facts {
		if f.Round == round {
			facts = append(facts, recording.Display(f, e.Bounds.Processes))
		}
	}
	for _, m := range e.Messages {
		if m.Round != round || round == e.Bounds.EOT || m.From == m.To {
			continue
		}
		fate := "arrives"
		switch {
		case m.Lost:
			fate = "is lost (" + m.Cause.String() + ")"
			seen["lost"]++
		case m.Arrival > 0:
			fate = fmt.Sprintf("arrives in round %d", m.Arrival)
		}
		messages = append(messages, recording.Display(recording.Fact{Relation: m.Relation, Args: m.Args}, e.Bounds.Processes)+" "+fate)
	}
	have := b.all(".columns .fact:not(.missing)")
	slices.Sort(have)
	slices.Sort(facts)
	require.Equal(t, lines(facts), lines(have), "%s, round %d", e.Schedule, round)
	shown := map[string]bool{} // those of a process to itself, and of relations that are left out, are not
	for _, text := range b.all(".messages li") {
		shown[text] = true
	}
	for text := range shown {
		require.True(t, slices.ContainsFunc(messages, func(m string) bool {
			fact, fate, _ := strings.Cut(m, ") ")
			return strings.HasPrefix(text, fact+")") && strings.Contains(text, fate)
		}), "%s, round %d: %s is none of %s", e.Schedule, round, text, lines(messages))
	}
}
