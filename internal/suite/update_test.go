package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A suite says what was found, and nothing else in its file has changed.
func TestUpdate(t *testing.T) {
	holds, vacuous := expectation{expect: result.Holds}, expectation{expect: result.Holds, vacuous: true}
	broken := func(n int) expectation { return expectation{expect: result.Violated, faults: &n} }
	for _, c := range []struct {
		title, before, after string
		found                []expectation
	}{
		{"a verdict is replaced", "cases:\n  - files: a.ded # first\n    expect: \"violated\"   # and why\n    # more\n    name: ü\n",
			"cases:\n  - files: a.ded # first\n    expect: holds   # and why\n    # more\n    name: ü\n", []expectation{holds}},
		{"a verdict is added, with the number of faults", "# top\ncases:\n  - files: a.ded # first\n\n  # second\n  - name: b\n    files: [a.ded,\n      b.ded] # two\n    # end\n",
			"# top\ncases:\n  - files: a.ded # first\n    expect: violated\n    faults: 2\n\n  # second\n  - name: b\n    files: [a.ded,\n      b.ded] # two\n    expect: violated\n    faults: 1\n    # end\n",
			[]expectation{broken(2), broken(1)}},
		{"a number of faults is replaced", "cases:\n- {files: a.ded, expect: violated, faults: 2}", "cases:\n- {files: a.ded, expect: violated, faults: 3}", []expectation{broken(3)}},
		{"a number of faults goes", "cases:\n- {files: a.ded, expect: violated, faults: 2}\n- {faults: 2, files: b.ded, expect: violated}",
			"cases:\n- {files: a.ded, expect: holds}\n- {files: b.ded, expect: holds}", []expectation{holds, holds}},
		{"a number of faults goes, in lines", "cases:\n  - faults: 2 # few\n    files: a.ded\n    expect: violated # bad\n  - files: b.ded\n    expect: violated\n    faults: 1 # one\n# end",
			"cases:\n  - files: a.ded\n    expect: holds # bad\n  - files: b.ded\n    expect: holds\n# end", []expectation{holds, holds}},
		{"words in quotes and with accents before", "cases: [{\"name\": \"ä ö\", files: a.ded, \"expect\": 'holds'}]\n",
			"cases: [{\"name\": \"ä ö\", files: a.ded, \"expect\": violated, faults: 0}]\n", []expectation{broken(0)}},
		{"faults stand behind the verdict", "cases:\n  - expect: holds\n    files: a.ded\n", "cases:\n  - expect: violated\n    faults: 1\n    files: a.ded\n", []expectation{broken(1)}},
		{"lines as Windows ends them", "cases:\r\n  - files: a.ded\r\n  - files: b.ded\r\n    expect: violated\r\n    faults: 1\r\n",
			"cases:\r\n  - files: a.ded\r\n    expect: violated\r\n    faults: 2\r\n  - files: b.ded\r\n    expect: holds\r\n", []expectation{broken(2), holds}},
		{"comments in lines as Windows ends them", "# top\r\n\r\ncases: # all\r\n  # ü\r\n  - {files: a.ded, faults: 2, expect: violated} # one\r\n\r\n  - files: b.ded # two\r\n",
			"# top\r\n\r\ncases: # all\r\n  # ü\r\n  - {files: a.ded, expect: holds} # one\r\n\r\n  - files: b.ded # two\r\n    expect: violated\r\n    faults: 1\r\n", []expectation{holds, broken(1)}},
		{"a byte order mark", "\ufeffcases:\n  - files: a.ded\n", "\ufeffcases:\n  - files: a.ded\n    expect: violated\n    faults: 1\n", []expectation{broken(1)}},
		{"that a promise asks for nothing is added", "cases:\n  - files: a.ded # first\n  - files: b.ded\n    expect: violated\n    faults: 1\n",
			"cases:\n  - files: a.ded # first\n    vacuous: yes\n  - files: b.ded\n    expect: holds\n    vacuous: yes\n", []expectation{vacuous, vacuous}},
		{"and taken away", "cases:\n  - {files: a.ded, vacuous: yes} # first\n  - files: b.ded\n    vacuous: true\n",
			"cases:\n  - {files: a.ded, vacuous: no} # first\n  - files: b.ded\n    vacuous: no\n    expect: violated\n    faults: 1\n", []expectation{holds, broken(1)}},
		{"nothing differs", "cases:\n  - files: a.ded\n", "cases:\n  - files: a.ded\n", []expectation{holds}},
		{"the files of a pattern agree", "cases:\n  - protocols: [a.ded, 'b*']\n", "cases:\n  - protocols: [a.ded, 'b*']\n    expect: violated\n    faults: 1\n", []expectation{broken(1), broken(1)}},
	} {
		t.Run(c.title, func(t *testing.T) {
			s := writeSuite(t, c.before)
			_, err := s.Update(s.finding(c.found))
			require.NoError(t, err)
			after, err := os.ReadFile(s.File)
			require.NoError(t, err)
			require.Equal(t, c.after, string(after))
			again, err := Read(s.File)
			require.NoError(t, err)
			changed, err := again.Update(again.finding(c.found))
			require.NoError(t, err)
			require.Empty(t, changed)
		})
	}
}

// What cannot be written without a change of something else is not written.
func TestUpdateRefuses(t *testing.T) {
	one, two := 1, 2
	for _, c := range []struct {
		title, text, wrong string
		found              []expectation
	}{
		{"a first line behind a byte order mark", "\ufeffcases: [{files: a.ded, expect: holds}]\n", "by hand", []expectation{{expect: result.Violated, faults: &one}}},
		{"an alias", "cases:\n  - &a\n    files: a.ded\n    expect: holds\n", "by hand", []expectation{{expect: result.Violated, faults: &one}}},
		{"a verdict that two cases share", "cases:\n  - files: a.ded\n    expect: &v holds\n  - files: b.ded\n    expect: *v\n", "by hand", []expectation{{expect: result.Violated, faults: &one}, {expect: result.Holds}}},
		{"files of a pattern that differ", "cases:\n  - protocols: '*.ded'\n", "a and b have different answers", []expectation{{expect: result.Violated, faults: &one}, {expect: result.Violated, faults: &two}}},
	} {
		t.Run(c.title, func(t *testing.T) {
			s := writeSuite(t, c.text)
			_, err := s.Update(s.finding(c.found))
			require.ErrorContains(t, err, c.wrong)
			after, err := os.ReadFile(s.File)
			require.NoError(t, err)
			require.Equal(t, c.text, string(after))
		})
	}
}

// writeSuite writes a suite beside two protocols, and reads it.
func writeSuite(t *testing.T, text string) *Suite {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"a.ded", "b.ded"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	file := filepath.Join(dir, FileName)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	s, err := Read(file)
	require.NoError(t, err)
	return s
}

// finding is a report that finds what is given.
func (s *Suite) finding(found []expectation) *Report {
	r := &Report{}
	for i, e := range found {
		c := CaseResult{Index: i, Expect: s.Cases[i].Expect, ExpectFaults: s.Cases[i].Faults, ExpectVacuous: s.Cases[i].Vacuous, Answer: &result.Answer{Verdict: e.expect}}
		if e.vacuous {
			c.Answer.Vacuity = "pre has no fact"
		}
		if e.expect == result.Violated {
			c.Answer.Counterexamples = []result.Counterexample{{Minimal: true, Violations: []result.Violation{{Property: "post", Text: "it is missing"}}}}
		}
		if e.faults != nil {
			c.Answer.First().Size = *e.faults
		}
		c.judge(false)
		r.Cases = append(r.Cases, c)
	}
	return r
}

// Whatever a suite looks like, it is updated to say what is wanted, or there is
// an error.
func FuzzUpdate(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.yaml")
	require.NoError(f, err)
	for _, file := range append(files, "../../ldfi.yaml") {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Add("cases:\n  - {system: x, faults: 1, expect: violated}\n  - system: >\n      y\n    expect: violated\n    faults: 2 # two\n")
	f.Add("cases: # all\r\n  # one\r\n  - {system: x, faults: 1, expect: violated} # two\r\n  - system: y # three\r\n")
	f.Add("cases:\r  - system: x # one\r  - system: y # two\n")
	f.Add("cases: [{\"system\": x, ? faults : 1,\n expect: violated }]\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "*/\\") {
			t.Skip("a pattern can match the whole file system")
		}
		s, err := parse("testdata/suite/ldfi.yaml", text)
		if err != nil {
			return
		}
		three := 3
		for _, want := range []expectation{{expect: result.Holds}, {expect: result.Violated, faults: &three}, {expect: result.Inconclusive, vacuous: true}} {
			for i := range s.Cases {
				_, _ = s.updated(text, map[int]expectation{s.Cases[i].entry: want})
			}
		}
	})
}
