package report_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// suite writes a report about two cases into a file.
func suite(t *testing.T) string {
	t.Helper()
	l := &report.Landing{Title: "ldfi.yaml", Command: "ldfi check", Headline: "2 cases, 2 as expected", Outcome: report.Cell{Text: "pass", Verdict: result.Holds}, Text: "as text\n"}
	rows := [][]report.Cell{report.Cells("case", "verdict", "replay")}
	for _, name := range []string{"delivery/classic", "delivery/ack"} {
		a := ask(t, testdata+name+".ded", 1)
		a.page.Title = name
		rows = append(rows, []report.Cell{{Text: name, Page: l.Add(a.page, true)}, {Text: string(a.answer.Verdict), Verdict: a.answer.Verdict}, {Text: a.replay(), Command: true}})
	}
	l.Parts = []report.Part{{Table: rows}}
	var out bytes.Buffer
	require.NoError(t, l.Write(&out))
	file := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
	return file
}

// replay is the command of the first fault set, "" if there is none.
func (a *asked) replay() string {
	if len(a.page.Sets) == 0 {
		return ""
	}
	return a.page.Sets[0].Replay
}

// A report about several cases is a table, behind each row of which is a page like that of
// one case; the way back leads to the table.
func TestCasesBehindTheTable(t *testing.T) {
	b := openFile(t, suite(t))
	require.Equal(t, []string{"delivery/classic", "delivery/ack"}, b.all(".matrix a"))
	require.Zero(t, b.count("#happened"))
	require.Equal(t, []string{"ldfi inject " + testdata + "delivery/classic.ded --faults 'crash b@1; omit a>c@1'"}, b.all(".matrix .command code"))
	b.press(".matrix .command button", "Copy")
	b.until(`document.querySelector('.matrix .command button').textContent !== 'Copy'`)
	for i, title := range []string{"violated", "holds"} {
		b.turn(func() { b.run(fmt.Sprintf(`document.querySelectorAll('.matrix a')[%d].click()`, i)) })
		require.Equal(t, title, b.text(`document.querySelector('h1 .verdict').textContent`))
		require.Zero(t, b.count("#landing"))
		require.Equal(t, 1, b.count("#happened .spacetime"))
		b.run(`document.querySelector('.other').open = true`)
		b.until(`document.querySelector('.grid table') !== null`)
		b.turn(func() { b.press("nav a", "← ldfi.yaml") })
		require.Equal(t, 1, b.count("#landing"))
		require.Zero(t, b.count("#happened"))
	}
	b.turn(func() { b.run(`document.querySelectorAll('.matrix a')[0].click()`) })
	require.Equal(t, 1, b.count("#happened .spacetime"))
	b.turn(func() { b.run(`history.back()`) })
	require.Equal(t, 1, b.count("#landing"))
}

// Where faults cannot be switched the page says why.
func TestWhyFaultsCannotBeSwitched(t *testing.T) {
	a := ask(t, testdata+"delivery/classic.ded", 1)
	a.page.Circuit, a.page.Fixed = nil, "faults cannot be changed in this page: too much"
	b := open(t, a.page)
	require.Equal(t, a.page.Fixed, b.text(`document.querySelector('.panel').textContent`))
	require.Zero(t, b.count(".other"))
}

// The table can be used without seeing it, too.
func TestCasesAreAccessible(t *testing.T) {
	file := os.Getenv(axe)
	if file == "" {
		t.Skip("axe-core is not there: set " + axe + " to its axe.min.js (npm pack axe-core@4.14.1)")
	}
	script, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, dark := range []bool{false, true} {
		b := openFile(t, suite(t), func(b *tab) { b.size(700, 1000, dark) })
		b.run(string(script) + "\n;undefined")
		b.audit()
		b.turn(func() { b.run(`document.querySelectorAll('.matrix a')[0].click()`) })
		b.run(string(script) + "\n;undefined")
		b.everything()
		b.audit()
	}
}
