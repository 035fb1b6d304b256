package suite

import (
	"fmt"
	"io"
	"slices"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Update writes the results of a report into the file of the suite, as the expectations of
// the cases, and returns the names of the cases that changed. The rest of the file stays
// unchanged, comments too. Cases that are inconclusive, or could not be asked, are
// unchanged.
func (s *Suite) Update(r *Report) (changed []string, err error) {
	text, err := files.Read(s.File, files.Text)
	if err != nil {
		return nil, fmt.Errorf("updating the suite: %w", err)
	}
	wanted, changed, err := s.wanted(r)
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	updated, err := s.updated(string(text), wanted)
	if err != nil {
		return nil, err
	}
	err = files.Replace(s.File, func(w io.Writer) error {
		_, err := io.WriteString(w, updated)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		if want, ok := wanted[s.Cases[c.Index].entry]; ok {
			c.Expect, c.ExpectFaults, c.ExpectVacuous = want.expect, want.faults, want.vacuous
			c.judge(false)
		}
	}
	return changed, nil
}

// expectation is the wanted content of an entry.
type expectation struct {
	expect  result.Verdict
	faults  *int
	vacuous bool
}

func (e expectation) equal(f expectation) bool {
	if (e.faults == nil) != (f.faults == nil) || e.expect != f.expect || e.vacuous != f.vacuous {
		return false
	}
	return e.faults == nil || *e.faults == *f.faults
}

// wanted returns the expectations of the entries that change, by their numbers, and the
// names of the cases that change.
func (s *Suite) wanted(r *Report) (map[int]expectation, []string, error) {
	found := map[int]expectation{}
	by := map[int]*Case{} // the case of the answer
	wanted, changed := map[int]expectation{}, []string{}
	apart := map[int]error{} // entries that cannot say all that was found
	for _, result := range r.Cases {
		if result.Outcome != Pass && result.Outcome != Fail {
			continue
		}
		c := &s.Cases[result.Index]
		e := c.answered(&result)
		if before, ok := found[c.entry]; ok && !before.equal(e) {
			apart[c.entry] = fmt.Errorf("%s: %s and %s have different answers and come from one entry of the suite: give one of them an entry of its own",
				c.Position, by[c.entry].Name, c.Name)
		}
		found[c.entry], by[c.entry] = e, c
		if !e.equal(expectation{c.Expect, c.Faults, c.Vacuous}) {
			wanted[c.entry] = e
			changed = append(changed, c.Name)
		}
	}
	for _, c := range s.Cases {
		if _, ok := wanted[c.entry]; ok && apart[c.entry] != nil {
			return nil, nil, apart[c.entry]
		}
	}
	return wanted, changed, nil
}

// answered returns the expectation of a case that its result would meet.
func (c *Case) answered(r *CaseResult) expectation {
	e := expectation{expect: r.Answer.Verdict, vacuous: r.vacuous()}
	if g := r.Answer.Guidance; c.Expect == Reached && e.expect != result.Violated && g != nil && g.Target != nil && !g.Missed() {
		e.expect = Reached
	}
	if e.expect == result.Violated && (c.Faults != nil || c.Expect != result.Violated && r.Answer.First().Minimal) {
		e.faults = &r.Answer.First().Size
	}
	return e
}

func byHand(where string, want expectation) error {
	text := "expect: " + string(want.expect)
	if want.faults != nil {
		text += fmt.Sprintf(" and faults: %d", *want.faults)
	}
	if want.vacuous {
		text += " and vacuous: yes"
	}
	return fmt.Errorf("%s: this case is written in a way that cannot be updated; write %s by hand", where, text)
}

// updated returns the text of the suite with other expectations.
func (s *Suite) updated(text string, wanted map[int]expectation) (string, error) {
	text, err := edit(s.File, text, wanted)
	if err != nil {
		return "", err
	}
	return text, s.checkUpdate(text, wanted)
}

// checkUpdate makes sure that the new text has the wanted expectations and no other change.
func (s *Suite) checkUpdate(text string, wanted map[int]expectation) error {
	updated, err := parse(s.File, text)
	if err == nil && len(updated.Cases) == len(s.Cases) {
		same := *updated
		same.Cases = slices.Clone(updated.Cases)
		for i, c := range s.Cases {
			want, ok := wanted[c.entry]
			if got := (expectation{updated.Cases[i].Expect, updated.Cases[i].Faults, updated.Cases[i].Vacuous}); ok && !got.equal(want) {
				return byHand(c.Position.String(), want)
			}
			if ok {
				same.Cases[i].Expect, same.Cases[i].Faults, same.Cases[i].Vacuous = c.Expect, c.Faults, c.Vacuous
			}
		}
		if same.digest() == s.digest() {
			return nil
		}
	}
	for _, c := range s.Cases {
		if want, ok := wanted[c.entry]; ok {
			return byHand(c.Position.String(), want)
		}
	}
	return err
}
