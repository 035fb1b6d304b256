package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// A condition is that of one fact. Which of its terms break the promise stands with them, and
// is what executing them says.
func TestConditionsAreNotPromises(t *testing.T) {
	for _, file := range []string{"delivery/classic", "replication/kafka_isr"} {
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
			in, err := a.opened.Model().Inject(t.Context(), s)
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
	in, err := a.opened.Model().Inject(t.Context(), schedule)
	require.NoError(t, err)
	broken := in.Violations[0].Fact
	fact := fmt.Sprintf("%s@%d", recording.Display(broken, a.page.Names), broken.Round)
	file := testdata + "commit/2pc.ded"
	require.Equal(t, []string{
		fmt.Sprintf("ldfi why %s '%s' --faults 'omit tm>r1@3'", file, fact),
		fmt.Sprintf("ldfi diff %s --faults 'omit tm>r1@3'", file),
	}, b.all(".reason .command code"))
	why, err := a.opened.Model().Why(t.Context(), fact, schedule)
	require.NoError(t, err)
	require.Equal(t, !in.Violations[0].Missing, why.Holds)
	require.Regexp(t, `^omit tm>r1@3: loses .+ tm → r1 in round 3; without it the promise is kept$`, b.all(".reason li")[0])
	require.Contains(t, b.text(`document.querySelector('.why .of').textContent`), "drawn above is omit tm>r1@3")
	b.press(".summary .of button", "Back")
	require.False(t, b.is(`document.querySelector('.summary .of').checkVisibility()`))
	require.False(t, b.is(`document.querySelector('.why .of').checkVisibility()`))
}
