package messages

import (
	"errors"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// CheckAnswer checks what a host answers to a search of a system.
func CheckAnswer(a *result.Answer, system string) error {
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
		if err := CheckRecording(c.Execution, system); err != nil {
			return err
		}
	}
	return nil
}

// CheckRecording checks a recording that a host sends of a system.
func CheckRecording(e *recording.Execution, system string) error {
	e.System, e.Schedule = system, e.Schedule.Normal()
	if err := e.Validate(); err != nil {
		return err
	}
	e.Sort()
	return nil
}
