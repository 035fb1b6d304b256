package report_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// A condition is that of one fact. Which of its terms break the promise stands with them, and
// is what executing them says.
func TestConditionsAreNotPromises(t *testing.T) {
	files := []string{"delivery/classic", "replication/kafka_isr"}
	if !*long {
		files = files[:1] // the other one has many more terms
	}
	for _, file := range files {
		a := ask(t, testdata+file+".ded", 1)
		b := open(t, a.page)
		b.everything()
		require.Contains(t, b.text(`document.querySelector('.detail').textContent`), "About this fact alone, not about the promise.")
		seen := map[result.Verdict]int{}
		for _, term := range b.all(".detail .terms li:has(.meaning)") {
			verdict := result.Violated
			faults, kept := strings.CutSuffix(term, " the promise is kept")
			if kept {
				verdict = result.Holds
			} else {
				faults = strings.TrimSuffix(term, " breaks the promise")
			}
			faults, _, _ = strings.Cut(faults, ", but not ")
			s, err := rounds.ParseSchedule(strings.ReplaceAll(faults, " and ", "; "))
			require.NoError(t, err, term)
			in, err := a.opened.AsProtocol().Model().Inject(t.Context(), s)
			require.NoError(t, err, term)
			require.Equal(t, verdict, in.Verdict, term)
			seen[verdict]++
		}
		require.Positive(t, seen[result.Holds], file)
		require.Positive(t, seen[result.Violated], file)
	}
}

// What stands above the diagrams is about the fault set that is drawn.
func TestReasonOfTheFaultSet(t *testing.T) {
	a := ask(t, testdata+"delivery/retry.ded", 4)
	b := open(t, a.page)
	for _, i := range []int{2, 3, 0} {
		b.run(fmt.Sprintf(`(() => { const s = document.querySelector('#diagrams .picker select'); s.value = '%d'; s.dispatchEvent(new Event('change')); })()`, i))
		c := a.answer.Counterexamples[i]
		require.Equal(t, []string(c.Because), b.all(".summary .because li"))
		require.Equal(t, c.Schedule.String(), strings.Join(b.all(".summary .faults li"), "; "))
		require.Contains(t, b.all(".summary .command code"), a.page.Sets[i].Replay)
		require.Contains(t, b.all(".summary .command code"), a.page.Sets[i].Why)
		require.Contains(t, b.text(`document.querySelector('.summary .of').textContent`), fmt.Sprintf("Fault set %d of 4: %s.", i+1, c.Schedule))
	}
}

// Where other faults are tried, the page says that its reason and its lineage are those of the
// fault set, what each of these faults does, and which commands explain what they break.
func TestOtherFaultsAreExplained(t *testing.T) {
	a := ask(t, testdata+"commit/2pc.ded", 1)
	set := a.page.Sets[0].Schedule
	b := open(t, a.page)
	b.everything()
	require.False(t, b.is(`document.querySelector('.summary .of').checkVisibility()`))
	b.press(".other .buttons button", "No faults")
	require.Equal(t, "kept in this execution", b.text(`document.querySelector('.what-if .verdict').textContent`))
	require.Contains(t, b.text(`document.querySelector('.summary .of').textContent`), "Of the fault set "+set+". Below, other faults are tried: no faults.")
	require.Zero(t, b.count(".reason .command"))
	b.press(".other .tabs button", "omit")
	b.run(`document.querySelector('.grid button[aria-label="omit tm>r1@3"]').click()`)
	require.Equal(t, "violated", b.text(`document.querySelector('.what-if .verdict').textContent`))
	schedule, err := rounds.ParseSchedule("omit tm>r1@3")
	require.NoError(t, err)
	in, err := a.opened.AsProtocol().Model().Inject(t.Context(), schedule)
	require.NoError(t, err)
	broken := in.Violations[0].Fact
	fact := fmt.Sprintf("%s@%d", recording.Display(broken, a.page.Names), broken.Round)
	file := testdata + "commit/2pc.ded"
	require.Equal(t, []string{
		fmt.Sprintf("ldfi why %s '%s' --faults 'omit tm>r1@3'", file, fact),
		fmt.Sprintf("ldfi diff %s --faults 'omit tm>r1@3'", file),
	}, b.all(".reason .command code"))
	why, err := a.opened.AsProtocol().Model().Why(t.Context(), fact, schedule)
	require.NoError(t, err)
	require.Equal(t, !in.Violations[0].Missing, why.Holds)
	require.Regexp(t, `^omit tm>r1@3: loses .+ tm → r1 in round 3; without it the promise is kept$`, b.all(".reason li")[0])
	require.Contains(t, b.text(`document.querySelector('.why .of').textContent`), "drawn above is omit tm>r1@3")
	b.press(".summary .of button", "Back")
	require.False(t, b.is(`document.querySelector('.summary .of').checkVisibility()`))
	require.False(t, b.is(`document.querySelector('.why .of').checkVisibility()`))
}

// What is not in the page stands there as a command: further fault sets, and lineages for
// which there is no room.
func TestNamesWhatIsNotThere(t *testing.T) {
	a := ask(t, testdata+"commit/2pc.ded", 1)
	require.Equal(t, "ldfi hypotheses "+testdata+"commit/2pc.ded", a.page.More)
	require.Contains(t, open(t, a.page).all("#sets > .command code"), a.page.More)
	p := ask(t, testdata+"commit/3pc12.ded", 20).page
	drawn := map[int]bool{}
	for _, l := range p.Lineages {
		drawn[l.World] = true
	}
	left := 0
	for _, s := range p.Sets {
		if !drawn[s.World] {
			left++
			require.Regexp(t, "^ldfi why .* --faults '"+regexp.QuoteMeta(s.Schedule)+"'$", s.Why)
		}
	}
	require.Positive(t, left)
}

// Other faults begin with the kind of those of the fault set, and it says where they end.
func TestFaultsBeginWhereTheSetDoes(t *testing.T) {
	b := open(t, ask(t, testdata+"partitions/half.ded", 1).page)
	b.run(`document.querySelector('.other').open = true`)
	b.until(`document.querySelector('.grid table') !== null`)
	require.Equal(t, []string{"partition"}, b.all(".other .tabs button[aria-pressed=true]"))
	b = open(t, ask(t, testdata+"delivery/retry.ded", 1).page)
	b.run(`document.querySelector('.other').open = true`)
	b.until(`document.querySelector('.grid table') !== null`)
	b.press(".other .tabs button", "omit")
	require.Equal(t, []string{"omit", "1", "2"}, b.all(".grid thead th"))
	require.Contains(t, b.text(`document.querySelector('.grid p').textContent`), "Here omissions begin in rounds 1 to 2")
}

// The slider says why it begins where it does, and ? what keys do.
func TestHelp(t *testing.T) {
	b := open(t, ask(t, testdata+"restart/2pc_forgets.ded", 1).page)
	require.Equal(t, "the first fault", b.text(`document.querySelector('.at + span').textContent`))
	require.False(t, b.is(`document.querySelector('.keys table').checkVisibility()`))
	b.do(chromedp.KeyEvent("?"))
	require.True(t, b.is(`document.querySelector('.keys table').checkVisibility()`))
}
