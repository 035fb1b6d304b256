package suite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// Protocols for any number of rounds: b has nothing that a does not have; b has to hear from a in
// round 7, which is behind eot; and what a counts grows for ever.
const (
	copies = "// ldfi: processes=a,b eot=4 eff=2\nlog(\"a\")@1;\nlog(P)@next :- log(P);\nlog(\"b\")@async :- log(\"a\");\nviolation(\"b\") :- log(\"b\"), notin log(\"a\");\n"
	late   = "// ldfi: processes=a,b eot=4 eff=2\nclock(\"a\", 1)@1;\nclock(P, N + 1)@next :- clock(P, N), N < 9;\nturn(\"b\", N)@async :- clock(\"a\", N);\nviolation(\"b\") :- clock(\"a\", 7), notin turn(\"b\", 6);\n"
	end    = "// ldfi: processes=a,b eot=4 eff=2\nlog(\"a\")@1;\nlog(P)@next :- log(P);\nlog(\"b\")@async :- log(\"a\");\ngood(P) :- log(P);\n"
)

// A suite asks about any number of rounds: what holds within eot breaks in a later round, its
// schedule is kept and executed for as many rounds, and what cannot be asked is an error.
func TestAnyNumberOfRounds(t *testing.T) {
	s := suiteOf(t, `cases:
  - files: late.ded
    name: bounded
  - {files: late.ded, rounds: any}
  - {files: late.ded, rounds: any, name: known, expect: violated, faults: 1}
  - {files: copies.ded, rounds: any}
  - {files: end.ded, rounds: any}
`, map[string]string{"late.ded": late, "copies.ded": copies, "end.ded": end})
	cache := subject.NewCache(t.TempDir(), "v1")
	r := s.Run(t.Context(), Options{Cache: cache, Workers: 1})
	require.Equal(t, "bounded pass holds\nlate fail violated\nknown pass violated cached\ncopies pass holds\nend error", outcomes(r))
	broken, holds, refused := &r.Cases[1], &r.Cases[3], &r.Cases[4]
	require.Equal(t, "any", broken.Rounds)
	require.Equal(t, 7, broken.Answer.Rounds.Round)
	require.Equal(t, `violated, and expected to hold for any number of rounds: violation(b) holds at round 7`, broken.Differs)
	require.Contains(t, broken.Again, "--eot 7 --eff 7 --faults 'omit a>b@6'")
	require.Equal(t, []string{"copies", "holds", "holds", "none for any number of rounds"}, holds.row()[:4])
	require.Regexp(t, `end\.ded:5:1: good is judged by the run without faults at its last round`, refused.Error)
	require.Equal(t, "end", refused.Name)
	require.Equal(t, 7, refused.Line)

	again := s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, "bounded pass holds cached\nlate fail violated cached\nknown pass violated cached\ncopies pass holds cached\nend error", outcomes(again))
	require.Len(t, again.Cases[1].Kept, 1)
	require.Equal(t, Breaks, again.Cases[1].Kept[0].Outcome)
	require.Empty(t, again.Cases[1].NewKept, "it is kept already")
	require.Empty(t, again.Warnings)

	require.NoError(t, os.WriteFile(filepath.Join(s.dir(), "late.ded"), []byte(copies), 0o644))
	mended := s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, Pass, mended.Cases[1].Outcome)
	require.Equal(t, Keeps, mended.Cases[1].Kept[0].Outcome, "the schedule stays as a test")
}

// A proof for any number of rounds has a solver of its own: that of the run decides the other cases.
func TestAnyNumberOfRoundsWithAnotherSolver(t *testing.T) {
	s := suiteOf(t, "cases:\n  - {files: copies.ded, rounds: any}\n  - {files: again.ded, within: 1}\n", map[string]string{"copies.ded": copies, "again.ded": again})
	r := s.Run(t.Context(), Options{Solver: "false"})
	require.Equal(t, "copies pass holds\nagain pass holds", outcomes(r))
}

// All outputs of a suite say that a case is about any number of rounds.
func TestOutputsAboutAnyNumberOfRounds(t *testing.T) {
	s := suiteOf(t, "cases:\n  - {files: copies.ded, rounds: any}\n  - {files: late.ded, rounds: any}\n", map[string]string{"late.ded": late, "copies.ded": copies})
	r := s.Run(t.Context(), Options{Unkept: true})
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(b *bytes.Buffer) error { return r.WriteText(b) },
		"json":     func(b *bytes.Buffer) error { return r.WriteJSON(b) },
		"junit":    func(b *bytes.Buffer) error { return r.WriteJUnit(b) },
		"sarif":    func(b *bytes.Buffer) error { return r.WriteSARIF(b, "v1.0.0") },
		"markdown": func(b *bytes.Buffer) error { return r.WriteMarkdown(b) },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b), name)
		require.Contains(t, b.String(), "any number of rounds", name)
	}
}

// A promise that can never be broken, whatever happened before, is vacuous as one within bounds is.
func TestAVacuousPromiseForAnyNumberOfRounds(t *testing.T) {
	const nothing = "// ldfi: processes=a,b eot=4 eff=2\nlog(\"a\")@1;\nlog(P)@next :- log(P);\nviolation(P) :- log(P), lost(P);\nlost(P) :- log(P), notin log(P);\n"
	s := suiteOf(t, "cases:\n  - {files: a.ded, rounds: any}\n  - {files: a.ded, rounds: any, name: meant, vacuous: yes}\n", map[string]string{"a.ded": nothing})
	r := s.Run(t.Context(), Options{})
	require.Equal(t, result.Holds, r.Cases[0].Answer.Verdict)
	require.Equal(t, "a fail holds\nmeant pass holds", outcomes(r))
}

// A case states how soon after the last fault the promise is kept again: one round is enough for who sends again in
// each round, and none is not. The schedule is kept, and executed for as many rounds as it takes.
func TestWithinSomeRoundsAfterTheLastFault(t *testing.T) {
	s := suiteOf(t, "cases:\n  - {files: again.ded, within: 1}\n  - {files: again.ded, name: now, within: 0}\n  - {files: again.ded, name: least, within: least}\n", map[string]string{"again.ded": again})
	cache := subject.NewCache(t.TempDir(), "v1")
	r := s.Run(t.Context(), Options{Cache: cache, Workers: 1})
	require.Equal(t, "again pass holds\nnow fail violated\nleast pass holds", outcomes(r))
	require.Equal(t, "none from 1 round after the last fault on", r.Cases[0].row()[3])
	require.Equal(t, "none from 1 round after the last fault on", r.Cases[2].row()[3])
	require.Regexp(t, "^violated, and expected to hold from 0 rounds after the last fault on: post", r.Cases[1].Differs)
	r = s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, "again pass holds cached\nnow fail violated cached\nleast pass holds cached", outcomes(r))
	require.Equal(t, Breaks, r.Cases[1].Kept[0].Outcome)
	require.Empty(t, r.Warnings)
}
