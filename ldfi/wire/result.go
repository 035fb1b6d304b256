package wire

import (
	"errors"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// checkAnswer checks what a host answers to a search of a system.
func checkAnswer(a *result.Answer, system string) error {
	switch {
	case a.Search == nil:
		return errors.New("it does not say how the system was searched")
	case a.Verdict == result.Holds && a.Search.Certificate == nil:
		return errors.New("a verdict holds lacks its certificate")
	case a.Verdict == result.Inconclusive && a.Limit == nil:
		return errors.New("a verdict inconclusive lacks its limit")
	case a.Verdict == result.Violated && len(a.Counterexamples) == 0:
		return errors.New("a verdict violated lacks its counterexample")
	case a.Verdict == "":
		return errors.New("it lacks its verdict")
	}
	a.Search.Found = a.Search.Found.Normal()
	for i := range a.Counterexamples {
		c := &a.Counterexamples[i]
		if len(c.Violations) == 0 || c.Execution == nil {
			return errors.New("a counterexample lacks its violations or its recording")
		}
		c.Schedule = c.Schedule.Normal()
		if err := check(c.Execution, system); err != nil {
			return err
		}
	}
	return nil
}
